import { type Item, optional, parseFields, required, toAttributes, withoutNulls } from '../../kernel/dynamodb/item.ts';
import * as keys from '../../kernel/dynamodb/keys.ts';
import { PARTITION_KEY } from '../../kernel/dynamodb/schema.ts';
import { fieldsWith, type Values } from '../../kernel/fields/field-list.ts';
import { list, number, oneOf, record, text, texts, wholeSeconds } from '../../kernel/fields/parsers.ts';
import { ENTRY_TYPES, firstPaymentIn, type HistoryEntry } from '../rules/history.ts';
import type { ProviderState } from '../rules/provider-state.ts';
import type { Referral } from '../rules/referral.ts';
import { REFERRAL_FIELDS } from '../rules/referral-fields.ts';
import { ACTORS, STATES, type State } from '../rules/state.ts';

/** The fields that every index contains, and the lists therefore return. */
export const LISTED_FIELDS = fieldsWith(REFERRAL_FIELDS, 'listed');

/** A referral as the index of all referrals of a program contains it. */
export function parseProgramReferral(item: Item): ListedReferral & Pick<Referral, 'advocateSlug'> {
  const state_set_at = keys.parseSortKey(required(item, 'state_set', text)).second;
  const row = { ...item, owner_state: item['program_state'], state_set_at };
  return { ...parseListedReferral(row), advocateSlug: keys.slugInPartition(required(item, 'owner', text)) };
}

/** A referral as the indexes contain it. */
export type ListedReferral = Values<typeof LISTED_FIELDS>;

/** Builds the item of a referral. `schema.ts` describes which of its index keys a click lacks. */
export function toReferralItem(program: string, referral: Referral): Item {
  const { id, advocateSlug, state, subId } = referral;
  const clicked = state === 'clicked';
  // The keys contain these two.
  const { id: _id, affiliate_slug: _slug, ...attributes } = toAttributes(REFERRAL_FIELDS, referral);
  return {
    ...keys.referralKey(program, id),
    ...attributes,
    ...withoutNulls({
      owner: clicked ? null : keys.advocateReferrals(program, advocateSlug),
      owner_state: keys.advocateState(program, advocateSlug, state),
      program_state: clicked ? null : keys.programState(program, state),
      owner_sub_id: subId === null ? null : keys.advocateSubId(program, advocateSlug, clicked, subId),
      created: keys.sortKey(referral.createdAt, id),
      state_set: clicked ? null : keys.sortKey(referral.stateSetAt, id),
      // The history of an unchanged click follows from its other attributes. Without it, a click costs less.
      history: isUnchangedClick(referral)
        ? null
        : referral.history.map(({ setAt, ...entry }) => ({ ...entry, set_at: setAt })),
      payments: referral.provider && toProviderItem(referral.provider),
    }),
  };
}

/** Parses a referral from its item. */
export function parseReferral(item: Item): Referral {
  const affiliate_slug = keys.slugInPartition(required(item, 'owner_state', text));
  const fields = parseFields(REFERRAL_FIELDS, { ...withKeys(item), affiliate_slug });
  const history = parseHistory(item);
  return {
    ...fields,
    // Rows of earlier versions of the service lack it.
    paidAt: fields.paidAt ?? firstPaymentIn(history),
    history,
    provider: optional(item, 'payments', parseProviderState),
  };
}

/** Parses a referral from a row of an index, or from its item. */
export function parseListedReferral(item: Item): ListedReferral {
  return parseFields(LISTED_FIELDS, withKeys(item));
}

/** Adds the fields that keys contain. Each index has the state and the time of creation as attributes or in its keys. */
function withKeys(item: Item): Item {
  return {
    id: keys.lastPart(required(item, PARTITION_KEY, text)),
    ...(item['state'] === undefined && { state: required(item, 'owner_state', stateInPartition) }),
    ...(item['created_at'] === undefined && { created_at: keys.parseSortKey(required(item, 'created', text)).second }),
    ...item,
  };
}

/** True for a click by a visitor that has not changed since. */
function isUnchangedClick({ history }: Referral): boolean {
  const [first, ...others] = history;
  return first?.by === 'visitor' && others.length === 0;
}

function toProviderItem({ customers, latest, silentWrites }: ProviderState): Item {
  const event = latest && { created_at: latest.createdAt, state: latest.state };
  return withoutNulls({ customers, latest: event, quiet_writes: silentWrites });
}

function parseProviderState(value: unknown): ProviderState | undefined {
  const item = record(value);
  if (!item) return undefined;
  const latest = optional(item, 'latest', record);
  return {
    customers: required(item, 'customers', texts),
    latest: latest && {
      createdAt: required(latest, 'created_at', wholeSeconds),
      state: required(latest, 'state', oneOf(STATES)),
    },
    silentWrites: required(item, 'quiet_writes', number),
  };
}

function parseHistory(item: Item): HistoryEntry[] {
  const history = optional(item, 'history', list);
  if (history) return history.map((value) => parseEntry(record(value) ?? {}));
  return [{ type: 'state', state: 'clicked', setAt: required(item, 'created_at', wholeSeconds), by: 'visitor' }];
}

function parseEntry(entry: Item): HistoryEntry {
  const type = required(entry, 'type', oneOf(ENTRY_TYPES));
  const common = { setAt: required(entry, 'set_at', wholeSeconds), by: required(entry, 'by', oneOf(ACTORS)) };
  switch (type) {
    case 'state':
      return { type, state: required(entry, 'state', oneOf(STATES)), ...common, ...lostIn(entry) };
    case 'reassignment':
      return { type, from: required(entry, 'from', text), to: required(entry, 'to', text), ...common };
    case 'erasure':
      return { type, ...common };
  }
}

function lostIn(entry: Item): { readonly lost?: string } {
  const lost = optional(entry, 'lost', text);
  return lost === null ? {} : { lost };
}

/** A parser of attributes: the state in a partition of `advocateState`. */
export const stateInPartition = (partition: unknown): State | undefined =>
  oneOf(STATES)(keys.lastPart(text(partition) ?? ''));
