import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Milliseconds } from '../domain/time.ts';
import { batchGet } from './batch.ts';
import { type Item, required, text } from './item.ts';
import type { Key } from './keys.ts';
import { INDEXES, PARTITION_KEY, SORT_KEY } from './schema.ts';
import type { Table } from './table.ts';

const BATCH = 100;

/** All items of one owner in full, newest first: the operator's lists. */
export async function readOwned(table: Table, owner: string, deadline: Milliseconds): Promise<Item[]> {
  const index = INDEXES.by_created_at;
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const command = new QueryCommand({
      TableName: table.name,
      IndexName: index.name,
      KeyConditionExpression: '#partition = :owner',
      ExpressionAttributeNames: { '#partition': index.partitionKey, '#pk': PARTITION_KEY, '#sk': SORT_KEY },
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

function keyOf(item: Item): Key {
  return { [PARTITION_KEY]: required(item, PARTITION_KEY, text), [SORT_KEY]: required(item, SORT_KEY, text) };
}
