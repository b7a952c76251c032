import { BatchWriteCommand, type BatchWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { referralKey, sortKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { newId } from '../program.ts';
import { inParallel, itemAt, type TestTable } from '../table.ts';

const BATCH = 25;
type Requests = NonNullable<BatchWriteCommandInput['RequestItems']>[string];

/**
 * Adds rows to an advocate's lists in batches, which is faster than one transaction per row. The rows are copies of
 * the stored `sample`, so they have the same shape as rows that the code writes. Each copy has its own id, creation
 * time and keys; creation times increase by one second from the sample's. Customer claims are not copied because lists
 * do not read them.
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
  await putItems(table, copies);
}

/** Stores items in batches. */
export async function putItems(table: TestTable, items: readonly Item[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / BATCH) }, (_, index) =>
    items.slice(index * BATCH, (index + 1) * BATCH),
  );
  const write = async (batch: readonly Item[]) => {
    let pending: Requests = batch.map((item) => ({ PutRequest: { Item: { ...item } } }));
    while (pending.length > 0) {
      const command = new BatchWriteCommand({ RequestItems: { [table.name]: pending } });
      pending = (await table.client.send(command)).UnprocessedItems?.[table.name] ?? [];
    }
  };
  await inParallel(batches, write, 4);
}

function copyOf(original: Item, program: Program, second: Referral['createdAt']): Item {
  const id = newId(second);
  const position = sortKey(second, id);
  return {
    ...original,
    ...referralKey(program.id, id),
    created: position,
    ...(original['state_set'] !== undefined && { state_set: position }),
    created_at: second,
    state_set_at: second,
    updated_at: second,
  };
}
