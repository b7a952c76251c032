import type { Key } from './keys.ts';
import { type EvaluableCondition, type Increment, type LabelledWrite, withCondition } from './writes.ts';

/** An increment in a transaction. */
export interface LabelledIncrement<Name>
  extends LabelledWrite<Name, { readonly Update: Increment & { readonly Key: Key } }> {
  readonly numbers: Readonly<Record<string, number>>;
  readonly condition: EvaluableCondition | undefined;
}

/**
 * Builds an update of a transaction that adds to numbers. A missing number counts as 0. Another write of the transaction
 * must have a condition that fails in a repetition. The increment itself may also have one.
 */
export function incrementWrite<Name>(
  name: Name,
  key: Key,
  numbers: Readonly<Record<string, number>>,
  condition?: EvaluableCondition,
): LabelledIncrement<Name> {
  const added = Object.entries(numbers);
  const UpdateExpression = `ADD ${added.map((_, index) => `#n${index} :n${index}`).join(', ')}` as const;
  const names = Object.fromEntries(added.map(([attribute], index) => [`#n${index}`, attribute]));
  const values = Object.fromEntries(added.map(([, number], index) => [`:n${index}`, number]));
  const change = { UpdateExpression, ExpressionAttributeNames: names, ExpressionAttributeValues: values };
  const update = { Key: key, ...change, ...(condition && withCondition(change, condition)) };
  return { name, numbers, condition, write: { Update: update } };
}

/** Joins the increments of the same item, which a transaction must not name twice. */
export function joinIncrements<Name>(
  writes: readonly (LabelledWrite<Name> | LabelledIncrement<Name>)[],
): LabelledWrite<Name>[] {
  const [increments, others] = [writes.filter(isIncrement), writes.filter((write) => !isIncrement(write))];
  const byItem = Map.groupBy(increments, ({ write }) => JSON.stringify(write.Update.Key));
  const joined = [...byItem.values()].flatMap((same) =>
    same.slice(0, 1).map(({ name, write }) => sumOf(name, write.Update.Key, same)),
  );
  return [...others, ...joined];
}

/** Adds increments of one item up to one, with their condition: at most one of them may have one. */
export function sumOf<Name>(
  name: Name,
  key: Key,
  increments: readonly Pick<LabelledIncrement<unknown>, 'numbers' | 'condition'>[],
): LabelledIncrement<Name> {
  const { condition } = increments.find((each) => each.condition) ?? {};
  return incrementWrite(name, key, addedUp(increments), condition);
}

function isIncrement<Name>(write: LabelledWrite<Name> | LabelledIncrement<Name>): write is LabelledIncrement<Name> {
  return 'numbers' in write;
}

/** Returns the sum of each number by name. */
function addedUp(increments: readonly Pick<LabelledIncrement<unknown>, 'numbers'>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, number] of increments.flatMap(({ numbers }) => Object.entries(numbers))) {
    sums[name] = (sums[name] ?? 0) + number;
  }
  return sums;
}
