import { describe, expect, test } from '@jest/globals';
import { NotConverted } from '../../../functions/kernel/errors.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { newReferral, type Referral } from '../../../functions/referrals/rules/referral.ts';
import { erasePerson, reassign, setState } from '../../../functions/referrals/rules/referral-changes.ts';
import { attributed } from '../../support/conversion.ts';
import { affiliate, NOW, program, REFERRAL_ID } from '../../support/samples.ts';
import { SITUATIONS } from '../../support/transitions.ts';
import { aClick, aConversion, CONVERSION, JOHN, LATER, referralIn } from './situations.ts';

describe('state changes', () => {
  test('setting a state changes state, times, history, version and the first payment, and nothing else', () => {
    const before = aConversion();
    expect(setState(before, 'paid', 'operator', LATER)).toEqual({
      ...before,
      state: 'paid',
      stateSetAt: LATER,
      updatedAt: LATER,
      paidAt: LATER,
      history: [
        { type: 'state', state: 'converted', setAt: NOW, by: 'merchant' },
        { type: 'state', state: 'paid', setAt: LATER, by: 'operator' },
      ],
      version: 2,
    });
  });

  test('setting a state never precedes the last change, even if another clock is behind', () => {
    const behind = seconds(NOW - 5);
    const paid = setState(aConversion(), 'paid', 'merchant', behind);
    expect(paid).toMatchObject({ stateSetAt: NOW, updatedAt: NOW });
    expect(paid.history.at(-1)).toEqual({ type: 'state', state: 'paid', setAt: NOW, by: 'merchant' });
    const erased = erasePerson(setState(aConversion(), 'paid', 'merchant', LATER), 'merchant', NOW);
    expect(setState(erased, 'churned', 'merchant', NOW).stateSetAt).toBe(LATER);
  });

  test('setting a state keeps the last 100 entries of the history', () => {
    let referral = aConversion();
    const times = Array.from({ length: 150 }, (_, index) => seconds(NOW + index + 1));
    for (const [index, time] of times.entries()) {
      referral = setState(referral, index % 2 ? 'churned' : 'paid', 'merchant', time);
      expect(referral.history).toHaveLength(Math.min(index + 2, 100));
      expect(referral.version).toBe(index + 2);
    }
    expect(referral.history.map(({ setAt }) => setAt)).toEqual(times.slice(-100));
  });
});

describe('erasures', () => {
  test.each(SITUATIONS.filter((situation) => !/click/.test(situation)))(
    'an erasure removes email, uid, flags and idempotency record of a %s referral, and nothing else',
    (situation) => {
      const before: Referral = { ...referralIn(situation), flags: ['self_referral'] };
      expect(erasePerson(before, 'merchant', LATER)).toEqual({
        ...before,
        email: null,
        customerUid: null,
        flags: [],
        idempotencyRecord: null,
        updatedAt: LATER,
        history: [...before.history, { type: 'erasure', setAt: LATER, by: 'merchant' }],
        version: before.version + 1,
      });
    },
  );

  test('an erasure returns the same object for a click and for an erased referral', () => {
    const click = aClick();
    expect(erasePerson(click, 'merchant', LATER)).toBe(click);
    const erased = erasePerson(aConversion(), 'merchant', LATER);
    const known = { ...erased, provider: { customers: ['a claim'], latest: null, silentWrites: 0 } };
    expect(erasePerson(known, 'merchant', LATER).provider?.customers).toEqual([]);
    expect(erasePerson(erased, 'merchant', seconds(LATER + 1))).toBe(erased);
  });
});

const MOVE = { ...attributed(program, JOHN), actor: 'merchant', now: LATER } as const;

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

  test('a move removes the flag if the customer is not the new advocate', () => {
    const own = newReferral(REFERRAL_ID, { ...CONVERSION, target: { ...affiliate, email: 'a@example.com' } });
    expect(own.flags).toEqual(['self_referral']);
    const other = { ...JOHN, email: 'john@example.com' };
    expect(reassign(own, { ...MOVE, target: other }).flags).toEqual([]);
    expect(reassign(own, { ...MOVE, target: { ...other, uid: 'customer-1' } }).flags).toEqual(['self_referral']);
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
});
