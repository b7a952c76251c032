import { describe, expect, test } from '@jest/globals';
import { convertClick, type Referral } from '../../../../functions/domain/referral/referral.ts';
import { erasePerson, setState } from '../../../../functions/domain/referral/referral-changes.ts';
import { seconds } from '../../../../functions/domain/time.ts';
import { SITUATIONS } from '../../../support/transitions.ts';
import { CLICK_ID, NOW } from '../../samples.ts';
import { aClick, aConversion, CONVERSION, LATER, referralIn } from './situations.ts';

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

  test('setting a state keeps the expiry of a rejected click, and the conversion of a restored referral', () => {
    const click = aClick();
    expect(setState(click, 'rejected', 'merchant', LATER)).toMatchObject({
      expiresAt: click.expiresAt,
      convertedAt: null,
    });
    const { convertedAt, commissionEndDate } = aConversion();
    const restored = setState(referralIn('rejected'), 'converted', 'merchant', LATER);
    expect(restored).toMatchObject({ convertedAt, commissionEndDate, stateSetAt: LATER });
  });

  test.each(['merchant', 'page'] as const)('setting a state records that a conversion came from the %s', (actor) => {
    const converted = convertClick(aClick(), { ...CONVERSION, actor, now: LATER });
    expect(converted).toMatchObject({
      id: CLICK_ID,
      idempotencyRecord: 'a-record',
      convertedAt: LATER,
      version: 2,
    });
    expect(converted.history).toEqual([
      { type: 'state', state: 'clicked', setAt: NOW, by: 'visitor' },
      { type: 'state', state: 'converted', setAt: LATER, by: actor },
    ]);
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

  test.each(['email', 'customerUid', 'idempotencyRecord'] as const)(
    'an erasure removes %s even if nothing else is left to remove',
    (field) => {
      const noPerson = { email: null, customerUid: null, idempotencyRecord: null };
      const left: Referral = { ...aConversion(), ...noPerson, [field]: 'something' };
      expect(erasePerson(left, 'merchant', LATER)).toMatchObject(noPerson);
    },
  );

  test('an erasure returns the same object for a click and for an erased referral', () => {
    const click = aClick();
    expect(erasePerson(click, 'merchant', LATER)).toBe(click);
    const erased = erasePerson(aConversion(), 'merchant', LATER);
    expect(erasePerson(erased, 'merchant', seconds(LATER + 1))).toBe(erased);
  });
});
