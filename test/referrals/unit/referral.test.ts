import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AttributionTarget } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { DAY, LAST_SECOND, type Seconds, seconds } from '../../../functions/kernel/time.ts';
import {
  convertClick,
  isConvertible,
  isErased,
  newClick,
  newReferral,
} from '../../../functions/referrals/rules/referral.ts';
import { NO_VALUES } from '../../../functions/referrals/rules/referral-fields.ts';
import { flagsOf } from '../../../functions/referrals/rules/self-referral.ts';
import { STATES } from '../../../functions/referrals/rules/state.ts';
import { attributed, conversionOf } from '../../support/conversion.ts';
import { affiliate, CLICK_ID, NOW, program, REFERRAL_ID } from '../../support/samples.ts';

const conversion = { ...attributed(program, affiliate), ...conversionOf({ email: 'a@example.com' }), now: NOW };
const plus = (second: Seconds, more: number) => seconds(second + more);
const click = (subId: string | null = null, now = NOW) =>
  newClick(program, attributed(program, affiliate), { id: CLICK_ID, subId }, now);

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
      commissionMonths: 12,
      expiresAt: NOW + 90 * DAY,
      history: [{ type: 'state', state: 'clicked', setAt: NOW, by: 'visitor' }],
      provider: null,
      version: 1,
    });
  });

  test('a click has no email and no uid, but nobody was erased', () => {
    expect(isErased(click())).toBe(false);
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
      creditedBy: 'link',
      history: [{ type: 'state', state: 'converted', setAt: NOW, by: 'merchant' }],
      provider: null,
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
    const attribution = attributed(rated, person);
    expect(newClick(rated, attribution, { id: CLICK_ID, subId: null }, NOW).commissionPercentage).toBe(rate);
    const referral = newReferral(REFERRAL_ID, { ...conversion, ...attribution });
    expect(referral.commissionPercentage).toBe(rate);
  });

  test('the commission never ends in a program without months', () => {
    const endless = { ...conversion, ...attributed({ ...program, commissionMonths: null }, affiliate) };
    expect(newReferral(REFERRAL_ID, endless).commissionEndDate).toBeNull();
    expect(convertClick(click(), endless).commissionEndDate).toBeNull();
  });

  test('the commission ends a number of calendar months after the conversion, not after the click', () => {
    const january = seconds(Date.parse('2026-01-31T12:00:00Z') / 1000);
    const monthly = { ...program, commissionMonths: 1 };
    const converted = convertClick(click(null, plus(january, -40 * DAY)), {
      ...conversion,
      ...attributed(monthly, affiliate),
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
    expect(convertClick(click(), { ...fields, ...attributed(dearer, affiliate), now: later })).toEqual({
      ...click(),
      email: null,
      customerUid: 'c-1',
      creditedBy: 'link',
      commissionMonths: null,
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

  test('a converted click keeps its rules, even if the terms of the advocate changed', () => {
    const ruled = { commissionPercentage: null, commissionMonths: null, commissionRulesId: 'a' };
    for (const terms of [
      { ...ruled, commissionRulesId: 'b' },
      { ...ruled, commissionPercentage: 5, commissionRulesId: null },
    ]) {
      const fields = { ...conversion, ...conversionOf({ customerUid: 'c-1' }), target: affiliate, now: NOW };
      expect(convertClick({ ...click(), ...ruled }, { ...fields, terms })).toMatchObject({
        ...ruled,
        commissionEndDate: null,
      });
    }
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
});

describe('convertible clicks', () => {
  test('a click is convertible until it expires', () => {
    const end = plus(NOW, 90 * DAY);
    expect(isConvertible(click(), affiliate, plus(end, -1))).toBe(true);
    expect(isConvertible(click(), affiliate, end)).toBe(false);
    expect(isConvertible({ ...click(), expiresAt: null }, affiliate, seconds(LAST_SECOND))).toBe(true);
  });

  test.each(STATES.filter((state) => state !== 'clicked'))('a click is not convertible if it is %s', (state) => {
    expect(isConvertible({ ...click(), state, expiresAt: null }, affiliate, NOW)).toBe(false);
  });
});

const FLAGGED = ['self_referral'];
const advocate = (email: string, uid: string | null = null): AttributionTarget => ({ ...affiliate, email, uid });

describe('customers with the mailbox of the advocate', () => {
  test.each([
    ['the same email', 'jane@example.com', 'jane@example.com'],
    ['a plus-tag of the customer', 'jane+shop@example.com', 'jane@example.com'],
    ['a plus-tag with another plus', 'jane+a+b@example.com', 'jane@example.com'],
    ['dots, plus-tags and both domains of Gmail', 'ja.ne+shop@googlemail.com', 'j.ane+x.y@gmail.com'],
    ['a local part that starts with a plus', '+x@example.com', '+x@example.com'],
    ['a plus-tag after a leading plus', '+x+shop@example.com', '+x@example.com'],
  ])('a customer with the mailbox of the advocate is flagged: %s', (_, customer, own) => {
    expect(flagsOf({ email: customer, uid: null }, advocate(own))).toEqual(FLAGGED);
  });
});

describe('customers with another mailbox', () => {
  test.each([
    ['another domain', 'jane@example.org', 'jane@example.com'],
    ['dots at other providers', 'j.ane@example.com', 'jane@example.com'],
    ['dots at a domain that only ends like Gmail', 'j.ane@notgmail.com', 'jane@notgmail.com'],
    ['two local parts that start with a plus', '+x@example.com', '+y@example.com'],
  ])('a customer with another mailbox is not flagged: %s', (_, customer, own) => {
    expect(flagsOf({ email: customer, uid: null }, advocate(own))).toEqual([]);
    expect(flagsOf({ email: own, uid: null }, advocate(customer))).toEqual([]);
  });
});

describe('customers with the uid of the advocate', () => {
  test('a customer with the uid of the advocate is flagged, whatever the emails are', () => {
    const target = advocate('jane@example.com', 'Person#1');
    expect(flagsOf({ email: null, uid: 'Person#1' }, target)).toEqual(FLAGGED);
    expect(flagsOf({ email: 'other@shop.example', uid: 'Person#1' }, target)).toEqual(FLAGGED);
    expect(flagsOf({ email: 'jane@example.com', uid: 'Person#1' }, target)).toEqual(FLAGGED);
  });

  test.each([
    ['in another case', 'person#1', 'Person#1'],
    ['if neither has one', null, null],
    ['if only the customer has one', 'Person#1', null],
    ['if only the advocate has one', null, 'Person#1'],
  ])('a customer is not flagged by a uid %s', (_, uid, own) => {
    expect(flagsOf({ email: 'other@shop.example', uid }, advocate('jane@example.com', own))).toEqual([]);
  });
});

test('the flag is symmetric, and depends on no plus-tag and on no dot of a Gmail address', () => {
  const local = fc.stringMatching(/^[a-z0-9]{1,8}(?:\.[a-z0-9]{1,8}){0,3}$/);
  const tag = fc.stringMatching(/^(?:\+[a-z0-9.+]{0,8})?$/);
  const domain = fc.constantFrom('gmail.com', 'googlemail.com', 'example.com', 'mail.example.com');
  const email = fc.record({ local, tag, domain });
  const text = ({ local, tag, domain }: { local: string; tag: string; domain: string }) => `${local}${tag}@${domain}`;
  fc.assert(
    fc.property(email, email, fc.boolean(), (one, other, isSame) => {
      const second = isSame ? { ...one, tag: other.tag } : other;
      const flags = flagsOf({ email: text(one), uid: null }, advocate(text(second)));
      expect(flagsOf({ email: text(second), uid: null }, advocate(text(one)))).toEqual(flags);
      const isGmail = [one, second].every((each) => /^g(?:oogle)?mail\.com$/.test(each.domain));
      const hasSameLocal = isGmail
        ? one.local.split('.').join('') === second.local.split('.').join('')
        : one.domain === second.domain && one.local === second.local;
      expect(flags).toEqual(hasSameLocal ? FLAGGED : []);
    }),
  );
});
