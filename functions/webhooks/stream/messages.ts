import { type Item, optional, parseFields, required, toAttributes } from '../../kernel/dynamodb/item.ts';
import { number, oneOf, record, text, wholeSeconds } from '../../kernel/fields/parsers.ts';
import { milliseconds } from '../../kernel/time.ts';
import { ENTRY_EVENT_TYPES, type EntryEvent } from '../../ledger/rules/entry-event.ts';
import { ENTRY_FIELDS } from '../../ledger/rules/entry-fields.ts';
import { APPLICATION_EVENT_TYPES, type ApplicationEvent } from '../../people/rules/applications/application-event.ts';
import { REFERRAL_EVENT_TYPES, type ReferralEvent } from '../../referrals/rules/referral-event.ts';
import { ACTORS, STATES } from '../../referrals/rules/state.ts';
import { isEntryEvent, type WebhookEvent } from '../rules/event.ts';
import type { DeliveryMessage } from './destinations.ts';

/** Characters that SQS would replace: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const NONCHARACTERS = /[\ufffe\uffff]/g;

/** Writes a message as JSON, in characters that every queue keeps. */
export function messageBody(message: DeliveryMessage): string {
  const { event } = message;
  const written = isEntryEvent(event) ? { ...event, entry: toAttributes(ENTRY_FIELDS, event.entry) } : event;
  const json = JSON.stringify({ ...message, event: written });
  return json.replace(NONCHARACTERS, (character) => `\\u${character.charCodeAt(0).toString(16)}`);
}

/** Parses what `messageBody` wrote. Throws `SyntaxError`, `RangeError` or `MalformedItem` for anything else. */
export function parseMessage(body: string): DeliveryMessage {
  const item = record(JSON.parse(body)) ?? {};
  const postponedSince = optional(item, 'postponedSince', number);
  return {
    program: required(item, 'program', text),
    webhook: required(item, 'webhook', text),
    event: parseEvent(required(item, 'event', record)),
    advocateId: required(item, 'advocateId', nullOr(text)),
    attempt: required(item, 'attempt', number),
    due: milliseconds(required(item, 'due', number)),
    ...(postponedSince !== null && { postponedSince: milliseconds(postponedSince) }),
  };
}

function parseEvent(item: Item): WebhookEvent {
  const entry = optional(item, 'entry', record);
  if (entry) return parseEntryEvent(item, entry);
  return item['applicationId'] === undefined ? parseReferralEvent(item) : parseApplicationEvent(item);
}

function parseEntryEvent(item: Item, entry: Item): EntryEvent {
  return {
    id: required(item, 'id', text),
    type: required(item, 'type', oneOf(ENTRY_EVENT_TYPES)),
    setAt: required(item, 'setAt', wholeSeconds),
    entry: parseFields(ENTRY_FIELDS, entry),
  };
}

function parseApplicationEvent(item: Item): ApplicationEvent {
  return {
    id: required(item, 'id', text),
    type: required(item, 'type', oneOf(APPLICATION_EVENT_TYPES)),
    setAt: required(item, 'setAt', wholeSeconds),
    applicationId: required(item, 'applicationId', text),
    slug: required(item, 'slug', nullOr(text)),
  };
}

function parseReferralEvent(item: Item): ReferralEvent {
  return {
    id: required(item, 'id', text),
    type: required(item, 'type', oneOf(REFERRAL_EVENT_TYPES)),
    setAt: required(item, 'setAt', wholeSeconds),
    referralId: required(item, 'referralId', text),
    state: required(item, 'state', oneOf(STATES)),
    previousState: required(item, 'previousState', oneOf([...STATES, null])),
    stateSetAt: required(item, 'stateSetAt', wholeSeconds),
    by: required(item, 'by', oneOf(ACTORS)),
    move: required(item, 'move', nullOr(parseMove)),
    createdAt: required(item, 'createdAt', wholeSeconds),
    subId: required(item, 'subId', nullOr(text)),
    affiliateSlug: required(item, 'affiliateSlug', text),
    commission: optional(item, 'commission', nullOr(parseCommission)),
  };
}

function parseMove(value: unknown): ReferralEvent['move'] | undefined {
  const move = record(value);
  return move && { from: required(move, 'from', text), to: required(move, 'to', text) };
}

function parseCommission(value: unknown): ReferralEvent['commission'] | undefined {
  const commission = record(value);
  return (
    commission && {
      commissionPercentage: required(commission, 'commissionPercentage', nullOr(number)),
      commissionEndDate: required(commission, 'commissionEndDate', nullOr(wholeSeconds)),
    }
  );
}

/** A parser that also accepts `null`. */
const nullOr =
  <Value>(parse: (value: unknown) => Value | undefined) =>
  (value: unknown): Value | null | undefined =>
    value === null ? null : parse(value);
