import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Program } from '../../../functions/domain/program.ts';
import type { Referral } from '../../../functions/domain/referral.ts';
import { seconds } from '../../../functions/domain/time.ts';
import type { Item } from '../../../functions/table/item.ts';
import { referralKey, sortKey } from '../../../functions/table/keys.ts';
import { newId } from '../program.ts';
import { inParallel, itemAt, type TestTable } from '../table.ts';

const BATCH = 25;
type Requests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

/**
 * Adds rows to an advocate's lists, faster than one transaction for each would. They have the shape that the code
 * writes because they are copies of a row that it wrote: `sample` is read back, and each copy has its own id and second
 * of creation, one after the other from the sample's on, with the keys that follow from them. Only the claims of the
 * customers are missing, which no list reads.
 */
export async function addCopies(
  table: TestTable,
  program: Program,
  sample: Referral,
  numbers: { from: number; to: number },
): Promise<void> {
  const original = await itemAt(table, referralKey(program.id, sample.id));
  if (!original) throw new Error('The sample is not stored.');
  const copies: Item[] = [];
  for (let number = numbers.from; number < numbers.to; number += 1) {
    copies.push(copyOf(original, program, seconds(sample.createdAt + number)));
  }
  const batches = Array.from({ length: Math.ceil(copies.length / BATCH) }, (_, index) =>
    copies.slice(index * BATCH, (index + 1) * BATCH),
  );
  const write = async (batch: readonly Item[]) => {
    let rest: Requests = batch.map((item) => ({ PutRequest: { Item: { ...item } } }));
    while (rest.length > 0) {
      const command = new BatchWriteCommand({ RequestItems: { [table.name]: rest } });
      rest = (await table.client.send(command)).UnprocessedItems?.[table.name] ?? [];
    }
  };
  await inParallel(batches, write, 4);
}

function copyOf(original: Item, program: Program, second: Referral['createdAt']): Item {
  const id = newId(second);
  const place = sortKey(second, id);
  return {
    ...original,
    ...referralKey(program.id, id),
    created: place,
    ...(original['state_set'] !== undefined && { state_set: place }),
    created_at: second,
    state_set_at: second,
    updated_at: second,
  };
}
