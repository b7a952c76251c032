import { EXPIRY_ATTRIBUTE } from '../../functions/table/schema.ts';
import type { FakeTable } from './fake/table.ts';
import type { World } from './world.ts';

/** The longest time between two runs, in milliseconds, and the share of the due items that a run deletes. */
const INTERVAL = 60_000;
const SHARE = 0.5;

/**
 * Deletes items some time after they are due, as DynamoDB does
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/TTL.html).
 */
export async function expire(world: World, table: FakeTable, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await world.pause(world.chance.below(INTERVAL));
    const now = Math.floor(world.now() / 1000);
    const due = [...table.items.values()].filter((item) => Number(item[EXPIRY_ATTRIBUTE]) < now);
    for (const { pk, sk } of due) {
      if (!world.chance.happens(SHARE)) continue;
      table.write([
        {
          Key: { pk, sk },
          ConditionExpression: `${EXPIRY_ATTRIBUTE} < :now`,
          ExpressionAttributeValues: { ':now': now },
        },
      ]);
    }
  }
}
