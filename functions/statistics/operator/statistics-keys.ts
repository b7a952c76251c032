import { addDays, dayOf, monthsIn } from '../../kernel/days.ts';
import { type Key, keyOf, statisticsKey } from '../../kernel/dynamodb/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { batchGet, queryPages, type Table } from '../../kernel/dynamodb/table.ts';
import { secondOf } from '../../kernel/time.ts';

/** Imports may add to every month since then: no stored time is older. */
const FIRST_DAY = '1970-01-01';

/**
 * Returns the keys of all sums of a program, month by month. The last key of a month has the sum of the whole program, by
 * which the month is found: a deletion in this order can be interrupted.
 */
export async function* statisticsKeys(table: Table, program: string): AsyncGenerator<Key[], void> {
  // The clocks of functions differ: a change may count on tomorrow.
  const months = monthsIn({ from: FIRST_DAY, to: addDays(dayOf(secondOf(table.clock())), 1) });
  const ofProgram = months.map((month) => statisticsKey(program, month, null));
  const stored = await batchGet(table, ofProgram);
  for (const key of ofProgram.filter((_, index) => stored[index] !== undefined)) {
    // `ALL` sorts after the sums of all advocates.
    const pages = queryPages(table, {
      KeyConditionExpression: `${PARTITION_KEY} = :pk`,
      ExpressionAttributeValues: { ':pk': key[PARTITION_KEY] },
      ProjectionExpression: `${PARTITION_KEY}, ${SORT_KEY}`,
      ConsistentRead: true,
    });
    for await (const { items } of pages) yield items.map(keyOf);
  }
}
