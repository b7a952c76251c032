import { type Cause, type State, transitionTo } from '../domain/state.ts';

/** The condition of a write, as DynamoDB takes it. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

/** The condition of an item that must be new. */
export const NOT_EXISTS: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

/**
 * The condition under which `cause` may bring a referral's item into a state: made of the domain's transitions, so that
 * the table cannot let in what the rules refuse. `from` leaves of several ways only that from one state.
 */
export function transitionCondition(cause: Cause, to: State, from?: State | null): Condition {
  const transition = transitionTo(cause, to);
  const open = (transition?.from ?? []).filter((state) => from === undefined || state === from);
  const states = open.filter((state) => state !== null);
  const ways = [
    ...(open.includes(null) ? [NOT_EXISTS.ConditionExpression] : []),
    ...(states.length > 0 ? [`#state IN (${states.map((state) => `:${state}`).join(', ')})`] : []),
  ];
  if (ways.length === 0) throw new Error(`No ${cause} leads into the state ${to} from there.`);
  const way = ways.join(' OR ');
  if (states.length === 0) return { ConditionExpression: way };
  return {
    ConditionExpression: transition?.restores ? `(${way}) AND attribute_exists(converted_at)` : way,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: Object.fromEntries(states.map((state) => [`:${state}`, state])),
  };
}

/** The condition of an item that must be there. */
export const EXISTS: Condition = { ConditionExpression: 'attribute_exists(pk)' };

/** The condition of an item that is gone, or has one of the values in an attribute. */
export function notExistsOrSame(attribute: string, ...values: readonly string[]): Condition {
  const placeholders = values.map((_, index) => `:value${index}`);
  return {
    ConditionExpression: `${NOT_EXISTS.ConditionExpression} OR #attribute IN (${placeholders.join(', ')})`,
    ExpressionAttributeNames: { '#attribute': attribute },
    ExpressionAttributeValues: Object.fromEntries(values.map((value, index) => [`:value${index}`, value])),
  };
}
