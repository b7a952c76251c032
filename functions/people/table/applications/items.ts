import { addressHash } from '../../../kernel/address.ts';
import { NOT_EXISTS, notExistsOrSame, unchangedSince } from '../../../kernel/dynamodb/conditions.ts';
import { type Item, parseFields, required, toAttributes } from '../../../kernel/dynamodb/item.ts';
import {
  APPLICANT,
  applicantKey,
  applicationKey,
  applicationsInState,
  draftKey,
  type Key,
  keyOf,
  sortKey,
} from '../../../kernel/dynamodb/keys.ts';
import { EXPIRY_ATTRIBUTE, SORT_KEY } from '../../../kernel/dynamodb/schema.ts';
import { type Condition, type LabelledWrite, putWrite } from '../../../kernel/dynamodb/writes.ts';
import { number, wholeSeconds } from '../../../kernel/fields/parsers.ts';
import type { Seconds } from '../../../kernel/time.ts';
import { blockedUntil, expiryOf, isKept, rememberedUntil } from '../../rules/applications/application.ts';
import { APPLICATION_FIELDS, type Application } from '../../rules/applications/application-fields.ts';
import type { Budget } from '../../rules/applications/budgets.ts';

/** Something that was read, with its number of writes for optimistic locking; 0 if there is no item. */
export interface Versioned<Value> {
  readonly value: Value | undefined;
  readonly version: number;
}

const versionOf = (item: Item | undefined): number => (item ? required(item, 'version', number) : 0);

/** The condition that nothing was written since it was read. */
export const asRead = ({ version }: Versioned<unknown>): Condition =>
  version === 0 ? NOT_EXISTS : unchangedSince({ version });

/** Parses the item of an application, or of a draft. An expired one counts as absent. */
export function parseApplication(item: Item | undefined, now: Seconds): Versioned<Application> {
  const application = item && parseFields(APPLICATION_FIELDS, item);
  return { value: application && isKept(application, now) ? application : undefined, version: versionOf(item) };
}

/** True if an email was sent to confirm a draft, or will be. */
export const isSent = (item: Item | undefined): boolean => item?.['sent'] === true;

/** Builds the write of what an address sent. The stream makes an email of a new draft with `sent`. */
export function draftWrite(
  program: string,
  application: Application,
  { sent, before }: { readonly sent: boolean; readonly before: Versioned<unknown> },
): LabelledWrite<'draft'> {
  const key = draftKey(program, addressHash(application.email));
  return putWrite('draft', { ...itemOf(key, program, application, before), sent }, asRead(before));
}

/** Builds the write of an application whose address is confirmed. */
export const applicationWrite = (
  program: string,
  application: Application,
  before: Versioned<unknown>,
): LabelledWrite<'application'> =>
  putWrite(
    'application',
    itemOf(applicationKey(program, application.id), program, application, before),
    asRead(before),
  );

function itemOf(key: Key, program: string, application: Application, before: Versioned<unknown>): Item {
  const { id, state, createdAt, confirmedAt, decidedAt } = application;
  const expiry = expiryOf(application);
  return {
    ...key,
    ...toAttributes(APPLICATION_FIELDS, application),
    version: before.version + 1,
    program_state: applicationsInState(program, state),
    state_set: sortKey(decidedAt ?? confirmedAt ?? createdAt, id),
    ...(expiry !== null && { [EXPIRY_ATTRIBUTE]: expiry }),
  };
}

/** The condition that a draft still is the same: nobody has sent another one, or erased it. */
export const sameDraft = ({ id }: Application): Condition => ({
  ConditionExpression: 'id = :id',
  ExpressionAttributeValues: { ':id': id },
});

/** True if an item says that its address may not apply yet: an application is pending, or was rejected. */
export const isBlocking = (item: Item, now: Seconds): boolean =>
  keyOf(item).sk.startsWith(APPLICANT) && required(item, 'blocks_until', number) > now;

/** Builds the write by which an address leads to its application, and which says until when the address may not apply again. */
export function applicantWrite(program: string, application: Application): LabelledWrite<'applicant'> {
  const { id, email } = application;
  const key = applicantKey(program, addressHash(email), id);
  const expiry = rememberedUntil(application);
  const item = {
    ...key,
    blocks_until: blockedUntil(application),
    ...(expiry !== null && { [EXPIRY_ATTRIBUTE]: expiry }),
  };
  return putWrite('applicant', item, notExistsOrSame(SORT_KEY, key[SORT_KEY]));
}

/** Parses the item of a budget. */
export function parseBudget(item: Item | undefined): Versioned<Budget> {
  const endsAt = item && required(item, EXPIRY_ATTRIBUTE, wholeSeconds);
  const value = item && endsAt !== undefined ? { endsAt, count: required(item, 'count', number) } : undefined;
  return { value, version: versionOf(item) };
}

/** Builds the write of a budget. */
export const budgetWrite = <Name extends string>(
  name: Name,
  key: Key,
  { endsAt, count }: Budget,
  before: Versioned<Budget>,
): LabelledWrite<Name> =>
  putWrite(name, { ...key, count, version: before.version + 1, [EXPIRY_ATTRIBUTE]: endsAt }, asRead(before));
