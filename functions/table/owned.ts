import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Milliseconds } from '../domain/time.ts';
import { batchGet } from './batch.ts';
import type { Item } from './item.ts';
import { keyOf } from './keys.ts';
import { INDEXES, type IndexName, PARTITION_KEY, SORT_KEY } from './schema.ts';
import type { Table } from './table.ts';

const BATCH = 100;

/** All items of one owner in full, newest first: the operator's lists. */
export async function readOwned(table: Table, owner: string, deadline: Milliseconds): Promise<Item[]> {
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const command = new QueryCommand({
      TableName: table.name,
      IndexName: 'by_created_at' satisfies IndexName,
      KeyConditionExpression: '#partition = :owner',
      ExpressionAttributeNames: {
        '#partition': INDEXES.by_created_at.partitionKey,
        '#pk': PARTITION_KEY,
        '#sk': SORT_KEY,
      },
      ExpressionAttributeValues: { ':owner': owner },
      ProjectionExpression: '#pk, #sk',
      ScanIndexForward: false,
      Limit: BATCH,
      ExclusiveStartKey: start,
    });
    const answer = await table.ask(deadline, (within) => table.client.send(command, within));
    const full = await batchGet(table, (answer.Items ?? []).map(keyOf), deadline);
    items.push(...full.filter((item) => item !== undefined));
    start = answer.LastEvaluatedKey;
  } while (start);
  return items;
}
