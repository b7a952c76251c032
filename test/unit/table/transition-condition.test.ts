import { describe, expect, test } from '@jest/globals';
import { type Cause, STATES, type State } from '../../../functions/domain/referral/state.ts';
import {
  isFulfilled,
  notExistsOrSame,
  transitionCondition,
  unchangedSince,
} from '../../../functions/table/dynamodb/conditions.ts';

/** Written by hand: the condition of each transition. `from` narrows it to one state, or to a new item (`null`). */
const CONDITIONS: [cause: Cause, to: State, from: State | null | undefined, condition: string][] = [
  ['click', 'clicked', undefined, 'attribute_not_exists(pk)'],
  ['click', 'clicked', null, 'attribute_not_exists(pk)'],
  ['conversion', 'converted', undefined, 'attribute_not_exists(pk) OR #state IN (:clicked)'],
  ['conversion', 'converted', null, 'attribute_not_exists(pk)'],
  ['conversion', 'converted', 'clicked', '#state IN (:clicked)'],
  ['update', 'paid', undefined, '#state IN (:converted, :churned)'],
  ['update', 'paid', 'churned', '#state IN (:churned)'],
  ['update', 'churned', undefined, '#state IN (:converted, :paid)'],
  ['update', 'rejected', undefined, '#state IN (:clicked, :converted, :paid, :churned)'],
  ['update', 'converted', undefined, '(#state IN (:rejected)) AND attribute_exists(converted_at)'],
];

describe('the condition of a transition', () => {
  test.each(CONDITIONS)(
    'a transition by a %s to %s, from %p, has the expected condition',
    (cause, to, from, expression) => {
      const condition = transitionCondition(cause, to, from);
      expect(condition.ConditionExpression).toBe(expression);
      const states = [...expression.matchAll(/:(\w+)/g)].map(([, state]) => state);
      if (states.length === 0) {
        expect(Object.keys(condition)).toEqual(['ConditionExpression']);
        return;
      }
      expect(condition.ExpressionAttributeNames).toEqual({ '#state': 'state' });
      expect(condition.ExpressionAttributeValues).toEqual(
        Object.fromEntries(states.map((state) => [`:${state}`, state])),
      );
    },
  );

  test('no condition exists without a transition: building it throws', () => {
    const open = new Set(CONDITIONS.map(([cause, to]) => `${cause} ${to}`));
    const closed = (['click', 'conversion', 'update'] as const).flatMap((cause) =>
      STATES.filter((to) => !open.has(`${cause} ${to}`)).map((to) => [cause, to] as const),
    );
    expect(closed).toHaveLength(9);
    for (const [cause, to] of closed) expect(() => transitionCondition(cause, to)).toThrow(/No .* leads/);
    expect(() => transitionCondition('update', 'paid', 'rejected')).toThrow(/No update leads/);
    expect(() => transitionCondition('update', 'rejected', null)).toThrow(/No update leads/);
  });
});

test('a condition on an attribute holds without the item only if it says so', () => {
  expect(isFulfilled(unchangedSince({ version: 1 }), undefined)).toBe(false);
  expect(isFulfilled(unchangedSince({ version: 1 }), { version: 2 })).toBe(false);
  expect(isFulfilled(notExistsOrSame('referral', '1'), undefined)).toBe(true);
});
