import { useState } from 'preact/hooks';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { useDashboard } from '../context.ts';
import { FormDialog, TextField } from '../form-dialog.tsx';
import { MoneyFields, readMoney } from '../money-fields.tsx';

interface RecordPaymentProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onRecorded: () => void;
}

/** Records what a customer paid. The id of the payment makes a retry safe. */
export function RecordPayment({ id, onClose, onRecorded }: RecordPaymentProps) {
  const { api } = useDashboard();
  const [paymentId, setPaymentId] = useState('');
  const [typed, setTyped] = useState({ amount: '', currency: 'usd' });
  async function save(): Promise<void> {
    const body = { id, payment_id: paymentId.trim(), ...readMoney(typed) };
    await api.send('post', '/v2/payments', { body, isRepeatable: true });
    onRecorded();
  }
  return (
    <FormDialog title={REFERRALS.recordPayment} onClose={onClose} onSave={save}>
      <TextField
        label={REFERRALS.paymentId}
        hint={REFERRALS.paymentIdHint}
        isRequired
        value={paymentId}
        onInput={setPaymentId}
      />
      <MoneyFields typed={typed} onInput={setTyped} amountHint={REFERRALS.amountHint} inputMode="decimal" />
    </FormDialog>
  );
}
