import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NotConverted, StateRefused } from '../../../functions/domain/errors.ts';
import { convertClick, type Referral } from '../../../functions/domain/referral.ts';
import { erasePerson, reassign, setState } from '../../../functions/domain/referral-changes.ts';
import { ACTORS, type Actor, STATES, type State } from '../../../functions/domain/state.ts';
import { type Seconds, seconds } from '../../../functions/domain/time.ts';
import { affiliate, NOW, program } from '../samples.ts';
import { aClick, aConversion, CONVERSION, JOHN } from './situations.ts';

describe('any sequence of changes by different clocks', () => {
  type Step = { readonly to: State | 'erase' | 'convert' | 'move'; readonly by: Actor; readonly now: Seconds };
  const step: fc.Arbitrary<Step> = fc.record({
    to: fc.constantFrom(...STATES, 'erase', 'convert', 'move'),
    by: fc.constantFrom(...ACTORS),
    now: fc.integer({ min: NOW - 100, max: NOW + 100 }).map(seconds),
  });

  function apply(referral: Referral, { to, by, now }: Step): Referral {
    try {
      switch (to) {
        case 'erase':
          return erasePerson(referral, by, now);
        case 'convert':
          if (referral.state !== 'clicked') return referral;
          return convertClick(referral, program, affiliate, { ...CONVERSION, actor: by }, now);
        case 'move':
          return reassign(referral, program, referral.advocateSlug === JOHN.slug ? affiliate : JOHN, by, now);
        default:
          return setState(referral, to, by, now);
      }
    } catch (error) {
      if (error instanceof StateRefused || error instanceof NotConverted) return referral;
      throw error;
    }
  }

  test('keeps created_at <= state_set_at <= updated_at; state_set_at changes only with the state', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(step, { maxLength: 40 }), (isClick, steps) => {
        let before = isClick ? aClick() : aConversion();
        for (const next of steps) {
          const after = apply(before, next);
          expect(after.createdAt).toBe(before.createdAt);
          expect(after.createdAt <= after.stateSetAt && after.stateSetAt <= after.updatedAt).toBe(true);
          expect(after.updatedAt).toBeGreaterThanOrEqual(before.updatedAt);
          const isNew = after.state !== before.state;
          if (!isNew) expect(after.stateSetAt).toBe(before.stateSetAt);
          expect(after.stateSetAt === after.updatedAt || !isNew).toBe(true);
          expect(after.history).toHaveLength(before.history.length + Number(after !== before));
          const changes = after.history.filter((entry) => entry.type === 'state');
          expect(changes.at(-1)).toMatchObject({ state: after.state, setAt: after.stateSetAt });
          expect(after.history.at(-1)?.setAt).toBe(after.updatedAt);
          expect(after.version).toBe(before.version + Number(after !== before));
          const moves = after.history.flatMap((entry) => (entry.type === 'reassignment' ? [entry.to] : []));
          expect(after.advocateSlug).toBe(moves.at(-1) ?? affiliate.slug);
          expect(after.convertedAt === null).toBe(!changes.some(({ state }) => state === 'converted'));
          before = after;
        }
      }),
    );
  });
});
