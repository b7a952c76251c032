import type { Seconds } from '../../kernel/time.ts';
import { eventOfEntry } from '../../ledger/rules/entry-event.ts';
import { type Entry, NO_COMMISSION } from '../../ledger/rules/entry-fields.ts';
import { entryCount, type HistoryEntry } from '../../referrals/rules/history.ts';
import type { Referral } from '../../referrals/rules/referral.ts';
import { REFUSAL_OUTCOMES } from '../../referrals/rules/refusal.ts';
import { type Actor, STATES } from '../../referrals/rules/state.ts';
import { creditedSlug, type Facts, RULES, type Verdict } from './verdicts.ts';

/** What a step can be: a change of the referral, an entry of its ledger, or a request that credited nobody. */
export const OUTCOMES = [
  ...new Set([
    ...STATES,
    'reassigned',
    'erased',
    'payment',
    'refund',
    'void',
    ...NO_COMMISSION,
    ...REFUSAL_OUTCOMES,
  ] as const),
];

export interface Step {
  readonly at: Seconds;
  readonly source: Actor;
  readonly outcome: (typeof OUTCOMES)[number];
  readonly advocateSlug: string | null;
  /** The promotion code that decided, or that credited nobody. */
  readonly code: string | null;
  /** The id of the service's event, or of the provider's refused event; `null` without an event. */
  readonly eventId: string | null;
}

export interface Explanation {
  readonly verdict: Verdict;
  readonly advice: string;
  readonly referralId: string | null;
  readonly advocateSlug: string | null;
  /** Oldest first. */
  readonly steps: readonly Step[];
}

/** Says why a customer is credited, or not: the first verdict that holds, and everything that happened. */
export function explain(facts: Facts): Explanation {
  const { referral, entries, refusals } = facts;
  const rule = RULES.find(({ holds }) => holds(facts));
  if (!rule) throw new Error('The last rule always holds.');
  const steps = [...(referral ? historySteps(referral) : []), ...entries.toReversed().flatMap(entrySteps), ...refusals];
  return {
    verdict: rule.verdict,
    advice: rule.advice,
    referralId: referral?.id ?? null,
    advocateSlug: creditedSlug(facts),
    steps: steps.sort((one, other) => one.at - other.at),
  };
}

/** The changes of a referral, each with the advocate that it had then. */
function historySteps({ history, ...referral }: Referral): Step[] {
  const dropped = entryCount(referral) - history.length;
  return history.map((entry, index) => {
    const { setAt: at, by: source } = entry;
    const move = history.slice(index + 1).find((later) => later.type === 'reassignment');
    return {
      at,
      source,
      outcome: outcomeOf(entry),
      advocateSlug: move ? move.from : referral.advocateSlug,
      code: isConversion(entry, referral) ? referral.code : null,
      eventId: source === 'import' ? null : `${referral.id}.${dropped + index + 1}`,
    };
  });
}

/** True for the conversion, but not for a rejected referral that is `converted` again. */
const isConversion = (entry: HistoryEntry, { convertedAt }: Pick<Referral, 'convertedAt'>): boolean =>
  entry.type === 'state' && entry.state === 'converted' && entry.setAt === convertedAt;

function outcomeOf(entry: HistoryEntry): Step['outcome'] {
  switch (entry.type) {
    case 'state':
      return entry.state;
    case 'reassignment':
      return 'reassigned';
    case 'erasure':
      return 'erased';
  }
}

/** An entry of a referral. A payment without a commission is called after the reason. */
function entrySteps(entry: Entry): Step[] {
  const { kind, note, createdAt: at, by: source, advocateSlug } = entry;
  if (kind === 'adjustment' || kind === 'settlement') return [];
  const reason = kind === 'payment' ? NO_COMMISSION.find((each) => each === note) : undefined;
  return [{ at, source, outcome: reason ?? kind, advocateSlug, code: null, eventId: eventOfEntry(entry)?.id ?? null }];
}
