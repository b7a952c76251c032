import { InvalidField } from '../errors.ts';
import { MAX_AMOUNT, parseCurrency } from './money.ts';
import { parseWhole } from './numbers.ts';
import { type Parser, record } from './parsers.ts';

/** Amounts by currency, each in the smallest unit of its currency. */
export type Amounts = Readonly<Record<string, number>>;

export const NO_AMOUNTS: Amounts = {};

/** The most currencies of such amounts. */
export const MAX_CURRENCIES = 10;

/** The keywords of such amounts, for the JSON Schemas. */
export const AMOUNTS_KEYWORDS = {
  maxProperties: MAX_CURRENCIES,
  additionalProperties: { type: 'integer', minimum: 1, maximum: MAX_AMOUNT },
} as const;

/** Checks amounts by currency, and sorts them by their currency. Throws `InvalidField` for fewer than `min` of them. */
export function parseAmounts(name: string, value: unknown, min: 0 | 1): Amounts {
  const given = record(value);
  const entries = Object.entries(given ?? {});
  if (!given || entries.length < min || entries.length > MAX_CURRENCIES) {
    const number = min === 0 ? `at most ${MAX_CURRENCIES}` : `1 to ${MAX_CURRENCIES}`;
    throw new InvalidField(name, `must be an object with ${number} currencies and their amounts`);
  }
  return sorted(
    entries.map(([code, amount]) => {
      // The code may be anything, which no error repeats.
      const currency = parseCurrency(`${name}: each currency`, code);
      return [currency, parseWhole(`${name}.${currency}`, amount, MAX_AMOUNT)];
    }),
  );
}

/** Parses stored amounts. DynamoDB keeps no order of their currencies. */
export const storedAmounts: Parser<Amounts> = (value) => {
  const stored = record(value);
  return (
    stored &&
    sorted(Object.entries(stored).flatMap(([code, amount]) => (typeof amount === 'number' ? [[code, amount]] : [])))
  );
};

function sorted(amounts: readonly (readonly [string, number])[]): Amounts {
  return Object.fromEntries(amounts.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
