import { describe, expect, test } from '@jest/globals';
import { ENTRY_TYPES } from '../../../functions/domain/referral/history.ts';
import { ACTORS, STATES } from '../../../functions/domain/referral/state.ts';
import { timelineOf } from '../../../web/demo/history.ts';

const NAMES = new Map([['ada', 'Ada Lovelace']]);
const linesOf = (...history: object[]) =>
  timelineOf(history, (slug) => NAMES.get(slug) ?? slug).map(({ text, actor }) => [text, actor].join(' ').trim());
const state = (name: string, by = 'merchant') => ({ type: 'state', state: name, set_at: 1, by });

describe('timelineOf', () => {
  test('the timeline describes each state, move and erasure in plain words', () => {
    const move = { type: 'reassignment', from: 'ada', to: 'grace', set_at: 6, by: 'operator' };
    expect(
      linesOf(
        state('clicked', 'visitor'),
        state('converted', 'page'),
        state('paid', 'stripe'),
        state('churned'),
        state('rejected', 'operator'),
        state('converted', 'import'),
        move,
        { type: 'erasure', set_at: 7, by: 'merchant' },
      ),
    ).toEqual([
      'Followed the link',
      'Signed up reported by the shop’s page',
      'Paid reported by Stripe',
      'Canceled reported by the shop',
      'Rejected reported by an operator',
      'Restored reported by an import',
      'Moved from Ada Lovelace to grace by an operator',
      'Personal data erased by the shop',
    ]);
  });

  test('a conversion after a rejection is a restoration, even if the referral was moved in between', () => {
    const move = { type: 'reassignment', from: 'ada', to: 'grace', set_at: 2, by: 'merchant' };
    expect(linesOf(state('rejected'), move, state('converted'))[2]).toContain('Restored');
  });

  test('the timeline has words for every kind of entry, state and actor of the service', () => {
    expect([...ENTRY_TYPES].sort()).toEqual(['erasure', 'reassignment', 'state']);
    const texts = STATES.map((name) => timelineOf([state(name)], String)[0]?.text);
    expect(texts.every((text) => /^[A-Z]/.test(text ?? ''))).toBe(true);
    const actors = ACTORS.map((by) => timelineOf([state('paid', by)], String)[0]?.actor);
    expect(new Set(actors).size).toBe(ACTORS.length);
  });

  test('the timeline keeps the time and the state of each entry', () => {
    expect(timelineOf([state('paid')], String)).toEqual([
      { text: 'Paid', actor: 'reported by the shop', setAt: 1, state: 'paid' },
    ]);
  });

  test.each([[undefined], [null], [{}], ['history']])('the timeline of %j is empty', (history) => {
    expect(timelineOf(history, String)).toEqual([]);
  });
});
