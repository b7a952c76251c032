import { type Cause, type State, transitionTo } from '../../domain/referral/state.ts';
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

/**
 * The condition under which `cause` may change a referral's state to `to`. It is derived from the transitions of the
 * domain, so that table and rules cannot disagree. `from` limits it to one previous state; `null` is a new referral.
 */
export function transitionCondition(cause: Cause, to: State, from?: State | null): Condition {
  const transition = transitionTo(cause, to);
  const sources = (transition?.from ?? []).filter((state) => from === undefined || state === from);
  const states = sources.filter((state) => state !== null);
  const alternatives = [
    ...(sources.includes(null) ? [NOT_EXISTS.ConditionExpression] : []),
    ...(states.length > 0 ? [`#state IN (${states.map((state) => `:${state}`).join(', ')})`] : []),
  ];
  if (alternatives.length === 0) throw new Error(`No ${cause} leads to ${to} from the given state.`);
  const expression = alternatives.join(' OR ');
  if (states.length === 0) return { ConditionExpression: expression };
  return {
    ConditionExpression: transition?.restores ? `(${expression}) AND attribute_exists(converted_at)` : expression,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: Object.fromEntries(states.map((state) => [`:${state}`, state])),
  };
}
