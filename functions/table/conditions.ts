import { type Cause, type State, transitionTo } from '../domain/state.ts';

/** The condition of a write, in DynamoDB's terms. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

/** The condition that the item is new. */
export const NOT_EXISTS: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

/** The condition that the item exists. */
export const EXISTS: Condition = { ConditionExpression: 'attribute_exists(pk)' };

/** The condition that the item does not exist, or has one of the values in an attribute. */
export function notExistsOrSame(attribute: string, ...values: readonly string[]): Condition {
  const placeholders = values.map((_, index) => `:value${index}`);
  return {
    ConditionExpression: `${NOT_EXISTS.ConditionExpression} OR #attribute IN (${placeholders.join(', ')})`,
    ExpressionAttributeNames: { '#attribute': attribute },
    ExpressionAttributeValues: Object.fromEntries(values.map((value, index) => [`:value${index}`, value])),
  };
}

/**
 * The condition under which `cause` may bring a referral's item into a state. It is generated from the domain's
 * transitions, so that the table cannot accept what the rules refuse. `from` limits it to transitions from one state.
 */
export function transitionCondition(cause: Cause, to: State, from?: State | null): Condition {
  const transition = transitionTo(cause, to);
  const open = (transition?.from ?? []).filter((state) => from === undefined || state === from);
  const states = open.filter((state) => state !== null);
  const alternatives = [
    ...(open.includes(null) ? [NOT_EXISTS.ConditionExpression] : []),
    ...(states.length > 0 ? [`#state IN (${states.map((state) => `:${state}`).join(', ')})`] : []),
  ];
  if (alternatives.length === 0) throw new Error(`No ${cause} leads into the state ${to} from there.`);
  const expression = alternatives.join(' OR ');
  if (states.length === 0) return { ConditionExpression: expression };
  return {
    ConditionExpression: transition?.restores ? `(${expression}) AND attribute_exists(converted_at)` : expression,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: Object.fromEntries(states.map((state) => [`:${state}`, state])),
  };
}
