import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { RequestRefused } from '../domain/errors.ts';
import type { Random } from '../domain/ids.ts';
import type { Condition } from './conditions.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import type { Attempt, Request, Table } from './table.ts';

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

/** Puts one item. Returns `undefined` if it is written, else the failed condition. Waits for transactions that hold it. */
export function put(table: Table, item: Item, condition: Condition): Promise<FailedCondition | undefined> {
  const request: Request<unknown> = ({ client, tableName }, options) =>
    client.send(new PutCommand({ TableName: tableName, Item: item, ...reporting(condition) }), options);
  return write(table, request, undefined, outcomesOfWrite());
}

/** Updates one item under a condition. Returns as `put` does. */
export function update(
  table: Table,
  key: Key,
  change: Update,
  condition: Condition,
): Promise<FailedCondition | undefined> {
  const request: Request<unknown> = ({ client, tableName }, options) =>
    client.send(new UpdateCommand({ TableName: tableName, Key: key, ...updating(change, condition) }), options);
  return write(table, request, undefined, outcomesOfWrite());
}

/**
 * Writes all or none. Returns an empty map if all are written, else the items whose conditions failed. Waits for
 * conflicting transactions. A caller that may send the same writes again passes one `token` to all calls.
 */
export function transact<Name>(
  table: Table,
  writes: readonly LabelledWrite<Name>[],
  token = requestToken(table.random),
): Promise<FailedConditions<Name>> {
  const request: Request<unknown> = ({ client, tableName }, options) => {
    const TransactItems = writes.map((labelled) => inTable(tableName, labelled.write));
    // One token over all attempts: an attempt whose response was lost does not conflict with the next one.
    return client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken: token }), options);
  };
  return write(table, request, new Map(), (error) => outcomeOfTransaction(error, writes));
}

/** Sends a write until it is done or `outcomeOf` evaluates its failure as final. */
function write<Result>(
  table: Table,
  request: Request<unknown>,
  done: Result,
  outcomeOf: (error: unknown) => Attempt<Result>,
): Promise<Result> {
  return table.retryOnConflict<Result>(async () => {
    try {
      await table.send(request);
      return { result: done };
    } catch (error) {
      return outcomeOf(error);
    }
  });
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
function reporting(condition: Condition): Reporting {
  return { ...condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
}

/** Joins an update and its condition: both may have values. */
function updating(update: Update, condition: Condition): Reporting & Update {
  const values = { ...update.ExpressionAttributeValues, ...condition.ExpressionAttributeValues };
  return {
    ...update,
    ...reporting(condition),
    // DynamoDB rejects an empty map.
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

/** Adds the table's name to a write of a transaction. */
function inTable(TableName: string, write: Write) {
  if ('Put' in write) return { Put: { TableName, ...write.Put } };
  if ('Update' in write) return { Update: { TableName, ...write.Update } };
  return { Delete: { TableName, ...write.Delete } };
}

/** Returns a new token by which DynamoDB recognizes a transaction that is sent again. */
export function requestToken(random: Random): string {
  return Buffer.from(random(16)).toString('hex');
}

/** Reasons that do not depend on the transaction itself: the same transaction may succeed a moment later. */
const TRANSIENT_REASONS = new Set<string | undefined>([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/** Returns the evaluation of the errors of one put or update: its condition failed, or a transaction holds the item. */
function outcomesOfWrite(): (error: unknown) => Attempt<FailedCondition | undefined> {
  let isRepeated = false;
  return (error) => {
    const isConflict = error instanceof TransactionConflictException;
    if (!isConflict && !(error instanceof ConditionalCheckFailedException)) throw error;
    // The SDK counts its own attempts from one again with every call.
    isRepeated ||= (error.$metadata.attempts ?? 1) > 1;
    if (isConflict) return { conflict: error };
    // The document client leaves the item of an exception in DynamoDB's own format.
    return { result: { item: error.Item && unmarshall(error.Item), isRepeated } };
  };
}

/** Evaluates the error of a transaction. Throws it if neither a condition nor a conflict is the reason. */
function outcomeOfTransaction<Name>(
  error: unknown,
  writes: readonly LabelledWrite<Name>[],
): Attempt<FailedConditions<Name>> {
  if (!(error instanceof TransactionCanceledException)) throw error;
  const reasons = error.CancellationReasons ?? [];
  // A condition that failed beside a conflict decides nothing yet: the conflicting transaction may be this very request,
  // sent twice, of which only a part is visible.
  if (reasons.some(({ Code }) => TRANSIENT_REASONS.has(Code))) return { conflict: error };
  const failed = new Map<Name, Item>();
  // The reasons are in the order of the writes.
  for (const [index, { name }] of writes.entries()) {
    const reason = reasons[index];
    if (reason?.Code === 'ConditionalCheckFailed') failed.set(name, unmarshall(reason.Item ?? {}));
  }
  if (failed.size === 0) throw new RequestRefused(error, error.name);
  return { result: failed };
}
