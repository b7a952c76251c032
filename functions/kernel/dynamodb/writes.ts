import {
  ConditionalCheckFailedException,
  type DynamoDBServiceException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { RequestRefused } from '../errors.ts';
import type { Random } from '../ids.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { type Outcome, type Request, retryOnConflict, type Table } from './table.ts';

/** The condition of a write, as parameters of a request to DynamoDB. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
  /** The condition as data, which is not sent to DynamoDB. */
  readonly allowed?: Allowed;
}

/** What a condition allows: that the item is absent, or one of the values in an attribute of the item. */
export interface Allowed {
  readonly absent: boolean;
  readonly attribute: string;
  readonly values: readonly unknown[];
}

/** A condition that a dry run can evaluate. */
export type EvaluableCondition = Condition & { readonly allowed: Allowed };

/** The change of an update, as parameters of a request to DynamoDB. */
export interface Update {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

/** An update without a condition: it only adds to numbers. */
export interface Increment extends Update {
  readonly UpdateExpression: `ADD ${string}`;
  readonly ExpressionAttributeNames: Record<string, string>;
}

/** A condition after whose failure DynamoDB returns the stored item. */
type ReturningCondition = Condition & { readonly ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };

/** DynamoDB's limit of writes in one transaction. */
export const MAX_WRITES = 100;

/** A write in a transaction. Each one has a condition, except increments, which depend on the others. */
export type Write =
  | { readonly Update: Increment & { readonly Key: Key } }
  | { readonly Put: ReturningCondition & { readonly Item: Item } }
  | { readonly Update: ReturningCondition & Update & { readonly Key: Key } }
  | { readonly Delete: ReturningCondition & { readonly Key: Key } }
  | { readonly ConditionCheck: ReturningCondition & { readonly Key: Key } };

/** A write in a transaction, and the name under which its failed condition is returned. */
export interface LabelledWrite<Name, Kind extends Write = Write> {
  readonly name: Name;
  readonly write: Kind;
}

/** A put in a transaction. */
export interface LabelledPut<Name, Given extends Condition = Condition>
  extends LabelledWrite<Name, Extract<Write, { Put: unknown }>> {
  readonly condition: Given;
}

/** A check in a transaction. */
export interface LabelledCheck<Name, Given extends Condition = Condition>
  extends LabelledWrite<Name, Extract<Write, { ConditionCheck: unknown }>> {
  readonly condition: Given;
}

/** The result of a put or an update whose condition failed. */
export interface FailedCondition {
  /** The stored item; `undefined` if it does not exist. */
  readonly item: Item | undefined;
  /** True if the SDK sent the write more than once. The stored item may come from the first attempt. */
  readonly isRepeated: boolean;
}

/** The stored items that failed their conditions, by the names of the writes; `{}` if there is no item. */
export type FailedConditions<Name> = ReadonlyMap<Name, Item>;

/** Puts one item. Returns the condition if it failed, else `undefined`. Retries while transactions hold the item. */
export function put(table: Table, item: Item, condition: Condition): Promise<FailedCondition | undefined> {
  const request: Request<unknown> = ({ client, tableName }, options) =>
    client.send(new PutCommand({ TableName: tableName, Item: item, ...returnFailedItem(condition) }), options);
  return write(table, request, writeEvaluator());
}

/** Updates one item. Returns the condition if it failed, else `undefined`. Retries as `put` does. */
export function update(
  table: Table,
  key: Key,
  change: Update,
  condition: Condition,
): Promise<FailedCondition | undefined> {
  const request: Request<unknown> = ({ client, tableName }, options) =>
    client.send(new UpdateCommand({ TableName: tableName, Key: key, ...withCondition(change, condition) }), options);
  return write(table, request, writeEvaluator());
}

/**
 * Carries out all writes or none. Returns the failed conditions; an empty map means success. Retries while other
 * transactions conflict. A caller that may send the same writes again passes the same `token`.
 */
export function transact<Name>(
  table: Table,
  writes: readonly LabelledWrite<Name>[],
  token = requestToken(table.random),
): Promise<FailedConditions<Name>> {
  return retryOnConflict(table, () => attemptTransaction(table, writes, token));
}

/**
 * Carries out all writes or none on items that the caller has read. After a conflict, the caller reads again: while it
 * retried, another write would have replaced what it read. Only retries a transaction that may have been carried out.
 */
export async function transactOnRead<Name>(
  table: Table,
  writes: readonly LabelledWrite<Name>[],
): Promise<Outcome<FailedConditions<Name>>> {
  const token = requestToken(table.random);
  const first = await attemptTransaction(table, writes, token);
  if ('result' in first || !first.isRepeated) return first;
  return { result: await transact(table, writes, token) };
}

/** Carries out all writes or none, as `transact` does, but leaves it to the caller to retry after a conflict. */
export function attemptTransaction<Name>(
  table: Table,
  writes: readonly LabelledWrite<Name>[],
  token = requestToken(table.random),
): Promise<Outcome<FailedConditions<Name>>> {
  const request: Request<unknown> = ({ client, tableName }, options) => {
    const TransactItems = writes.map((labelled) => withTableName(tableName, labelled.write));
    // All attempts have one token, so that DynamoDB recognizes an attempt whose response was lost.
    return client.send(new TransactWriteCommand({ TransactItems, ClientRequestToken: token }), options);
  };
  return table.send(request).then(
    () => ({ result: new Map() }),
    (error: unknown) => evaluateTransaction(error, writes),
  );
}

/** Sends a write until it succeeds, or until `evaluate` returns its failure as a result. */
function write(
  table: Table,
  request: Request<unknown>,
  evaluate: (error: unknown) => Outcome<FailedCondition | undefined>,
): Promise<FailedCondition | undefined> {
  return retryOnConflict(table, () => table.send(request).then(() => ({ result: undefined }), evaluate));
}

/** Builds a conditional put of a transaction. */
export function putWrite<Name extends string, Given extends Condition>(
  name: Name,
  item: Item,
  condition: Given,
): LabelledPut<Name, Given> {
  return { name, condition, write: { Put: { Item: item, ...returnFailedItem(condition) } } };
}

/** Builds a conditional update of a transaction. */
export function updateWrite<Name extends string>(
  name: Name,
  key: Key,
  update: Update,
  condition: Condition,
): LabelledWrite<Name> {
  return { name, write: { Update: { Key: key, ...withCondition(update, condition) } } };
}

/** Builds a conditional deletion of a transaction. */
export function deleteWrite<Name extends string>(name: Name, key: Key, condition: Condition): LabelledWrite<Name> {
  return { name, write: { Delete: { Key: key, ...returnFailedItem(condition) } } };
}

/** Builds a check of a transaction, which writes nothing. */
export function checkWrite<Name extends string, Given extends Condition>(
  name: Name,
  key: Key,
  condition: Given,
): LabelledCheck<Name, Given> {
  return { name, condition, write: { ConditionCheck: { Key: key, ...returnFailedItem(condition) } } };
}

/** Makes DynamoDB return the stored item if the condition fails. */
function returnFailedItem({ allowed: _, ...condition }: Condition): ReturningCondition {
  return { ...condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
}

/** Joins an update and its condition. Both may have attribute values. */
export function withCondition<Change extends Update>(
  update: Change,
  condition: Condition,
): ReturningCondition & Change {
  const values = { ...update.ExpressionAttributeValues, ...condition.ExpressionAttributeValues };
  return {
    ...update,
    ...returnFailedItem(condition),
    // DynamoDB rejects an empty map of values.
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

/** Adds the name of the table to a write of a transaction. */
function withTableName(TableName: string, write: Write) {
  if ('Put' in write) return { Put: { TableName, ...write.Put } };
  if ('Update' in write) return { Update: { TableName, ...write.Update } };
  if ('ConditionCheck' in write) return { ConditionCheck: { TableName, ...write.ConditionCheck } };
  return { Delete: { TableName, ...write.Delete } };
}

/** Returns a random token by which DynamoDB recognizes a repeated transaction. */
export function requestToken(random: Random): string {
  return Buffer.from(random(16)).toString('hex');
}

/** Cancellation reasons after which the same transaction may succeed a moment later. */
const TRANSIENT_REASONS = new Set<string | undefined>([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
  'RequestLimitExceeded',
]);

/** True if the SDK sent a write more than once. It counts its attempts from one in every call. */
function isRepeated({ $metadata }: DynamoDBServiceException): boolean {
  return ($metadata.attempts ?? 1) > 1;
}

/** Returns an evaluator of the errors of one put or update: its condition failed, or it conflicts. It throws others. */
function writeEvaluator(): (error: unknown) => Outcome<FailedCondition | undefined> {
  let wasRepeated = false;
  return (error) => {
    const isConflict = error instanceof TransactionConflictException;
    if (!isConflict && !(error instanceof ConditionalCheckFailedException)) throw error;
    wasRepeated ||= isRepeated(error);
    if (isConflict) return { conflict: error };
    // The document client does not unmarshall the items of exceptions.
    return { result: { item: error.Item && unmarshall(error.Item), isRepeated: wasRepeated } };
  };
}

/** Evaluates the error of a transaction: its conditions failed, or it conflicts. Throws other errors. */
function evaluateTransaction<Name>(
  error: unknown,
  writes: readonly LabelledWrite<Name>[],
): Outcome<FailedConditions<Name>> {
  if (!(error instanceof TransactionCanceledException)) throw error;
  const reasons = error.CancellationReasons ?? [];
  // A conflict counts first: our own earlier attempt may still be committing.
  const transient = reasons.find(({ Code }) => TRANSIENT_REASONS.has(Code));
  if (transient) return { conflict: error, reason: transient.Code, isRepeated: isRepeated(error) };
  const failed = new Map<Name, Item>();
  // The reasons are in the order of the writes.
  for (const [index, { name }] of writes.entries()) {
    const reason = reasons[index];
    if (reason?.Code === 'ConditionalCheckFailed') failed.set(name, unmarshall(reason.Item ?? {}));
  }
  if (failed.size === 0) throw new RequestRefused(error, error.name);
  return { result: failed };
}
