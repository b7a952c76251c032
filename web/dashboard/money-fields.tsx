import { decimalsOf } from '../../functions/domain/ledger/units.ts';
import { ApiError } from '../kit/api-error.ts';
import { TextField } from '../kit/controls.tsx';
import { parseMoney } from '../kit/money.ts';
import { DASHBOARD } from '../words/dashboard.ts';

/** Money as it was typed, in units. */
interface TypedMoney {
  readonly amount: string;
  readonly currency: string;
}

interface MoneyFieldsProps {
  readonly typed: TypedMoney;
  readonly onInput: (typed: TypedMoney) => void;
  readonly amountHint: string;
  /** `text` where an amount may be negative: the decimal keyboard of a phone has no minus. */
  readonly inputMode: 'decimal' | 'text';
}

/** An amount and its currency. */
export function MoneyFields({ typed, onInput, amountHint, inputMode }: MoneyFieldsProps) {
  return (
    <>
      <TextField
        label={DASHBOARD.amount}
        hint={amountHint}
        inputMode={inputMode}
        isRequired
        value={typed.amount}
        onInput={(amount) => onInput({ ...typed, amount })}
      />
      <TextField
        label={DASHBOARD.currency}
        hint={DASHBOARD.currencyHint}
        isRequired
        value={typed.currency}
        onInput={(currency) => onInput({ ...typed, currency })}
      />
    </>
  );
}

/** Reads typed money in the smallest unit. Throws a sentence to show. */
export function readMoney(typed: TypedMoney): { amount: number; currency: string } {
  const currency = typed.currency.trim().toLowerCase();
  if (!/^[a-z]{3}$/.test(currency)) throw new ApiError(DASHBOARD.wrongCurrency, -1);
  return { amount: readAmount(typed.amount, currency), currency };
}

/** Reads a typed amount in the smallest unit. Throws a sentence to show. */
export function readAmount(typed: string, currency: string): number {
  const amount = parseMoney(typed, currency);
  if (amount === undefined) throw new ApiError(DASHBOARD.wrongAmount(currency, decimalsOf(currency)), -1);
  return amount;
}
