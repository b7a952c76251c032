import { useState } from 'preact/hooks';
import { inUnits } from '../../../functions/domain/ledger/units.ts';
import { ApiError } from '../../kit/api-error.ts';
import { formatMoney } from '../../kit/money.ts';
import type { StatementLine as Line } from '../../kit/statement-file.ts';
import { Alert } from '../../kit/status.tsx';
import { MONEY } from '../../words/dashboard-money.ts';
import { useOnceWritten } from '../actions.tsx';
import { useDashboard } from '../context.ts';
import { Fields } from '../fields.tsx';
import { FormDialog, TextField } from '../form-dialog.tsx';
import { readAmount } from '../money-fields.tsx';
import { readPayable } from './lines.ts';

interface SettleProps {
  readonly line: Line;
  readonly onClose: () => void;
  readonly onSettled: () => void;
}

/**
 * Records what the merchant paid to an advocate. It reads the payable amount once more before it writes, because another
 * person may have settled it.
 */
export function Settle({ line, onClose, onSettled }: SettleProps) {
  const { api } = useDashboard();
  const { affiliate_slug, currency } = line;
  const [settlement_id] = useState(() => crypto.randomUUID());
  const [expected, setExpected] = useState(line.payable);
  const [before, setBefore] = useState<number>();
  const [typed, setTyped] = useState(inUnits(line.payable, currency));
  const [reference, setReference] = useState('');
  const settlement = useOnceWritten((body: { amount: number; reference: string }) =>
    api.send('post', '/v2/settlements', {
      body: { affiliate_slug, settlement_id, currency, ...body },
      isRepeatable: true,
    }),
  );
  /** Shows the payable amount if it changed since the dialog showed it. */
  async function hasChanged(amount: number): Promise<boolean> {
    const payable = await readPayable(api, line);
    if (payable === expected) {
      setBefore(undefined);
      return false;
    }
    setBefore(expected);
    setExpected(payable);
    if (amount === expected) setTyped(payable > 0 ? inUnits(payable, currency) : '');
    return true;
  }
  async function save(): Promise<void> {
    const amount = readAmount(typed, currency);
    if (amount <= 0) throw new ApiError(MONEY.notPositive, -1);
    // The service may have recorded an earlier attempt, which is no longer payable then.
    if (!settlement.isUnanswered && (await hasChanged(amount))) return;
    await settlement.write({ amount, reference: reference.trim() });
    onSettled();
  }
  return (
    <FormDialog title={MONEY.settle} onClose={onClose} onSave={save}>
      <p>
        <bdi>{affiliate_slug}</bdi>
      </p>
      <p class="soft">{MONEY.payableNow(formatMoney(expected, currency))}</p>
      {before !== undefined && (
        <Alert title={MONEY.changed} tone="notice">
          <p>{MONEY.changedAdvice(formatMoney(before, currency), formatMoney(expected, currency))}</p>
        </Alert>
      )}
      <Fields isLocked={settlement.isUnanswered}>
        <TextField
          label={MONEY.amount}
          hint={currency.toUpperCase()}
          inputMode="decimal"
          isRequired
          value={typed}
          onInput={setTyped}
        />
        <TextField label={MONEY.reference} hint={MONEY.referenceHint} value={reference} onInput={setReference} />
      </Fields>
      {settlement.isUnanswered && <p class="soft">{MONEY.unanswered}</p>}
    </FormDialog>
  );
}
