import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DAY, type Seconds, seconds } from '../../../functions/kernel/time.ts';
import { importedReferral, type ReferralRecord } from '../../../functions/referrals/rules/imported-referral.ts';
import { addProviderCustomer } from '../../../functions/referrals/rules/provider-changes.ts';
import { convertClick, type Referral } from '../../../functions/referrals/rules/referral.ts';
import { erasePerson, reassign, setState } from '../../../functions/referrals/rules/referral-changes.ts';
import { NO_VALUES } from '../../../functions/referrals/rules/referral-fields.ts';
import type { State } from '../../../functions/referrals/rules/state.ts';
import {
  customersOf,
  isPayingCustomer,
  type Occurrence,
  occurrencesIn,
  occurrencesOf,
} from '../../../functions/statistics/rules/occurrences.ts';
import { aClick, aConversion, CONVERSION, JOHN } from '../../referrals/unit/situations.ts';
import { apply, aStep } from '../../referrals/unit/steps.ts';
import { attributed } from '../../support/conversion.ts';
import { affiliate, NOW, program, REFERRAL_ID } from '../../support/samples.ts';

const dateOf = (second: number) => new Date(second * 1000).toISOString().slice(0, 10);
const inDays = (days: number): Seconds => seconds(NOW + days * DAY);
const one = (kind: Occurrence['kind'], days: number, slug = affiliate.slug) => {
  return { kind, day: dateOf(inDays(days)), slug };
};
const set = (referral: Referral, to: State, days: number) => setState(referral, to, 'merchant', inDays(days));
const convert = (click: Referral, days: number) => convertClick(click, { ...CONVERSION, now: inDays(days) });
const move = (referral: Referral, days: number) =>
  reassign(referral, { ...attributed(program, JOHN), actor: 'merchant', now: inDays(days) });

const RECORD: ReferralRecord = {
  ...NO_VALUES,
  id: null,
  email: 'a@example.com',
  state: 'converted',
  createdAt: inDays(-9),
  stateSetAt: inDays(-2),
  commissionPercentage: undefined,
  commissionRulesId: undefined,
  commissionEndDate: undefined,
  flags: [],
  stripeCustomer: null,
};
const imported = (record: Partial<ReferralRecord>) =>
  importedReferral(program, attributed(program, affiliate), { ...RECORD, ...record }, REFERRAL_ID);

describe('the effect of a write on statistics', () => {
  test('a click counts on its day, and its conversion on the day of the conversion', () => {
    const click = aClick();
    expect(occurrencesOf(null, click)).toEqual([one('clicks', 0)]);
    expect(occurrencesOf(click, convert(click, 2))).toEqual([one('conversions', 2)]);
    expect(occurrencesOf(null, aConversion())).toEqual([one('conversions', 0)]);
  });

  test('a customer pays for the first time only once', () => {
    const converted = aConversion();
    const paid = set(converted, 'paid', 1);
    const churned = set(paid, 'churned', 2);
    expect(occurrencesOf(converted, paid)).toEqual([one('paying', 1)]);
    expect(occurrencesOf(paid, churned)).toEqual([one('churned', 2)]);
    expect(occurrencesOf(churned, set(churned, 'paid', 3))).toEqual([]);
  });

  test('a restored customer is neither a new conversion nor a new payment; each rejection counts', () => {
    const rejected = set(set(aConversion(), 'paid', 1), 'rejected', 2);
    const restored = set(rejected, 'converted', 3);
    expect(occurrencesOf(rejected, restored)).toEqual([]);
    expect(occurrencesOf(restored, set(restored, 'paid', 4))).toEqual([]);
    expect(occurrencesOf(restored, set(restored, 'rejected', 5))).toEqual([one('rejected', 5)]);
  });

  test('moves, erasures and silent writes count as nothing, and later changes belong to the new advocate', () => {
    const converted = aConversion();
    const moved = move(converted, 1);
    expect(occurrencesOf(converted, moved)).toEqual([]);
    expect(occurrencesOf(moved, set(moved, 'paid', 2))).toEqual([one('paying', 2, JOHN.slug)]);
    expect(occurrencesOf(converted, erasePerson(converted, 'merchant', inDays(1)))).toEqual([]);
    expect(occurrencesOf(converted, addProviderCustomer(converted, 'claim'))).toEqual([]);
  });
});

describe('the effect of an import on statistics', () => {
  test.each([
    ['clicked', [one('clicks', -9)]],
    ['converted', [one('conversions', -2)]],
    ['paid', [one('conversions', -9), one('paying', -2)]],
    ['churned', [one('conversions', -9), one('churned', -2)]],
    ['rejected', [one('conversions', -9), one('rejected', -2)]],
    ['churned', [one('conversions', -5), one('churned', -2)], inDays(-5)],
  ] as const)('a row imported as %s counts %j', (state, expected, convertedAt: Seconds | null = null) => {
    const row = imported({ state, convertedAt, ...(state === 'clicked' && { email: null }) });
    expect(occurrencesOf(null, row)).toEqual(expected);
    expect(occurrencesOf(null, addProviderCustomer(row, 'claim'))).toEqual(expected);
    expect(occurrencesIn(row)).toEqual(expected);
  });

  test.each([aClick(inDays(-20)), imported({ state: 'clicked', email: null })])(
    'an import that replaces a click counts as the import of a new row',
    (click) => {
      const row = imported({ state: 'rejected' });
      expect(occurrencesOf(click, row)).toEqual([one('conversions', -9), one('rejected', -2)]);
    },
  );
});

describe('the effect of a write on the paying customers of advocates', () => {
  const converted = aConversion();
  const paid = set(converted, 'paid', 1);
  const churned = set(paid, 'churned', 2);
  const rejected = set(churned, 'rejected', 3);
  const unpaid = set(converted, 'rejected', 1);
  const [ofJane, ofJohn] = [affiliate, JOHN].map(({ slug }) => slug);
  test.each<[string, Referral | null, Referral, readonly (readonly [string | undefined, number])[]]>([
    ['a conversion', null, converted, []],
    ['a first payment', converted, paid, [[ofJane, 1]]],
    ['the end of a subscription', paid, churned, []],
    ['a second payment', churned, set(churned, 'paid', 3), []],
    ['a rejection of a customer who paid', churned, rejected, [[ofJane, -1]]],
    ['a restoration of a customer who paid', rejected, set(rejected, 'converted', 4), [[ofJane, 1]]],
    ['a rejection of a customer who never paid', converted, unpaid, []],
    ['a restoration of a customer who never paid', unpaid, set(unpaid, 'converted', 2), []],
    [
      'a move after the payment',
      paid,
      move(paid, 2),
      [
        [ofJane, -1],
        [ofJohn, 1],
      ],
    ],
    ['a move before the payment', converted, move(converted, 1), []],
    ['the first payment after a move', move(converted, 1), set(move(converted, 1), 'paid', 2), [[ofJohn, 1]]],
    ['a move of a rejected customer', rejected, move(rejected, 4), []],
    ['an erasure', paid, erasePerson(paid, 'merchant', inDays(2)), []],
    ['an import as paid', null, imported({ state: 'paid' }), [[ofJane, 1]]],
    ['an import as paid over a click', aClick(), imported({ state: 'paid' }), [[ofJane, 1]]],
    ['an import as rejected', null, imported({ state: 'rejected' }), []],
  ])('%s', (_, before, after, expected) => {
    expect(customersOf(before, after)).toEqual(expected.map(([slug, customers]) => ({ slug, customers })));
  });
});

test('the effects of all writes of a referral add up to what its row says', () => {
  const counted = (occurrences: readonly Occurrence[]) => occurrences.map((each) => JSON.stringify(each)).sort();
  const states = ['clicked', 'converted', 'paid', 'churned', 'rejected'] as const;
  const starts = [aClick(), aConversion(), ...states.map((state) => imported({ state, email: null, id: REFERRAL_ID }))];
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.array(aStep, { maxLength: 40 }), (start, steps) => {
      const occurrences = [...occurrencesOf(null, start)];
      const customers = customersOf(null, start);
      let before = start;
      for (const [index, step] of steps.entries()) {
        const after = apply(before, { ...step, by: 'merchant', now: seconds(step.now + index * (DAY / 2)) });
        occurrences.push(...occurrencesOf(before, after));
        customers.push(...customersOf(before, after));
        before = after;
      }
      expect(counted(occurrencesIn(before))).toEqual(counted(occurrences));
      for (const { slug } of [affiliate, JOHN]) {
        const sum = customers.reduce((total, each) => total + (each.slug === slug ? each.customers : 0), 0);
        expect(sum).toBe(isPayingCustomer(before) && before.advocateSlug === slug ? 1 : 0);
      }
    }),
  );
});
