import { ENTRY_TYPES, type HistoryEntry } from '../../domain/referral/history.ts';
import type { PaymentMemory } from '../../domain/referral/payment.ts';
import type { Referral } from '../../domain/referral/referral.ts';
import { FLAGS, type Flag } from '../../domain/referral/self-referral.ts';
import { ACTORS, STATES } from '../../domain/referral/state.ts';
import {
  type Item,
  list,
  map,
  number,
  oneOf,
  optional,
  required,
  text,
  texts,
  wholeSeconds,
  withoutNulls,
} from '../dynamodb/item.ts';
import * as keys from '../keys.ts';
import { PARTITION_KEY } from '../schema.ts';

/** A referral as the indexes contain it: the fields that the list returns. */
export type ListedReferral = Omit<
  Referral,
  'advocateSlug' | 'convertedAt' | 'expiresAt' | 'history' | 'idempotencyRecord' | 'payments' | 'version'
>;

/** Builds the item of a referral. `schema.ts` describes which of its index keys a click lacks. */
export function referralItem(program: string, referral: Referral): Item {
  const { id, advocateSlug, state, subId } = referral;
  const clicked = state === 'clicked';
  return {
    ...keys.referralKey(program, id),
    ...withoutNulls({
      owner: clicked ? null : keys.advocateReferrals(program, advocateSlug),
      owner_state: keys.advocateState(program, advocateSlug, state),
      owner_sub_id: subId === null ? null : keys.advocateSubId(program, advocateSlug, clicked, subId),
      created: keys.sortKey(referral.createdAt, id),
      state_set: clicked ? null : keys.sortKey(referral.stateSetAt, id),
      email: referral.email,
      uid: referral.customerUid,
      flags: referral.flags.length === 0 ? null : referral.flags,
      state,
      state_set_at: referral.stateSetAt,
      created_at: referral.createdAt,
      updated_at: referral.updatedAt,
      converted_at: referral.convertedAt,
      sub_id: subId,
      rate: referral.commissionPercentage,
      rate_ends: referral.commissionEndDate,
      expires_at: referral.expiresAt,
      // The history of an unchanged click follows from its other attributes. Without it, a click costs less.
      history: isUnchangedClick(referral)
        ? null
        : referral.history.map(({ setAt, ...entry }) => ({ ...entry, set_at: setAt })),
      idempotency_record: referral.idempotencyRecord,
      payments: referral.payments && paymentsItem(referral.payments),
      version: referral.version,
    }),
  };
}

/** Parses a referral from its item. */
export function referralOf(item: Item): Referral {
  return {
    ...listedReferralOf(item),
    advocateSlug: keys.slugInState(required(item, 'owner_state', text)),
    convertedAt: optional(item, 'converted_at', wholeSeconds),
    expiresAt: optional(item, 'expires_at', wholeSeconds),
    history: historyOf(item),
    idempotencyRecord: optional(item, 'idempotency_record', text),
    payments: optional(item, 'payments', paymentsOf),
    version: required(item, 'version', number),
  };
}

/** Parses a referral from a row of an index, or from its item. */
export function listedReferralOf(item: Item): ListedReferral {
  return {
    id: keys.lastPart(required(item, PARTITION_KEY, text)),
    email: optional(item, 'email', text),
    customerUid: optional(item, 'uid', text),
    flags: optional(item, 'flags', flagList) ?? [],
    // Each index has these two as attributes or in its keys.
    state: optional(item, 'state', oneOf(STATES)) ?? required(item, 'owner_state', keys.stateInPartition),
    stateSetAt: required(item, 'state_set_at', wholeSeconds),
    createdAt: optional(item, 'created_at', wholeSeconds) ?? keys.parseSortKey(required(item, 'created', text)).second,
    updatedAt: required(item, 'updated_at', wholeSeconds),
    subId: optional(item, 'sub_id', text),
    commissionPercentage: optional(item, 'rate', number),
    commissionEndDate: optional(item, 'rate_ends', wholeSeconds),
  };
}

/** True for a click by a visitor that has not changed since. */
function isUnchangedClick({ history }: Referral): boolean {
  const [first, ...others] = history;
  return first?.by === 'visitor' && others.length === 0;
}

function paymentsItem({ customers, latest, quietWrites }: PaymentMemory): Item {
  const event = latest && { created_at: latest.createdAt, state: latest.state };
  return withoutNulls({ customers, latest: event, quiet_writes: quietWrites });
}

function paymentsOf(value: unknown): PaymentMemory | undefined {
  const item = map(value);
  if (!item) return undefined;
  const latest = optional(item, 'latest', map);
  return {
    customers: required(item, 'customers', texts),
    latest: latest && {
      createdAt: required(latest, 'created_at', wholeSeconds),
      state: required(latest, 'state', oneOf(STATES)),
    },
    quietWrites: required(item, 'quiet_writes', number),
  };
}

function flagList(value: unknown): Flag[] | undefined {
  return list(value)?.flatMap((element) => oneOf(FLAGS)(element) ?? []);
}

function historyOf(item: Item): HistoryEntry[] {
  const history = optional(item, 'history', list);
  if (history) return history.map((value) => entryOf(map(value) ?? {}));
  return [{ type: 'state', state: 'clicked', setAt: required(item, 'created_at', wholeSeconds), by: 'visitor' }];
}

function entryOf(entry: Item): HistoryEntry {
  const type = required(entry, 'type', oneOf(ENTRY_TYPES));
  const common = { setAt: required(entry, 'set_at', wholeSeconds), by: required(entry, 'by', oneOf(ACTORS)) };
  switch (type) {
    case 'state':
      return { type, state: required(entry, 'state', oneOf(STATES)), ...common };
    case 'reassignment':
      return { type, from: required(entry, 'from', text), to: required(entry, 'to', text), ...common };
    case 'erasure':
      return { type, ...common };
  }
}
