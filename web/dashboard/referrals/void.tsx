import { useState } from 'preact/hooks';
import { refresh } from '../../kit/load.ts';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { useDashboard } from '../context.ts';
import { Form, TextField } from '../form-dialog.tsx';

/** Takes back the commission of one of these payments. */
export function Void({ payments }: { readonly payments: readonly string[] }) {
  const { api } = useDashboard();
  const [chosen, setChosen] = useState<string>();
  const [note, setNote] = useState('');
  const payment = payments.find((id) => id === chosen) ?? payments[0] ?? '';
  async function send(): Promise<void> {
    await api.send('post', '/v2/payments/void', {
      body: { payment_id: payment, note: note.trim() },
      isRepeatable: true,
    });
    setNote('');
    refresh();
  }
  return (
    <div class="void">
      <h4>{REFERRALS.voidTitle}</h4>
      <Form onSave={send} save={REFERRALS.void} isDanger>
        {payments.length > 1 && (
          <label class="field">
            <span>{REFERRALS.payment}</span>
            <select value={payment} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
              {payments.map((id) => (
                <option key={id} value={id}>
                  {id}
                </option>
              ))}
            </select>
          </label>
        )}
        <TextField label={REFERRALS.note} hint={REFERRALS.voidHint} isRequired value={note} onInput={setNote} />
      </Form>
    </div>
  );
}
