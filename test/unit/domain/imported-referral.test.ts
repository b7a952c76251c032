import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkRecord, importedReferral, type ReferralRecord } from '../../../functions/domain/imported-referral.ts';
import { newReferral } from '../../../functions/domain/referral.ts';
import { isAllowed, STATES } from '../../../functions/domain/state.ts';
import { DAY, seconds } from '../../../functions/domain/time.ts';
import { affiliate, NOW, program, REFERRAL_ID, refusal } from '../samples.ts';

const CREATED = seconds(NOW - 1000);
const LATER = seconds(NOW - 500);
const record: ReferralRecord = {
  id: null,
  advocateSlug: affiliate.slug,
  email: 'ann@shop.example',
  customerUid: null,
  state: 'converted',
  subId: 'spring',
  createdAt: CREATED,
  stateSetAt: CREATED,
  commissionPercentage: undefined,
  commissionEndDate: undefined,
};
const nobody = { email: null, customerUid: null };
const made = (change: Partial<ReferralRecord>) =>
  importedReferral(program, affiliate, { ...record, ...change }, REFERRAL_ID);
const refused = (change: Partial<ReferralRecord>) => refusal(() => checkRecord({ ...record, ...change }));

test('a referral that only converted equals one that converted here, except for the actor', () => {
  const conversion = {
    customer: { email: record.email, uid: null },
    subId: 'spring',
    by: 'import',
    idempotencyRecord: null,
  } as const;
  expect(made({})).toEqual(newReferral(program, affiliate, REFERRAL_ID, conversion, CREATED));
});

test.each([
  ['converted', {}, LATER],
  ['paid', {}, CREATED],
  ['churned', {}, CREATED],
  ['rejected', {}, CREATED],
  ['rejected', { email: null, customerUid: 'u' }, CREATED],
  ['rejected', { ...nobody, commissionEndDate: NOW }, CREATED],
  ['paid', nobody, CREATED],
  ['rejected', nobody, null],
  ['rejected', { ...nobody, commissionEndDate: null }, null],
  ['clicked', nobody, null],
] as const)('%s, with %j, was converted at %p', (state, change, convertedAt) => {
  const referral = made({ state, stateSetAt: LATER, ...change });
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

test('a rate and its end are those of the record, or else those of a new referral', () => {
  // No leap day lies in these twelve months.
  const fresh = { commissionPercentage: 20, commissionEndDate: CREATED + 365 * DAY };
  expect(made({})).toMatchObject(fresh);
  const own = { commissionPercentage: 0, commissionEndDate: LATER };
  expect(made(own)).toMatchObject(own);
  const none = { commissionPercentage: null, commissionEndDate: null };
  expect(made(none)).toMatchObject(none);
});

describe('a record', () => {
  test('keeps its times in order in every state', () => {
    const state = fc.constantFrom(...STATES.filter((one) => one !== 'clicked'));
    const second = fc.integer({ min: NOW - 5, max: NOW + 5 }).map(seconds);
    fc.assert(
      fc.property(state, second, second, second, (one, createdAt, stateSetAt, commissionEndDate) => {
        const expected =
          stateSetAt < createdAt
            ? 'state_set_at must not be before created_at'
            : commissionEndDate < createdAt
              ? 'commission_end_date must not be before created_at'
              : undefined;
        expect(refused({ state: one, createdAt, stateSetAt, commissionEndDate })).toBe(expected);
      }),
    );
  });

  test('of a click has no customer and no end of a commission', () => {
    const click = { state: 'clicked', ...nobody } as const;
    expect(refused(click)).toBeUndefined();
    expect(refused({ ...click, commissionEndDate: null })).toBeUndefined();
    const end = ' must be empty if the state is clicked';
    expect(refused({ ...click, email: 'a@b.example' })).toBe(`email${end}`);
    expect(refused({ ...click, customerUid: 'u' })).toBe(`uid${end}`);
    expect(refused({ ...click, commissionEndDate: NOW })).toBe(`commission_end_date${end}`);
  });

  test.each(STATES.filter((state) => state !== 'clicked'))('of %s has a customer, or an id', (state) => {
    const sentence = 'email or uid is required unless the state is clicked';
    expect(refused({ state, ...nobody })).toBe(sentence);
    expect(refused({ state, ...nobody, customerUid: 'u' })).toBeUndefined();
    expect(refused({ state, ...nobody, id: REFERRAL_ID })).toBeUndefined();
  });
});
