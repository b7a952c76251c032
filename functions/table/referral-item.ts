import type { Referral } from '../domain/referral.ts';
import { ACTORS, type Actor, STATES, type State, type StateEntry } from '../domain/state.ts';
import { type Item, list, map, number, optional, required, text, wholeSeconds, withoutNulls } from './item.ts';
import {
  advocateReferrals,
  advocateState,
  advocateSubId,
  lastPart,
  referralKey,
  slugInState,
  sortKey,
} from './keys.ts';
import { PARTITION_KEY } from './schema.ts';

/** A referral as a row of an index has it: what the advocate's list answers. */
export type ListedReferral = Pick<
  Referral,
  | 'id'
  | 'email'
  | 'state'
  | 'stateSetAt'
  | 'createdAt'
  | 'updatedAt'
  | 'subId'
  | 'commissionPercentage'
  | 'commissionEndDate'
>;

/**
 * The whole item of a referral. The keys of the indexes follow from its values: a click is in `by_state`, and in
 * `by_sub_id` where it has a sub id, but in no other.
 */
export function referralItem(program: string, referral: Referral): Item {
  const { id, advocateSlug, state, subId } = referral;
  const clicked = state === 'clicked';
  return {
    ...referralKey(program, id),
    ...withoutNulls({
      owner: clicked ? null : advocateReferrals(program, advocateSlug),
      owner_state: advocateState(program, advocateSlug, state),
      owner_sub_id: subId === null ? null : advocateSubId(program, advocateSlug, clicked, subId),
      created: sortKey(referral.createdAt, id),
      state_set: clicked ? null : sortKey(referral.stateSetAt, id),
      email: referral.email,
      customer_uid: referral.customerUid,
      state,
      state_set_at: referral.stateSetAt,
      created_at: referral.createdAt,
      updated_at: referral.updatedAt,
      converted_at: referral.convertedAt,
      sub_id: subId,
      rate: referral.commissionPercentage,
      rate_ends: referral.commissionEndDate,
      expires_at: referral.expiresAt,
      // A visitor's click tells no more by its history than without it, and clicks are kept small: they outnumber the rest.
      history: isVisit(referral) ? null : referral.history.map(historyItem),
      idempotency_record: referral.idempotencyRecord,
      version: referral.version,
    }),
  };
}

/** Parses a referral from its own item. */
export function referralOf(item: Item): Referral {
  return {
    ...listedReferralOf(item),
    advocateSlug: slugInState(required(item, 'owner_state', text)),
    customerUid: optional(item, 'customer_uid', text),
    convertedAt: optional(item, 'converted_at', wholeSeconds),
    expiresAt: optional(item, 'expires_at', wholeSeconds),
    history: historyOf(item),
    idempotencyRecord: optional(item, 'idempotency_record', text),
    version: required(item, 'version', number),
  };
}

/** Parses a referral from a row of an index. */
export function listedReferralOf(item: Item): ListedReferral {
  return {
    id: lastPart(required(item, PARTITION_KEY, text)),
    email: optional(item, 'email', text),
    state: required(item, 'state', stateName),
    stateSetAt: required(item, 'state_set_at', wholeSeconds),
    createdAt: required(item, 'created_at', wholeSeconds),
    updatedAt: required(item, 'updated_at', wholeSeconds),
    subId: optional(item, 'sub_id', text),
    commissionPercentage: optional(item, 'rate', number),
    commissionEndDate: optional(item, 'rate_ends', wholeSeconds),
  };
}

function isVisit({ history }: Referral): boolean {
  const [first, ...others] = history;
  return first?.by === 'visitor' && others.length === 0;
}

function historyItem({ state, setAt, by }: StateEntry): Item {
  return { state, set_at: setAt, by };
}

function historyOf(item: Item): StateEntry[] {
  const history = optional(item, 'history', list);
  if (history) return history.map((entry) => stateEntryOf(map(entry) ?? {}));
  return [{ state: 'clicked', setAt: required(item, 'created_at', wholeSeconds), by: 'visitor' }];
}

function stateEntryOf(entry: Item): StateEntry {
  return {
    state: required(entry, 'state', stateName),
    setAt: required(entry, 'set_at', wholeSeconds),
    by: required(entry, 'by', actorName),
  };
}

function stateName(value: unknown): State | undefined {
  return STATES.find((state) => state === value);
}

function actorName(value: unknown): Actor | undefined {
  return ACTORS.find((actor) => actor === value);
}
