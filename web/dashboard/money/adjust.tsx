import { useState } from 'preact/hooks';
import { TextField } from '../../kit/controls.tsx';
import { MONEY } from '../../words/dashboard-money.ts';
import { useOnceWritten } from '../actions.tsx';
import { useDashboard } from '../context.ts';
import { Fields, FormDialog } from '../form-dialog.tsx';
import { MoneyFields, readMoney } from '../money-fields.tsx';

interface AdjustProps {
  readonly slug: string;
  readonly currency?: string;
  readonly onClose: () => void;
  readonly onAdjusted: () => void;
}

/** Records a bonus or a correction of an advocate. */
export function Adjust({ slug, currency = 'usd', onClose, onAdjusted }: AdjustProps) {
  const { api } = useDashboard();
  const [adjustment_id] = useState(() => crypto.randomUUID());
  const [typed, setTyped] = useState({ amount: '', currency });
  const [note, setNote] = useState('');
  const adjustment = useOnceWritten((body: { commission: number; currency: string; note: string }) =>
    api.send('post', '/v2/adjustments', { body: { affiliate_slug: slug, adjustment_id, ...body }, isRepeatable: true }),
  );
  async function save(): Promise<void> {
    const { amount, currency: code } = readMoney(typed);
    await adjustment.write({ commission: amount, currency: code, note: note.trim() });
    onAdjusted();
  }
  return (
    <FormDialog title={MONEY.adjust} onClose={onClose} onSave={save}>
      <p>
        <bdi>{slug}</bdi>
      </p>
      <Fields isLocked={adjustment.isUnanswered}>
        <MoneyFields typed={typed} onInput={setTyped} amountHint={MONEY.adjustHint} inputMode="text" />
        <TextField label={MONEY.note} hint={MONEY.noteHint} isRequired value={note} onInput={setNote} />
      </Fields>
      {adjustment.isUnanswered && <p class="soft">{MONEY.unanswered}</p>}
    </FormDialog>
  );
}
