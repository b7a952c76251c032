import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Milliseconds } from '../domain/time.ts';
import type { Condition } from './conditions.ts';
import { retryOnConflict } from './conflicts.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import type { Table } from './table.ts';

/** The condition of a write did not hold. */
export interface FailedCondition {
  /** The item that the condition was checked against, if there is one. */
  readonly item: Item | undefined;
  /**
   * True if an earlier attempt of the same call was sent: its response may have been lost after it was carried out, so
   * the item may be the one that this very call wrote.
   */
  readonly isRepeated: boolean;
}

/** The change that an update makes. */
export interface Update {
  readonly UpdateExpression: string;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

/**
 * Puts one item under a condition. Returns `undefined` once it is written, else the condition that failed. Retries while
 * a transaction holds the item, as `transact` does. Throws `Unavailable` if attempts or time run out.
 */
export function putItem(
  table: Table,
  item: Item,
  condition: Condition,
  deadline: Milliseconds,
): Promise<FailedCondition | undefined> {
  const command = new PutCommand({ TableName: table.name, Item: item, ...reporting(condition) });
  return write(table, deadline, (within) => table.client.send(command, within));
}

/** Updates one item under a condition. Returns and throws as `putItem` does. */
export function updateItem(
  table: Table,
  key: Key,
  update: Update,
  condition: Condition,
  deadline: Milliseconds,
): Promise<FailedCondition | undefined> {
  const command = new UpdateCommand({
    TableName: table.name,
    Key: { ...key },
    ...updating(update, condition),
  });
  return write(table, deadline, (within) => table.client.send(command, within));
}

/** A condition that reports the item it was checked against if it fails. */
export function reporting(condition: Condition): Condition & {
  readonly ReturnValuesOnConditionCheckFailure: 'ALL_OLD';
} {
  return { ...condition, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
}

/** An update with its condition: both may have values. */
export function updating(update: Update, condition: Condition) {
  const values = { ...update.ExpressionAttributeValues, ...condition.ExpressionAttributeValues };
  return {
    ...update,
    ...reporting(condition),
    // DynamoDB refuses an empty map.
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

async function write(
  table: Table,
  deadline: Milliseconds,
  send: (within: { abortSignal: AbortSignal }) => Promise<unknown>,
): Promise<FailedCondition | undefined> {
  let isRepeated = false;
  return retryOnConflict(table, deadline, async () => {
    try {
      await table.ask(deadline, send);
      return { result: undefined };
    } catch (error) {
      const isConflict = error instanceof TransactionConflictException;
      if (!isConflict && !(error instanceof ConditionalCheckFailedException)) throw error;
      // The SDK counts its own attempts anew with every call.
      isRepeated ||= (error.$metadata.attempts ?? 1) > 1;
      if (isConflict) return { conflict: error };
      // The document client leaves the item of an exception in DynamoDB's own format.
      return { result: { item: error.Item && unmarshall(error.Item), isRepeated } };
    }
  });
}
