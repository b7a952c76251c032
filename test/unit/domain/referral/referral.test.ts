import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  convertClick,
  isConvertible,
  isErased,
  newClick,
  newReferral,
  type Referral,
} from '../../../../functions/domain/referral/referral.ts';
import { NO_VALUES } from '../../../../functions/domain/referral/referral-fields.ts';
import { STATES } from '../../../../functions/domain/referral/state.ts';
import { DAY, LAST_SECOND, type Seconds, seconds } from '../../../../functions/domain/time.ts';
import { conversionOf } from '../../../support/conversion.ts';
import { affiliate, CLICK_ID, NOW, program, REFERRAL_ID } from '../../samples.ts';

const conversion = { program, target: affiliate, ...conversionOf({ email: 'a@example.com' }), now: NOW };
const plus = (second: Seconds, more: number) => seconds(second + more);
const click = (subId: string | null = null, now = NOW) => newClick(program, affiliate, { id: CLICK_ID, subId }, now);

const isInOrder = ({ createdAt, stateSetAt, updatedAt }: Referral) =>
  createdAt <= stateSetAt && stateSetAt <= updatedAt;

describe('clicks', () => {
  test('a click is a referral in the state clicked, without a customer, that expires after the window', () => {
    expect(click('spring')).toEqual({
      ...NO_VALUES,
      id: CLICK_ID,
      advocateSlug: 'jane-doe',
      state: 'clicked',
      stateSetAt: NOW,
      createdAt: NOW,
      updatedAt: NOW,
      subId: 'spring',
      commissionPercentage: 20,
      expiresAt: NOW + 90 * DAY,
      history: [{ type: 'state', state: 'clicked', setAt: NOW, by: 'visitor' }],
      stripe: null,
      version: 1,
    });
  });

  test('a click has no email and no uid, but nobody was erased', () => {
    expect(isErased(click())).toBe(false);
  });

  test('a click expires at the last valid second at the latest', () => {
    expect(click(null, seconds(LAST_SECOND)).expiresAt).toBe(LAST_SECOND);
  });
});

describe('referrals without a click', () => {
  test('a referral without a click is converted from the start and never expires', () => {
    const fields = conversionOf({ email: 'a@example.com', subId: 'spring' });
    const referral = newReferral(REFERRAL_ID, { ...conversion, ...fields });
    expect(referral).toEqual({
      ...NO_VALUES,
      id: REFERRAL_ID,
      advocateSlug: 'jane-doe',
      email: 'a@example.com',
      state: 'converted',
      stateSetAt: NOW,
      createdAt: NOW,
      updatedAt: NOW,
      subId: 'spring',
      commissionPercentage: 20,
      commissionEndDate: Date.parse('2027-05-28T20:26:40Z') / 1000,
      convertedAt: NOW,
      history: [{ type: 'state', state: 'converted', setAt: NOW, by: 'merchant' }],
      stripe: null,
      version: 1,
    });
  });
});

describe('the commission', () => {
  test.each([
    [15, 20, 15],
    [0, 20, 0],
    [null, 20, 20],
    [null, 0, 0],
    [null, null, null],
    [15, null, 15],
  ])('an advocate with the rate %p in a program with the rate %p has the rate %p', (own, programs, rate) => {
    const rated = { ...program, commissionPercentage: programs };
    const person = { ...affiliate, commissionPercentage: own };
    expect(newClick(rated, person, { id: CLICK_ID, subId: null }, NOW).commissionPercentage).toBe(rate);
    const referral = newReferral(REFERRAL_ID, { ...conversion, program: rated, target: person });
    expect(referral.commissionPercentage).toBe(rate);
  });

  test('the commission never ends in a program without months', () => {
    const endless = { ...conversion, program: { ...program, commissionMonths: null } };
    expect(newReferral(REFERRAL_ID, endless).commissionEndDate).toBeNull();
    expect(convertClick(click(), endless).commissionEndDate).toBeNull();
  });

  test('the commission ends a number of calendar months after the conversion, not after the click', () => {
    const january = seconds(Date.parse('2026-01-31T12:00:00Z') / 1000);
    const monthly = { ...program, commissionMonths: 1 };
    const converted = convertClick(click(null, plus(january, -40 * DAY)), {
      ...conversion,
      program: monthly,
      now: january,
    });
    expect(converted.commissionEndDate).toBe(Date.parse('2026-02-28T12:00:00Z') / 1000);
  });
});

describe('clicks that convert', () => {
  test('a converted click keeps its id, creation time and rate, even if the rate of the program changed', () => {
    const dearer = { ...program, commissionPercentage: 50 };
    const later = plus(NOW, DAY);
    const fields = { ...conversion, ...conversionOf({ customerUid: 'c-1' }) };
    expect(convertClick(click(), { ...fields, program: dearer, now: later })).toEqual({
      ...click(),
      email: null,
      customerUid: 'c-1',
      state: 'converted',
      stateSetAt: later,
      updatedAt: later,
      commissionEndDate: Date.parse('2027-05-29T20:26:40Z') / 1000,
      expiresAt: null,
      convertedAt: later,
      history: [
        { type: 'state', state: 'clicked', setAt: NOW, by: 'visitor' },
        { type: 'state', state: 'converted', setAt: later, by: 'merchant' },
      ],
      version: 2,
    });
  });

  test.each([
    ['spring', 'summer', 'spring'],
    ['spring', null, 'spring'],
    [null, 'summer', 'summer'],
    [null, null, null],
  ])('a click with the sub id %p and a conversion with %p has %p', (own, given, kept) => {
    const fields = conversionOf({ email: 'a@example.com', subId: given });
    expect(convertClick(click(own), { ...conversion, ...fields }).subId).toBe(kept);
  });

  test('a converted click has created_at <= state_set_at <= updated_at, whatever the clocks say', () => {
    const second = fc.integer({ min: 0, max: 4_000_000_000 }).map(seconds);
    fc.assert(
      fc.property(second, second, (clicked, now) => {
        const converted = convertClick(click(null, clicked), { ...conversion, now });
        expect(isInOrder(converted)).toBe(true);
        expect(converted.createdAt).toBe(clicked);
        expect(converted.stateSetAt).toBe(Math.max(clicked, now));
      }),
    );
  });
});

describe('convertible clicks', () => {
  test('a click is convertible until it expires', () => {
    const end = plus(NOW, 90 * DAY);
    expect(isConvertible(click(), affiliate, plus(end, -1))).toBe(true);
    expect(isConvertible(click(), affiliate, end)).toBe(false);
    expect(isConvertible({ ...click(), expiresAt: null }, affiliate, seconds(LAST_SECOND))).toBe(true);
  });

  test('a click is convertible for its own advocate only', () => {
    expect(isConvertible(click(), { ...affiliate, slug: 'john' }, NOW)).toBe(false);
  });

  test.each(STATES.filter((state) => state !== 'clicked'))('a click is not convertible if it is %s', (state) => {
    expect(isConvertible({ ...click(), state, expiresAt: null }, affiliate, NOW)).toBe(false);
  });
});
