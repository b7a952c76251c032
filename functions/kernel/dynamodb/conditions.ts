import type { Item } from './item.ts';
import type { Allowed, Condition, EvaluableCondition } from './writes.ts';

/** The condition that the item exists. */
export const EXISTS: Condition = { ConditionExpression: 'attribute_exists(pk)' };

/** The condition that the item is new. */
export const NOT_EXISTS: EvaluableCondition = {
  ConditionExpression: 'attribute_not_exists(pk)',
  allowed: { absent: true, attribute: 'pk', values: [] },
};

/** The condition that the item does not exist, or has one of the values in an attribute. */
export function notExistsOrSame(attribute: string, ...values: readonly string[]): EvaluableCondition {
  return conditionOf({ absent: true, attribute, values });
}

/** The condition that the item was not written since it was read. */
export function unchangedSince({ version }: { readonly version: number }): EvaluableCondition {
  return conditionOf({ absent: false, attribute: 'version', values: [version] });
}

function conditionOf(allowed: Allowed): EvaluableCondition {
  const placeholders = allowed.values.map((_, index) => `:value${index}`);
  const isSame = `#attribute IN (${placeholders.join(', ')})`;
  return {
    ConditionExpression: allowed.absent ? `${NOT_EXISTS.ConditionExpression} OR ${isSame}` : isSame,
    ExpressionAttributeNames: { '#attribute': allowed.attribute },
    ExpressionAttributeValues: Object.fromEntries(allowed.values.map((value, index) => [`:value${index}`, value])),
    allowed,
  };
}

/** Returns a condition that two others join. They must not use the same placeholders. */
export function both(one: Condition, other: Condition): Condition {
  return {
    ConditionExpression: `(${one.ConditionExpression}) AND (${other.ConditionExpression})`,
    ExpressionAttributeNames: { ...one.ExpressionAttributeNames, ...other.ExpressionAttributeNames },
    ExpressionAttributeValues: { ...one.ExpressionAttributeValues, ...other.ExpressionAttributeValues },
  };
}

/** Evaluates a condition on an item, which may be missing, as DynamoDB does. */
export function isFulfilled({ allowed }: EvaluableCondition, item: Item | undefined): boolean {
  return item ? allowed.values.includes(item[allowed.attribute]) : allowed.absent;
}
