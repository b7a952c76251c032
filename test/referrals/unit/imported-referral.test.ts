import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DAY, seconds } from '../../../functions/kernel/time.ts';
import {
  checkRecord,
  importedReferral,
  type ReferralRecord,
} from '../../../functions/referrals/rules/imported-referral.ts';
import { newReferral } from '../../../functions/referrals/rules/referral.ts';
import { NOTHING_REPORTED } from '../../../functions/referrals/rules/referral-fields.ts';
import { isAllowed, STATES } from '../../../functions/referrals/rules/state.ts';
import { attributed, conversionOf } from '../../support/conversion.ts';
import { affiliate, NOW, program, REFERRAL_ID, refusal } from '../../support/samples.ts';

const CREATED = seconds(NOW - 1000);
const BETWEEN = seconds(NOW - 750);
const LATER = seconds(NOW - 500);
const record: ReferralRecord = {
  ...NOTHING_REPORTED,
  id: null,
  email: 'ann@shop.example',
  state: 'converted',
  subId: 'spring',
  createdAt: CREATED,
  stateSetAt: CREATED,
  convertedAt: null,
  commissionPercentage: undefined,
  commissionRulesId: undefined,
  commissionEndDate: undefined,
  flags: [],
  stripeCustomer: null,
};
const noCustomer = { email: null, customerUid: null };
const imported = (change: Partial<ReferralRecord>) =>
  importedReferral(program, attributed(program, affiliate), { ...record, ...change }, REFERRAL_ID);
const rejection = (change: Partial<ReferralRecord>) => refusal(() => checkRecord({ ...record, ...change }));

test('a referral that only converted equals a conversion by the API, except for the actor and what credited it', () => {
  const credit = { by: 'import', code: null, lost: null } as const;
  const conversion = { ...conversionOf({ email: record.email, subId: 'spring' }, 'import'), credit };
  expect(imported({})).toEqual(
    newReferral(REFERRAL_ID, { ...attributed(program, affiliate), ...conversion, now: CREATED }),
  );
});

test.each([
  ['converted', {}, LATER],
  ['paid', {}, CREATED],
  ['rejected', {}, CREATED],
  ['rejected', { email: null, customerUid: 'u' }, CREATED],
  ['rejected', { ...noCustomer, commissionEndDate: NOW }, CREATED],
  ['paid', { convertedAt: BETWEEN }, BETWEEN],
  ['converted', { convertedAt: BETWEEN }, BETWEEN],
  ['rejected', { ...noCustomer, convertedAt: BETWEEN }, BETWEEN],
  ['paid', noCustomer, CREATED],
  ['rejected', noCustomer, null],
  ['clicked', noCustomer, null],
] as const)('an imported %s referral with %j was converted at %p', (state, change, convertedAt) => {
  const referral = imported({ state, stateSetAt: LATER, ...change });
  const window = program.attributionDays * DAY;
  expect(referral).toMatchObject({
    state,
    stateSetAt: LATER,
    createdAt: CREATED,
    updatedAt: LATER,
    convertedAt,
    expiresAt: state === 'clicked' ? CREATED + window : null,
    history: [{ state, setAt: LATER, by: 'import' }],
    version: 1,
  });
  // A click that was rejected is never restored.
  expect(isAllowed('update', referral, 'converted')).toBe(state === 'rejected' && convertedAt !== null);
});

describe('imported records', () => {
  test('a record must have its times in order, in every state', () => {
    const state = fc.constantFrom(...STATES.filter((name) => name !== 'clicked'));
    const second = fc.integer({ min: NOW - 5, max: NOW + 5 }).map(seconds);
    fc.assert(
      fc.property(
        state,
        second,
        second,
        second,
        second,
        (name, createdAt, convertedAt, stateSetAt, commissionEndDate) => {
          const broken: [string, boolean][] = [
            ['state_set_at must not be before created_at', stateSetAt < createdAt],
            ['converted_at must not be before created_at', convertedAt < createdAt],
            ['commission_end_date must not be before created_at', commissionEndDate < createdAt],
            ['converted_at must not be after state_set_at', convertedAt > stateSetAt],
          ];
          const [expected] = broken.find(([, isBroken]) => isBroken) ?? [];
          expect(rejection({ state: name, createdAt, convertedAt, stateSetAt, commissionEndDate })).toBe(expected);
        },
      ),
    );
  });

  test('a record of a click must not have a customer, a conversion or an end of the commission', () => {
    const click = { state: 'clicked', ...noCustomer } as const;
    expect(rejection(click)).toBeUndefined();
    expect(rejection({ ...click, commissionEndDate: null })).toBeUndefined();
    const end = ' must be empty if the state is clicked';
    expect(rejection({ ...click, email: 'a@b.example' })).toBe(`email${end}`);
    expect(rejection({ ...click, customerUid: 'u' })).toBe(`uid${end}`);
    expect(rejection({ ...click, convertedAt: CREATED })).toBe(`converted_at${end}`);
    expect(rejection({ ...click, commissionEndDate: NOW })).toBe(`commission_end_date${end}`);
    expect(rejection({ ...click, stripeCustomer: 'cus_1' })).toBe(`stripe_customer${end}`);
  });

  test('a record must not have a customer at Stripe alone, which would identify an erased person', () => {
    const erased = { ...noCustomer, id: REFERRAL_ID, stripeCustomer: 'cus_1' };
    expect(rejection(erased)).toBe('stripe_customer must be empty if email and uid are');
    expect(rejection({ ...erased, customerUid: 'u' })).toBeUndefined();
  });

  test.each(STATES.filter((state) => state !== 'clicked'))(
    'a record in the state %s must have a customer or an id',
    (state) => {
      const sentence = 'email or uid is required unless the state is clicked';
      expect(rejection({ state, ...noCustomer })).toBe(sentence);
      expect(rejection({ state, ...noCustomer, customerUid: 'u' })).toBeUndefined();
      expect(rejection({ state, ...noCustomer, id: REFERRAL_ID })).toBeUndefined();
    },
  );
});
