import type { Query, Schemas } from '../../kit/api.ts';
import { addDays, dayOf } from '../../kit/days.ts';
import { api } from '../service.ts';

export type Entry = Schemas['Entry'];

/** The most rows of a page of the API. */
export const PER_PAGE = 50;
/** The most pages that are read together. */
const PAGES = 20;

/** Reads entries, newest first: a page of the API, or more of them until enough are read. */
export async function readEntries(
  query: Exclude<Query<'/v2/affiliate/ledger', 'get'>, undefined>,
  signal: AbortSignal,
  isEnough: (rows: readonly Entry[]) => boolean = () => true,
): Promise<{ readonly rows: readonly Entry[]; readonly next: string | undefined }> {
  const rows: Entry[] = [];
  let cursor = query.cursor;
  for (let page = 0; page < PAGES; page += 1) {
    const reply = await api.send('get', '/v2/affiliate/ledger', {
      query: { per_page: PER_PAGE, ...query, cursor },
      signal,
    });
    rows.push(...reply.body.data);
    cursor = reply.next;
    if (cursor === undefined || isEnough(rows)) break;
  }
  return { rows, next: cursor };
}

interface DueEntry {
  readonly entry: Entry;
  /** The day from which on it is due; `''` if that was never in the future. */
  readonly dueDay: string;
}

/**
 * Finds out when entries become due, oldest first. A commission is on hold for some days after its payment, and what
 * takes it back counts on the same day: here, of the customer's last payment before.
 */
export function whenDue(entries: readonly Entry[], holdDays: number): DueEntry[] {
  const last = new Map<string | null, string>();
  return entries.toReversed().map((entry) => {
    const { kind, referral_id: referral, occurred_at } = entry.attributes;
    if (kind === 'payment') last.set(referral, addDays(dayOf(occurred_at * 1000), holdDays));
    return { entry, dueDay: (referral !== null && last.get(referral)) || '' };
  });
}

/** The first day on which something is due that is on hold today; `undefined` if it is not known. */
export async function readFirstDue(currency_eq: string, holdDays: number, signal: AbortSignal) {
  const today = dayOf(Date.now());
  // A payment may be recorded long after it happened, but not before.
  const created_at_gt = `${addDays(today, -holdDays)}T00:00:00Z`;
  const { rows, next } = await readEntries({ currency_eq, created_at_gt }, signal, () => false);
  const sums = new Map<string, number>();
  for (const { entry, dueDay } of whenDue(rows, holdDays)) {
    if (dueDay > today) sums.set(dueDay, (sums.get(dueDay) ?? 0) + entry.attributes.commission);
  }
  const days = [...sums].flatMap(([day, sum]) => (sum > 0 ? day : []));
  return next === undefined ? days.sort()[0] : undefined;
}

/** What one customer, or a bonus or correction, contributes to a payout. */
export interface Part {
  /** The id of the referral; `null` for bonuses and corrections. */
  readonly id: string | null;
  readonly payments: number;
  readonly earned: number;
}

/**
 * Reads what a payout paid, or what the next one pays: all that became due since the payout before it in the same
 * currency. Payouts pay balances, not entries, so this is exact if each payout paid all that was due.
 */
export async function readParts(
  payout: Entry | undefined,
  currency_eq: string,
  holdDays: number,
  signal: AbortSignal,
): Promise<Part[]> {
  const end = payout?.attributes.created_at ?? Date.now() / 1000;
  // Also reads what was recorded in the same second after the payout, which `before` leaves out.
  const query = { currency_eq, created_at_lt: payout && new Date((end + 1) * 1000).toISOString() };
  const before = (rows: readonly Entry[]) => rows.slice(payout ? rows.findIndex(({ id }) => id === payout.id) + 1 : 0);
  const lastIn = (rows: readonly Entry[]) => before(rows).find(isPayout);
  const { rows } = await readEntries(query, signal, (read) => {
    const last = lastIn(read)?.attributes.created_at;
    // What the payout before could not pay yet is at most as old as this.
    const oldest = read.at(-1)?.attributes.created_at ?? 0;
    return last !== undefined && oldest < last - (holdDays + 1) * 86_400;
  });
  const last = lastIn(rows);
  const parts = new Map<string | null, Part>();
  let paidDay = last ? dayAt(last.attributes.created_at) : undefined;
  for (const { entry, dueDay } of whenDue(before(rows), holdDays)) {
    const { kind, referral_id: id, commission } = entry.attributes;
    const wasPaid = paidDay !== undefined && dueDay <= paidDay;
    if (entry === last) paidDay = undefined;
    if (isPayout(entry) || wasPaid || dueDay > dayAt(end)) continue;
    const { payments = 0, earned = 0 } = parts.get(id) ?? {};
    parts.set(id, { id, payments: payments + (kind === 'payment' ? 1 : 0), earned: earned + commission });
  }
  return [...parts.values()].filter(({ earned }) => earned !== 0).sort((one, other) => other.earned - one.earned);
}

const isPayout = ({ attributes: { kind } }: Entry) => kind === 'settlement';
const dayAt = (seconds: number) => dayOf(seconds * 1000);
