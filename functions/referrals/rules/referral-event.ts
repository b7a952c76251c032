import { InvalidField } from '../../kernel/errors.ts';
import { attributesIn, type KeysIn } from '../../kernel/fields/field-list.ts';
import { UUIDV7_PATTERN } from '../../kernel/ids.ts';
import { rfc3339, type Seconds } from '../../kernel/time.ts';
import { entryCount, type HistoryEntry } from './history.ts';
import type { Referral } from './referral.ts';
import { REFERRAL_FIELDS } from './referral-fields.ts';
import type { Actor, State } from './state.ts';

/** The types of events of referrals. */
export const REFERRAL_EVENT_TYPES = [
  'referral.clicked',
  'referral.converted',
  'referral.paid',
  'referral.churned',
  'referral.rejected',
  'referral.reassigned',
  'referral.erased',
] as const;
export type ReferralEventType = (typeof REFERRAL_EVENT_TYPES)[number];

/** A change of a referral. It contains nothing about the person, because queues and archives outlive an erasure. */
export interface ReferralEvent {
  /** `<referral id>.<n>`: `n` counts all entries of the referral's history from 1, so that a change keeps its id. */
  readonly id: string;
  readonly type: ReferralEventType;
  /** The time of the change. */
  readonly setAt: Seconds;
  readonly referralId: string;
  /** State, previous state and time of the state as of the change. */
  readonly state: State;
  /** `null` for the first entry; equal to `state` for moves and erasures. */
  readonly previousState: State | null;
  readonly stateSetAt: Seconds;
  readonly by: Actor;
  /** The slugs of a move; `null` for other events. */
  readonly move: { readonly from: string; readonly to: string } | null;
  readonly createdAt: Seconds;
  readonly subId: string | null;
  readonly affiliateSlug: string;
  /**
   * The advocate's commission, in percent and until when; the end is `null` for a click. `null` for an event that was
   * queued before events had a commission.
   */
  readonly commission: Pick<Referral, 'commissionPercentage' | 'commissionEndDate'> | null;
}

/** The pattern of an event's id. */
export const EVENT_ID_PATTERN = `^${UUIDV7_PATTERN}\\.[1-9][0-9]{0,8}$`;
const EVENT_ID = /* @__PURE__ */ new RegExp(EVENT_ID_PATTERN);

/** Returns the id of an event's referral or entry. Throws `InvalidField` if the event's id is malformed. */
export function subjectOfEvent(id: string): string {
  if (!EVENT_ID.test(id))
    throw new InvalidField('event_id', 'must be the id of an event: the value of its header webhook-id');
  return id.slice(0, id.indexOf('.'));
}

/** Returns the events of the changes from an earlier state of a referral (`null` if it is new) to a later one. */
export function eventsBetween(before: Referral | null, after: Referral): ReferralEvent[] {
  const dropped = entryCount(after) - after.history.length;
  const known = before === null ? 0 : entryCount(before);
  return eventsByEntry(after, before)
    .filter((_, index) => index + dropped >= known)
    .flatMap((event) => event ?? []);
}

/**
 * Returns the events of the changes in a referral's history, oldest first. Imports are not changes. If the oldest
 * entries were dropped, so are the events up to the first known state.
 */
export function eventsOf(referral: Referral): ReferralEvent[] {
  return eventsByEntry(referral, null).flatMap((event) => event ?? []);
}

/** Returns the event of each entry in the history. `known` is an earlier version, whose state may have been dropped. */
function eventsByEntry(referral: Referral, known: Referral | null): (ReferralEvent | undefined)[] {
  const { id, history, createdAt, subId, advocateSlug: affiliateSlug, commissionPercentage } = referral;
  const dropped = entryCount(referral) - history.length;
  let current: { state: State; stateSetAt: Seconds } | undefined = history.some(({ type }) => type === 'state')
    ? undefined
    : referral;
  return history.map((entry, index) => {
    if (known && entryCount(known) === dropped + index) current = known;
    const previousState = current?.state ?? null;
    if (entry.type === 'state') current = { state: entry.state, stateSetAt: entry.setAt };
    const isUnknown = dropped > 0 && previousState === null;
    if (entry.by === 'import' || !current || isUnknown) return undefined;
    const { state, stateSetAt } = current;
    const { setAt, by } = entry;
    const move = entry.type === 'reassignment' ? { from: entry.from, to: entry.to } : null;
    const common = { referralId: id, createdAt, subId, affiliateSlug, state, stateSetAt, setAt, by, move };
    // The end is fixed by the conversion, which a click does not know yet, even if its event is rebuilt later.
    const commissionEndDate = state === 'clicked' ? null : referral.commissionEndDate;
    const commission = { commissionPercentage, commissionEndDate };
    return { id: `${id}.${dropped + index + 1}`, type: typeOf(entry), previousState, ...common, commission };
  });
}

/** The fields of an event that it takes from the current row, not from the history. They are empty after an erasure. */
export interface CurrentFields extends Pick<Referral, KeysIn<typeof REFERRAL_FIELDS, 'event'>> {
  /** The service's id of the advocate; `null` if the advocate does not exist. */
  readonly advocateId: string | null;
}

/**
 * Builds the body of an event (docs/contract/events.md). `email` is `undefined` for receivers that do not get it, and
 * `null` after an erasure.
 */
export function eventBody(event: ReferralEvent, current: CurrentFields, email?: string | null) {
  const { uid, ...others } = attributesIn(REFERRAL_FIELDS, 'event', current);
  return {
    type: event.type,
    timestamp: rfc3339(event.setAt),
    data: {
      id: event.referralId,
      state: event.state,
      previous_state: event.previousState,
      state_set_at: event.stateSetAt,
      created_at: event.createdAt,
      sub_id: event.subId,
      uid,
      affiliate_slug: event.affiliateSlug,
      advocate_id: current.advocateId,
      ...(event.commission && {
        commission_percentage: event.commission.commissionPercentage,
        commission_end_date: event.commission.commissionEndDate,
      }),
      ...others,
      by: event.by,
      ...event.move,
      ...(email !== undefined && { email }),
    },
  };
}

function typeOf(entry: HistoryEntry): ReferralEventType {
  switch (entry.type) {
    case 'state':
      return `referral.${entry.state}`;
    case 'reassignment':
      return 'referral.reassigned';
    case 'erasure':
      return 'referral.erased';
  }
}
