import { describe, expect, test } from '@jest/globals';
import { type Cause, STATES, type State } from '../../../functions/domain/state.ts';
import { transitionCondition } from '../../../functions/table/conditions.ts';

/** By hand, what an item must be so that a cause may bring it into a state. */
const CONDITIONS: [cause: Cause, to: State, from: State | null | undefined, condition: string][] = [
  ['click', 'clicked', undefined, 'attribute_not_exists(pk)'],
  ['click', 'clicked', null, 'attribute_not_exists(pk)'],
  ['conversion', 'converted', undefined, 'attribute_not_exists(pk) OR #state IN (:clicked)'],
  ['conversion', 'converted', null, 'attribute_not_exists(pk)'],
  ['conversion', 'converted', 'clicked', '#state IN (:clicked)'],
  ['setting', 'paid', undefined, '#state IN (:converted, :churned)'],
  ['setting', 'paid', 'churned', '#state IN (:churned)'],
  ['setting', 'churned', undefined, '#state IN (:converted, :paid)'],
  ['setting', 'rejected', undefined, '#state IN (:clicked, :converted, :paid, :churned)'],
  ['setting', 'converted', undefined, '(#state IN (:rejected)) AND attribute_exists(converted_at)'],
];

describe('the condition under which', () => {
  test.each(CONDITIONS)('a %s makes an item %s, from %p', (cause, to, from, expression) => {
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
  });

  test('there is none where no way leads: nothing is ever written there', () => {
    const open = new Set(CONDITIONS.map(([cause, to]) => `${cause} ${to}`));
    const closed = (['click', 'conversion', 'setting'] as const).flatMap((cause) =>
      STATES.filter((to) => !open.has(`${cause} ${to}`)).map((to) => [cause, to] as const),
    );
    expect(closed).toHaveLength(9);
    for (const [cause, to] of closed) expect(() => transitionCondition(cause, to)).toThrow(/No .* leads/);
    expect(() => transitionCondition('setting', 'paid', 'rejected')).toThrow(/No setting leads/);
    expect(() => transitionCondition('setting', 'rejected', null)).toThrow(/No setting leads/);
  });
});
