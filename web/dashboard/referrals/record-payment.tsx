import { useState } from 'preact/hooks';
import { REFERRALS } from '../../words/dashboard-referrals.ts';
import { useDashboard } from '../context.ts';
import { FormDialog, TextField } from '../form-dialog.tsx';
import { readMoney } from '../typed-money.ts';

interface RecordPaymentProps {
  readonly id: string;
  readonly onClose: () => void;
  readonly onRecorded: () => void;
}

/** Records what a customer paid. The id of the payment makes a retry safe. */
export function RecordPayment({ id, onClose, onRecorded }: RecordPaymentProps) {
  const { api } = useDashboard();
  const [paymentId, setPaymentId] = useState('');
  const [amount, setAmount] = useState('');
  const [currency, setCurrency] = useState('usd');
  async function save(): Promise<void> {
    const body = { id, payment_id: paymentId.trim(), ...readMoney(amount, currency) };
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
      <TextField
        label={REFERRALS.amount}
        hint={REFERRALS.amountHint}
        inputMode="decimal"
        isRequired
        value={amount}
        onInput={setAmount}
      />
      <TextField
        label={REFERRALS.currency}
        hint={REFERRALS.currencyHint}
        isRequired
        value={currency}
        onInput={setCurrency}
      />
    </FormDialog>
  );
}
