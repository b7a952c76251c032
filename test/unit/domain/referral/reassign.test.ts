import { describe, expect, test } from '@jest/globals';
import { NotConverted } from '../../../../functions/domain/errors.ts';
import { newReferral } from '../../../../functions/domain/referral/referral.ts';
import { erasePerson, reassign, setState } from '../../../../functions/domain/referral/referral-changes.ts';
import { SITUATIONS } from '../../../support/transitions.ts';
import { affiliate, NOW, program, REFERRAL_ID } from '../../samples.ts';
import { aConversion, CONVERSION, JOHN, LATER, referralIn } from './situations.ts';

const MOVE = { program, target: JOHN, actor: 'merchant', now: LATER } as const;

describe('moves of a referral', () => {
  test.each(SITUATIONS.filter((situation) => !/click/.test(situation)))(
    'a move of a referral that is %s changes advocate, rate, flags, updated_at and history',
    (situation) => {
      const before = referralIn(situation);
      expect(reassign(before, { ...MOVE, actor: 'operator' })).toEqual({
        ...before,
        advocateSlug: 'john',
        commissionPercentage: 35,
        flags: ['self_referral'],
        updatedAt: LATER,
        history: [
          ...before.history,
          { type: 'reassignment', from: 'jane-doe', to: 'john', setAt: LATER, by: 'operator' },
        ],
        version: before.version + 1,
      });
    },
  );

  test.each([
    [15, 20, 15],
    [0, 20, 0],
    [null, 20, 20],
    [null, null, null],
  ])('a move to an advocate with the rate %p in a program with the rate %p sets the rate %p', (own, programs, rate) => {
    const rated = { ...program, commissionPercentage: programs };
    const target = { ...JOHN, commissionPercentage: own };
    const moved = reassign(aConversion(), { ...MOVE, program: rated, target });
    expect(moved.commissionPercentage).toBe(rate);
  });

  test('a move removes the flag if the customer is not the new advocate', () => {
    const own = newReferral(REFERRAL_ID, { ...CONVERSION, target: { ...affiliate, email: 'a@example.com' } });
    expect(own.flags).toEqual(['self_referral']);
    const other = { ...JOHN, email: 'john@example.com' };
    expect(reassign(own, { ...MOVE, target: other }).flags).toEqual([]);
    expect(reassign(own, { ...MOVE, target: { ...other, uid: 'customer-1' } }).flags).toEqual(['self_referral']);
  });

  test('a move of an erased person moves the referral without flags', () => {
    const erased = erasePerson(aConversion(), 'merchant', NOW);
    const moved = reassign(erased, { ...MOVE, target: { ...JOHN, uid: null } });
    expect(moved).toMatchObject({ advocateSlug: 'john', email: null, flags: [], version: 3 });
  });

  test('a move to the same advocate returns the same object, even if the rate of the advocate has changed', () => {
    const before = aConversion();
    expect(reassign(before, { ...MOVE, target: { ...affiliate, commissionPercentage: 99 } })).toBe(before);
  });

  test.each(['clicked', 'rejected as a click'] as const)(
    'a move throws NotConverted if the referral is %s',
    (situation) => {
      for (const target of [JOHN, affiliate]) {
        expect(() => reassign(referralIn(situation), { ...MOVE, target })).toThrow(NotConverted);
      }
    },
  );

  test('a move never sets updated_at before the last change', () => {
    const paid = setState(aConversion(), 'paid', 'merchant', LATER);
    const moved = reassign(paid, { ...MOVE, now: NOW });
    expect(moved).toMatchObject({ updatedAt: LATER, stateSetAt: LATER });
    expect(moved.history.at(-1)).toMatchObject({ type: 'reassignment', setAt: LATER });
  });
});
