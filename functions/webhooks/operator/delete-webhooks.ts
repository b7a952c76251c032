import { deleteAll } from '../../kernel/dynamodb/delete-items.ts';
import { queryWithNew } from '../../kernel/dynamodb/index-pages.ts';
import {
  AFTER_DELIVERIES,
  deliverySortKey,
  type Key,
  keyOf,
  programWebhooks,
  webhookKey,
} from '../../kernel/dynamodb/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { queryPages, type Table } from '../../kernel/dynamodb/table.ts';

/** Returns the keys of all webhooks of a program, also of new ones, which the index may still lack. */
export async function webhookKeys(table: Table, id: string, newWebhooks: readonly string[]): Promise<Key[]> {
  const newKeys = newWebhooks.map((webhook) => webhookKey(id, webhook));
  return (await queryWithNew(table, programWebhooks(id), newKeys)).map(keyOf);
}

/** Deletes all webhooks, each after its deliveries. */
export async function deleteWebhooks(table: Table, program: string): Promise<number> {
  const found = await webhookKeys(table, program, []);
  for (const key of found) {
    const deliveries = queryPages(table, {
      KeyConditionExpression: `${PARTITION_KEY} = :pk AND ${SORT_KEY} BETWEEN :first AND :last`,
      ExpressionAttributeValues: {
        ':pk': key.pk,
        ':first': deliverySortKey(''),
        ':last': AFTER_DELIVERIES,
      },
      ConsistentRead: true,
    });
    for await (const { items } of deliveries) await deleteAll(table, items.map(keyOf));
    await deleteAll(table, [key]);
  }
  return found.length;
}
