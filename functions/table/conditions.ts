import { type Cause, type State, transitionTo } from '../domain/state.ts';

/** The condition of a write, as DynamoDB takes it. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

/** The condition of an item that must be new. */
export const ABSENT: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

/**
 * The condition under which `cause` may bring a referral's item into a state: made of the domain's transitions, so that
 * the table cannot let in what the rules refuse. `from` leaves of several ways only that from one state.
 */
export function transitionCondition(cause: Cause, to: State, from?: State | null): Condition {
  const transition = transitionTo(cause, to);
  const open = (transition?.from ?? []).filter((state) => from === undefined || state === from);
  const states = open.filter((state) => state !== null);
  const ways = [
    ...(open.includes(null) ? [ABSENT.ConditionExpression] : []),
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

/** The condition of an item that must be new, or this very one: the SDK repeats a put whose answer was lost. */
export const absentOrOwn = (created: string): Condition => ({
  ConditionExpression: 'attribute_not_exists(pk) OR created = :created',
  ExpressionAttributeValues: { ':created': created },
});
