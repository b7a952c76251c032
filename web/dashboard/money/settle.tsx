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
import { type Balance, isOvertaken, readBalance } from './lines.ts';

interface SettleProps {
  readonly line: Line;
  readonly onClose: () => void;
  readonly onSettled: () => void;
}

/**
 * Records what the merchant paid to an advocate. It reads the payable amount once more before it writes, because another
 * person may have settled it, and shows the new one if somebody does so meanwhile.
 */
export function Settle({ line, onClose, onSettled }: SettleProps) {
  const { api } = useDashboard();
  const { affiliate_slug, currency } = line;
  const [settlement_id] = useState(() => crypto.randomUUID());
  const [balance, setBalance] = useState<Balance>(line);
  const [before, setBefore] = useState<Balance>();
  const [typed, setTyped] = useState(inUnits(line.payable, currency));
  const [reference, setReference] = useState('');
  const settlement = useOnceWritten((body: { amount: number; reference: string; settlement_count: number }) =>
    api.send('post', '/v2/settlements', {
      body: { affiliate_slug, settlement_id, currency, ...body },
      isRepeatable: true,
    }),
  );
  /** Shows the balance, and the balance that the dialog showed before. */
  function show(now: Balance, amount: number): void {
    setBefore(balance);
    setBalance(now);
    if (amount === balance.payable) setTyped(now.payable > 0 ? inUnits(now.payable, currency) : '');
  }
  async function save(): Promise<void> {
    const amount = readAmount(typed, currency);
    if (amount <= 0) throw new ApiError(MONEY.notPositive, -1);
    // The service may have recorded an earlier attempt, which is no longer payable then.
    const now = settlement.isUnanswered ? balance : await readBalance(api, line);
    if (now.payable !== balance.payable) return show(now, amount);
    setBefore(undefined);
    try {
      await settlement.write({ amount, reference: reference.trim(), settlement_count: now.settlement_count });
    } catch (error) {
      if (!isOvertaken(error)) throw error;
      return show(await readBalance(api, line), amount);
    }
    onSettled();
  }
  return (
    <FormDialog title={MONEY.settle} onClose={onClose} onSave={save}>
      <p>
        <bdi>{affiliate_slug}</bdi>
      </p>
      <p class="soft">{MONEY.payableNow(formatMoney(balance.payable, currency))}</p>
      {before !== undefined && (
        <Alert
          title={before.settlement_count === balance.settlement_count ? MONEY.changed : MONEY.overtaken}
          tone="notice"
        >
          <p>{MONEY.changedAdvice(formatMoney(before.payable, currency), formatMoney(balance.payable, currency))}</p>
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
