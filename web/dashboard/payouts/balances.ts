import type { Api, Schemas } from '../../kit/api.ts';
import { formatKey, formatMoney } from '../../kit/format.ts';
import * as PAYOUTS from '../../words/dashboard/payouts.ts';
import type { Program } from '../router.ts';

export type Balance = Schemas['Balance'];

/** The most pages of balances that a press reads. */
const MAX_PAGES = 20;

/** Reads a page of the balances in a currency; without one, in the currency with the most owed. */
export async function readBalances(
  api: Api,
  currency: string | undefined,
  cursor: string | undefined,
  signal?: AbortSignal,
) {
  const query = { currency, cursor };
  const { body, next } = await api.send('get', '/v2/balances', { query, ...(signal && { signal }) });
  return { rows: body.data, next, currencies: body.meta.currencies };
}

/** Reads pages of balances until there are enough. `isCut` says that there are more than a press reads. */
export async function collectBalances(
  api: Api,
  currency: string | undefined,
  isEnough: (rows: readonly Balance[]) => boolean = () => false,
  signal?: AbortSignal,
): Promise<{ rows: readonly Balance[]; isCut: boolean }> {
  const rows: Balance[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const read = await readBalances(api, currency, cursor, signal);
    rows.push(...read.rows);
    cursor = read.next;
    if (cursor === undefined || isEnough(rows)) return { rows, isCut: false };
  }
  return { rows, isCut: true };
}

/** The least amount that the program pays in a currency. */
export function minimumOf(program: Program | undefined, currency: string): number {
  return program?.attributes.minimum_payout[currency] ?? 0;
}

/** The advocate's name, or the name of its link. */
export function nameOf({ id, attributes: { first_name, last_name } }: Balance): string {
  return [first_name, last_name].filter(Boolean).join(' ') || id;
}

/** Sums above 2^53 were rounded when the page read them, so they are not paid here. */
export const isExact = ({ attributes: { payable } }: Balance) => Number.isSafeInteger(payable);

const pendingUntil = ({ attributes: { payout_pending_until: until } }: Balance, now: number) =>
  until !== null && until * 1000 > now ? until : undefined;

/** True if a run pays the advocate something now. */
export function canBePaid(row: Balance, now: number): boolean {
  return row.attributes.payable > 0 && isExact(row) && pendingUntil(row, now) === undefined;
}

/** Why "Select all due" skips a row with something due; `undefined` if it does not. */
export function reasonOf(row: Balance, minimum: number, now: number): string | undefined {
  const { payable, currency, payout_account } = row.attributes;
  if (payable <= 0) return undefined;
  const pending = pendingUntil(row, now);
  if (pending !== undefined)
    return PAYOUTS.pending(formatKey(new Date(pending * 1000).toISOString().slice(0, 10), 'short'));
  if (!isExact(row)) return PAYOUTS.tooLarge;
  if (payout_account === null) return PAYOUTS.noAccount;
  return payable < minimum ? PAYOUTS.belowMinimum(formatMoney(minimum, currency)) : undefined;
}
