import type { Api, ResponseBody, Schemas } from '../../kit/api.ts';
import { dayOf, formatKey, formatMoney, monthsBack } from '../../kit/format.ts';
import { linesOf, type StatementLine } from '../../kit/statement-file.ts';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import type { Program } from '../router.ts';

export type Balance = Schemas['Balance'];
export type Currencies = ResponseBody<'/v2/balances', 'get'>['meta']['currencies'];

export interface BalancePage {
  readonly rows: readonly Balance[];
  /** The cursor of the next page. */
  readonly next: string | undefined;
}

/**
 * Reads a page of the balances in a currency; without one, in the currency with the most owed. A page without rows is
 * skipped: the service leaves out who was paid a moment ago.
 */
export async function readBalances(
  api: Api,
  currency: string | undefined,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<BalancePage & { readonly currencies: Currencies }> {
  const { body, next } = await api.send('get', '/v2/balances', { query: { currency, cursor }, signal });
  if (body.data.length === 0 && next !== undefined) return readBalances(api, currency, next, signal);
  return { rows: body.data, next, currencies: body.meta.currencies };
}

/** Reads pages of balances until enough of the rows are wanted. `isCut` says that there are more pages. */
export async function collectBalances(
  read: (cursor: string | undefined) => Promise<BalancePage>,
  isWanted: (row: Balance) => boolean,
  enough: number,
): Promise<{ readonly rows: readonly Balance[]; readonly isCut: boolean }> {
  const rows: Balance[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    rows.push(...page.rows.filter(isWanted));
    cursor = page.next;
  } while (cursor !== undefined && rows.length < enough);
  return { rows, isCut: cursor !== undefined };
}

/** Reads what is due to an advocate now, in each currency. Unlike the list, it is exact while others write. */
export async function readDue(api: Api, affiliate_slug: string): Promise<StatementLine[]> {
  const query = { month: monthsBack(Date.now(), 0), affiliate_slug };
  return [(await api.send('get', '/v2/statements', { query })).body.data].flat().flatMap(linesOf);
}

/** The least amount that the program pays in a currency. */
export function minimumOf(program: Program | undefined, currency: string): number {
  return program?.attributes.minimum_payout[currency] ?? 0;
}

/** Sums above 2^53 were rounded when the page read them, so they are not paid here. */
export const isExact = ({ attributes: { payable } }: Balance) => Number.isSafeInteger(payable);

const pendingUntil = ({ attributes: { payout_pending_until: until } }: Balance, now: number) =>
  until !== null && until * 1000 > now ? until : undefined;

/** True if a run pays the advocate something now. */
export function canBePaid(row: Balance, now: number): boolean {
  return row.attributes.payable > 0 && isExact(row) && pendingUntil(row, now) === undefined;
}

/** True if "Select all due" selects the advocate. */
export function isDue(row: Balance, minimum: number, now: number): boolean {
  return row.attributes.payable > 0 && reasonOf(row, minimum, now) === undefined;
}

/** Why "Select all due" skips a row with something due; `undefined` if it does not. */
export function reasonOf(row: Balance, minimum: number, now: number): string | undefined {
  const { payable, currency, payout_account } = row.attributes;
  if (payable <= 0) return undefined;
  const pending = pendingUntil(row, now);
  if (pending !== undefined) return PAYOUTS.pending(formatKey(dayOf(pending * 1000), 'short'));
  if (!isExact(row)) return PAYOUTS.tooLarge;
  if (payout_account === null) return PAYOUTS.noAccount;
  return payable < minimum ? PAYOUTS.belowMinimum(formatMoney(minimum, currency)) : undefined;
}
