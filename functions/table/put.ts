import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Milliseconds } from '../domain/time.ts';
import type { Condition } from './conditions.ts';
import { whenFree } from './conflicts.ts';
import type { Item } from './item.ts';
import type { Table } from './table.ts';

/**
 * Puts one item under a condition. Returns `undefined` where it is written, else the exception with what stood in its
 * way. A transaction on the same item is waited for as `transact` does. Throws `Unavailable` when tries or time run out.
 */
export async function putItem(
  table: Table,
  item: Item,
  condition: Condition,
  deadline: Milliseconds,
): Promise<ConditionalCheckFailedException | undefined> {
  const command = new PutCommand({
    TableName: table.name,
    Item: item,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    ...condition,
  });
  return whenFree(table, deadline, async () => {
    try {
      await table.ask(deadline, (within) => table.client.send(command, within));
      return { result: undefined };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return { result: error };
      if (error instanceof TransactionConflictException) return { conflict: error };
      throw error;
    }
  });
}
