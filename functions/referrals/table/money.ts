import { incrementWrite, type LabelledIncrement } from '../../kernel/dynamodb/increments.ts';
import { type Item, optional } from '../../kernel/dynamodb/item.ts';
import { moneyKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import type { EvaluableCondition } from '../../kernel/dynamodb/writes.ts';
import { integer, number } from '../../kernel/fields/parsers.ts';
import type { Brought } from '../rules/money.ts';
import type { Referral } from '../rules/referral.ts';

/** What an entry of the ledger adds to what its referral has brought. Amounts are in the smallest unit. */
interface Addition {
  readonly slug: string;
  readonly currency: string;
  readonly revenue: number;
  readonly commission: number;
  /** 1 for a payment. */
  readonly payments: number;
  /** The number of payments that its commission depends on, which must not change meanwhile; `null` if it depends on none. */
  readonly earlier?: number | null;
}

/** Builds the write that adds an entry, in the transaction that writes the entry. None if the entry adds nothing. */
export function moneyWrite(program: string, id: string, addition: Addition): LabelledIncrement<'money'>[] {
  const { slug, currency, revenue, commission, payments, earlier = null } = addition;
  const of = (letter: string) => `${letter}_${currency}_${slug}`;
  const added = Object.entries({ [of(REVENUE)]: revenue, [of(COMMISSION)]: commission, payments });
  const numbers = Object.fromEntries(added.filter(([, value]) => value !== 0));
  if (Object.keys(numbers).length === 0) return [];
  const condition = earlier === null ? undefined : hasPayments(earlier);
  return [incrementWrite('money', moneyKey(program, id), numbers, condition)];
}

/** The condition that a referral has so many payments: of two payments at the same moment, one is first. */
function hasPayments(count: number): EvaluableCondition {
  const allowed = { absent: count === 0, attribute: 'payments', values: [count === 0 ? undefined : count] };
  if (count === 0) return { ConditionExpression: 'attribute_not_exists(payments)', allowed };
  return { ConditionExpression: 'payments = :seen', ExpressionAttributeValues: { ':seen': count }, allowed };
}

/** Reads how many payments of a referral were recorded. */
export const paymentsIn = (item: Item = {}): number => optional(item, 'payments', number) ?? 0;

// The sums of an advocate and currency have attributes such as `r_usd_jane-doe`.
const REVENUE = 'r';
const COMMISSION = 'c';
const ATTRIBUTE = /^[rc]_([a-z]{3})_(.+)$/;

/** Lists the advocates in an item. */
export const advocatesIn = (item: Item = {}): string[] =>
  Object.keys(item).flatMap((name) => ATTRIBUTE.exec(name)?.[2] ?? []);

/** Parses what a referral has brought one advocate; without an item, nothing. Throws `MalformedItem`. */
export function parseBrought(item: Item = {}, slug: string): Brought {
  const parts = Object.keys(item).map((name) => ATTRIBUTE.exec(name) ?? []);
  const currencies = parts.flatMap(([, currency, owner]) =>
    currency !== undefined && owner === slug ? [currency] : [],
  );
  const sumOf = (letter: string, currency: string) => optional(item, `${letter}_${currency}_${slug}`, integer) ?? 0n;
  return {
    payments: paymentsIn(item),
    money: [...new Set(currencies)].sort().map((currency) => ({
      currency,
      revenue: sumOf(REVENUE, currency),
      commission: sumOf(COMMISSION, currency),
    })),
  };
}

/** What it takes to read what a referral has brought. */
export type BroughtBy = Pick<Referral, 'id' | 'advocateSlug' | 'state'>;

/** Reads what referrals have brought their advocates, in their order, with one request for 100 of them. A click brings nothing. */
export async function readBrought<Row extends BroughtBy>(
  table: Table,
  program: string,
  referrals: readonly Row[],
): Promise<{ readonly referral: Row; readonly brought: Brought }[]> {
  const keys = referrals.map(({ id, state }) => (state === 'clicked' ? undefined : moneyKey(program, id)));
  const items = await batchGet(table, keys, { consistent: false });
  return referrals.map((referral, index) => {
    return { referral, brought: parseBrought(items[index], referral.advocateSlug) };
  });
}
