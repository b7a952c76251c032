import { useState } from 'preact/hooks';
import { TextField } from '../../kit/fields.tsx';
import { formatMoney } from '../../kit/format.ts';
import * as REFERRALS from '../../words/dashboard/referrals.ts';
import { Fields, FormDialog, useOnceWritten } from '../form-dialog.tsx';
import { MoneyFields, readMoney } from '../money-fields.tsx';
import { api } from '../service.ts';
import { type ChangeProps, Concerned, finish } from './change-dialogs.tsx';

interface Payment {
  readonly payment_id: string;
  readonly amount: number;
  readonly currency: string;
}

/** Records what a customer paid. The id of the payment makes a retry safe. */
export function RecordPayment({ referral, onClose }: ChangeProps) {
  const [paymentId, setPaymentId] = useState('');
  const [typed, setTyped] = useState({ amount: '', currency: '' });
  const payment = useOnceWritten(async (body: Payment) => {
    const options = { body: { id: referral.id, ...body }, isRepeatable: true };
    const { commission, currency } = (await api.send('post', '/v2/payments', options)).body.data.attributes;
    finish(onClose, REFERRALS.paymentRecorded(formatMoney(commission, currency)));
  });
  return (
    <FormDialog
      title={REFERRALS.recordPayment}
      onClose={onClose}
      onSave={() => payment.write({ payment_id: paymentId.trim(), ...readMoney(typed) })}
    >
      <Concerned {...referral} />
      <Fields isLocked={payment.isUnanswered}>
        <TextField
          label={REFERRALS.paymentId}
          hint={REFERRALS.paymentIdHint}
          isRequired
          value={paymentId}
          onInput={setPaymentId}
        />
        <MoneyFields typed={typed} onInput={setTyped} amountHint={REFERRALS.amountHint} inputMode="decimal" />
      </Fields>
      {payment.isUnanswered && <p class="soft">{REFERRALS.unanswered}</p>}
    </FormDialog>
  );
}
