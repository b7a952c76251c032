import type { Kind } from '../../kernel/accounts/rules/totals.ts';
import { type Day, dayOf } from '../../kernel/days.ts';
import type { Seconds } from '../../kernel/time.ts';
import { entryCount, type HistoryEntry, PAID_AT_UNKNOWN_TIME } from '../../referrals/rules/history.ts';
import type { Referral } from '../../referrals/rules/referral.ts';

/** Something that statistics count once: on a day, for the advocate of that moment. */
export interface Occurrence {
  readonly kind: Kind;
  readonly day: Day;
  readonly slug: string;
}

/**
 * Returns what one write of a referral adds to the statistics. It follows from the two versions alone, so the order in
 * which writes are counted does not matter. `before` is `null` for a new row.
 */
export function occurrencesOf(before: Referral | null, after: Referral): Occurrence[] {
  const slug = after.advocateSlug;
  const at = (kind: Kind, second: number): Occurrence => ({ kind, day: dayOf(second), slug });
  const isFirst = (field: 'convertedAt' | 'paidAt') => (before?.[field] ?? null) === null;
  return [
    ...(before === null && isClick(after) ? [at('clicks', after.createdAt)] : []),
    ...(isFirst('convertedAt') ? knownTimes(after.convertedAt).map((second) => at('conversions', second)) : []),
    ...(isFirst('paidAt') ? knownTimes(after.paidAt).map((second) => at('paying', second)) : []),
    ...newEntries(before, after).flatMap(({ kind, setAt }) => (kind === undefined ? [] : [at(kind, setAt)])),
  ];
}

/** What one record of the stream adds to the customers of an advocate who paid and are not rejected. */
export interface CustomerAddend {
  readonly slug: string;
  readonly customers: number;
}

/** Returns what one write of a referral adds to the paying customers of its advocates, as a move or a rejection does. */
export function customersOf(before: Referral | null, after: Referral): CustomerAddend[] {
  const [was, is] = [before, after].map((each) => (each && isPayingCustomer(each) ? each.advocateSlug : undefined));
  if (was === is) return [];
  return [
    ...(was === undefined ? [] : [{ slug: was, customers: -1 }]),
    ...(is === undefined ? [] : [{ slug: is, customers: 1 }]),
  ];
}

/** True for a customer who paid, at a known time, and is not rejected. */
export const isPayingCustomer = ({ paidAt, state }: Referral): boolean =>
  knownTimes(paidAt).length > 0 && state !== 'rejected';

/**
 * Returns what happened to a referral so far, from its row alone. If the oldest entries of the history were dropped,
 * what only these knew is missing: that the referral was a click, lost customers, and moves.
 */
export function occurrencesIn(referral: Referral): Occurrence[] {
  const { history, createdAt, convertedAt, paidAt } = referral;
  const slugs = slugsIn(referral);
  const at = (kind: Kind, second: number, index: number): Occurrence => {
    return { kind, day: dayOf(second), slug: slugs[Math.max(index, 0)] ?? referral.advocateSlug };
  };
  // An import or a dropped entry leaves the first entry, and a restored customer converts again later.
  const indexOf = (state: 'converted' | 'paid', second: number) =>
    history.findIndex((entry) => entry.type === 'state' && entry.state === state && entry.setAt === second);
  const [first] = history;
  const wasClick = isClick(referral) || (first?.type === 'state' && first.state === 'clicked');
  return [
    ...(wasClick ? [at('clicks', createdAt, 0)] : []),
    ...knownTimes(convertedAt).map((second) => at('conversions', second, indexOf('converted', second))),
    ...knownTimes(paidAt).map((second) => at('paying', second, indexOf('paid', second))),
    ...history.flatMap((entry, index) => {
      const kind = kindOf(entry);
      return kind === undefined ? [] : [at(kind, entry.setAt, index)];
    }),
  ];
}

/** True for a click that never converted. It may have been rejected. */
const isClick = ({ convertedAt }: Referral): boolean => convertedAt === null;

const knownTimes = (second: Seconds | null): Seconds[] =>
  second === null || second === PAID_AT_UNKNOWN_TIME ? [] : [second];

/** The advocate's slug at each entry of the history: a later move names the advocate from whom it took the referral. */
function slugsIn({ history, advocateSlug }: Referral): string[] {
  let slug = advocateSlug;
  return history
    .toReversed()
    .map((entry) => {
      const current = slug;
      if (entry.type === 'reassignment') slug = entry.from;
      return current;
    })
    .reverse();
}

/** The entries that a write added to the history. */
function newEntries(before: Referral | null, after: Referral) {
  const added = entryCount(after) - (before === null || isImportOver(before, after) ? 0 : entryCount(before));
  return after.history
    .slice(after.history.length - added)
    .map((entry) => ({ kind: kindOf(entry), setAt: entry.setAt }));
}

/** True for an import that replaced an unconverted click. Its history starts again. */
function isImportOver(before: Referral, { history: [first, ...others], state }: Referral): boolean {
  return before.state === 'clicked' && state !== 'clicked' && first?.by === 'import' && others.length === 0;
}

function kindOf(entry: HistoryEntry): Extract<Kind, 'churned' | 'rejected'> | undefined {
  if (entry.type !== 'state') return undefined;
  return entry.state === 'churned' || entry.state === 'rejected' ? entry.state : undefined;
}
