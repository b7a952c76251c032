import type { Random } from '../domain/ids.ts';
import { type Cause, type State, transitionTo } from '../domain/state.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';

/** The condition of a write, in DynamoDB's terms. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

/** The change that an update makes. */
export interface Update {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

/** A condition that returns the item it was checked against if it fails. */
type Reporting = Condition & { readonly ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };

/** A write of a transaction. Every write has a condition and returns the item that fails it. */
export type Write =
  | { readonly Put: Reporting & { readonly Item: Item } }
  | { readonly Update: Reporting & Update & { readonly Key: Key } }
  | { readonly Delete: Reporting & { readonly Key: Key } };

/** A write of a transaction, and the name under which its failed condition is returned. */
export interface LabelledWrite<Name, Kind extends Write = Write> {
  readonly name: Name;
  readonly write: Kind;
}

/** A put as part of a transaction. */
export type LabelledPut<Name> = LabelledWrite<Name, Extract<Write, { Put: unknown }>>;

/** The condition of a single write did not hold. */
export interface FailedCondition {
  /** The item that the condition was checked against, if it exists. */
  readonly item: Item | undefined;
  /**
   * True if an earlier attempt of the same call was sent. Its response may have been lost after it was carried out, so
   * the item may be the one that this very call wrote.
   */
  readonly isRepeated: boolean;
}

/** The items whose conditions failed, by the names of their writes; an empty item if there was no item. */
export type FailedConditions<Name> = ReadonlyMap<Name, Item>;

/** The condition that the item is new. */
export const NOT_EXISTS: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

/** The condition that the item exists. */
export const EXISTS: Condition = { ConditionExpression: 'attribute_exists(pk)' };

/** The condition that the item does not exist, or has one of the values in an attribute. */
export function notExistsOrSame(attribute: string, ...values: readonly string[]): Condition {
  const placeholders = values.map((_, index) => `:value${index}`);
  return {
    ConditionExpression: `${NOT_EXISTS.ConditionExpression} OR #attribute IN (${placeholders.join(', ')})`,
    ExpressionAttributeNames: { '#attribute': attribute },
    ExpressionAttributeValues: Object.fromEntries(values.map((value, index) => [`:value${index}`, value])),
  };
}

/**
 * The condition under which `cause` may bring a referral's item into a state. It is generated from the domain's
 * transitions, so that the table cannot accept what the rules refuse. `from` limits it to transitions from one state.
 */
export function transitionCondition(cause: Cause, to: State, from?: State | null): Condition {
  const transition = transitionTo(cause, to);
  const open = (transition?.from ?? []).filter((state) => from === undefined || state === from);
  const states = open.filter((state) => state !== null);
  const alternatives = [
    ...(open.includes(null) ? [NOT_EXISTS.ConditionExpression] : []),
    ...(states.length > 0 ? [`#state IN (${states.map((state) => `:${state}`).join(', ')})`] : []),
  ];
  if (alternatives.length === 0) throw new Error(`No ${cause} leads into the state ${to} from there.`);
  const expression = alternatives.join(' OR ');
  if (states.length === 0) return { ConditionExpression: expression };
  return {
    ConditionExpression: transition?.restores ? `(${expression}) AND attribute_exists(converted_at)` : expression,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: Object.fromEntries(states.map((state) => [`:${state}`, state])),
  };
}

/** A conditional put as part of a transaction. */
export function putWrite<Name extends string>(name: Name, item: Item, condition: Condition): LabelledPut<Name> {
  return { name, write: { Put: { Item: item, ...reporting(condition) } } };
}

/** A conditional update as part of a transaction. */
export function updateWrite<Name extends string>(
  name: Name,
  key: Key,
  update: Update,
  condition: Condition,
): LabelledWrite<Name> {
  return { name, write: { Update: { Key: key, ...updating(update, condition) } } };
}

/** A conditional deletion as part of a transaction. */
export function deleteWrite<Name extends string>(name: Name, key: Key, condition: Condition): LabelledWrite<Name> {
  return { name, write: { Delete: { Key: key, ...reporting(condition) } } };
}

/** Adds to a condition that the item it was checked against is returned if it fails. */
export function reporting(condition: Condition): Reporting {
  return { ...condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
}

/** Joins an update and its condition: both may have values. */
export function updating(update: Update, condition: Condition): Reporting & Update {
  const values = { ...update.ExpressionAttributeValues, ...condition.ExpressionAttributeValues };
  return {
    ...update,
    ...reporting(condition),
    // DynamoDB rejects an empty map.
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

/** Adds the table's name to a write of a transaction. */
export function inTable(TableName: string, write: Write) {
  if ('Put' in write) return { Put: { TableName, ...write.Put } };
  if ('Update' in write) return { Update: { TableName, ...write.Update } };
  return { Delete: { TableName, ...write.Delete } };
}

/** Returns a new token by which DynamoDB recognizes a transaction that is sent again. */
export function requestToken(random: Random): string {
  return Buffer.from(random(16)).toString('hex');
}
