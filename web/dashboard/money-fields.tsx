import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { decimalsOf } from '../../functions/ledger/rules/units.ts';
import { ApiError } from '../kit/api-error.ts';
import { TextField } from '../kit/fields.tsx';
import { monthsBack, parseMoney } from '../kit/format.ts';
import { CheckField } from '../kit/forms.tsx';
import { readyOf, useLoaded } from '../kit/loaded.ts';
import { linesOf } from '../kit/statement-file.ts';
import * as COMMON from '../words/common.ts';
import * as SHELL from '../words/dashboard/shell.ts';
import { api } from './service.ts';

/** Reads a typed currency; `undefined` if it is not valid. */
export function currencyIn(typed: string): string | undefined {
  return /^[a-z]{3}$/.exec(typed.trim().toLowerCase())?.[0];
}

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

/**
 * The fields of a new amount. The currency is preset only if the ledger has exactly one. Another one opens a balance of
 * its own, so it is asked about. A form that is submitted before the currencies were read waits for them.
 */
export function MoneyFields({ typed, onInput, amountHint, inputMode }: MoneyFieldsProps) {
  const [agreed, setAgreed] = useState('');
  const [ledger] = useLoaded(async (signal) => {
    const { currencies } = (await api.send('get', '/v2/balances', { signal })).body.meta;
    if (currencies.length > 0) return currencies.map(({ currency }) => currency);
    // The totals lag, and may not count the first entries yet. Statements do, but a page has not all advocates of a large
    // program: there, the first minutes may pass without a question.
    const query = { month: monthsBack(Date.now(), 0) };
    const lines = [(await api.send('get', '/v2/statements', { query, signal })).body.data].flat().flatMap(linesOf);
    return [...new Set(lines.map(({ currency }) => currency))];
  }, []);
  const known = readyOf(ledger)?.value;
  const only = known?.length === 1 ? known[0] : undefined;
  // Before the next key, whose text it would replace.
  useLayoutEffect(() => {
    if (only !== undefined && typed.currency === '') onInput({ ...typed, currency: only.toUpperCase() });
  }, [only]);
  const isReading = ledger.kind === 'loading';
  const place = useRef<HTMLSpanElement>(null);
  const isHeld = useRef(false);
  useEffect(() => {
    const form = place.current?.closest('form');
    if (!isReading) {
      if (isHeld.current) form?.requestSubmit();
      isHeld.current = false;
      return;
    }
    const hold = (event: Event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      isHeld.current = true;
    };
    form?.addEventListener('submit', hold, true);
    return () => form?.removeEventListener('submit', hold, true);
  }, [isReading]);
  const currency = currencyIn(typed.currency);
  // While the currencies are not known, any may be new.
  const isNew = currency !== undefined && !isReading && known?.length !== 0 && !known?.includes(currency);
  return (
    <>
      <span ref={place} hidden />
      <TextField
        label={COMMON.amount}
        hint={amountHint}
        inputMode={inputMode}
        isRequired
        value={typed.amount}
        onInput={(amount) => onInput({ ...typed, amount })}
      />
      <TextField
        label={SHELL.currency}
        hint={SHELL.currencyHint}
        isRequired
        value={typed.currency}
        onInput={(currency) => onInput({ ...typed, currency })}
      />
      {isNew && (
        <CheckField
          label={SHELL.secondBalance(currency)}
          isRequired
          isChecked={agreed === currency}
          onChange={(isChecked) => setAgreed(isChecked ? currency : '')}
        />
      )}
    </>
  );
}

/** Reads typed money in the smallest unit. Throws a sentence to show. */
export function readMoney(typed: TypedMoney): { amount: number; currency: string } {
  const currency = currencyIn(typed.currency);
  if (currency === undefined) throw new ApiError(SHELL.wrongCurrency, -1);
  return { amount: readAmount(typed.amount, currency), currency };
}

/** Reads a typed amount in the smallest unit. Throws a sentence to show. */
export function readAmount(typed: string, currency: string): number {
  const amount = parseMoney(typed, currency);
  if (amount === undefined) throw new ApiError(SHELL.wrongAmount(currency, decimalsOf(currency)), -1);
  return amount;
}
