import { NOT_EXISTS } from '../../kernel/dynamodb/conditions.ts';
import type { Condition } from '../../kernel/dynamodb/writes.ts';
import { type Cause, type State, transitionTo } from '../rules/state.ts';

/**
 * The condition under which `cause` may change a referral's state to `to`. It is derived from the transitions in the
 * rules, so that the table cannot disagree with them. `from` limits it to one previous state; `null` is a new referral.
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
