import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toAdvocateV1 } from '../../functions/advocates/http/mapping.ts';
import { type Advocate, EMPTY_ADVOCATE, referralLinks } from '../../functions/kernel/accounts/rules/advocate.ts';
import { toAffiliateEntry } from '../../functions/ledger/http/entry.ts';
import { toCounts } from '../../functions/referrals/http/mapping.ts';
import { toListedReferral } from '../../functions/referrals/http/referral.ts';
import { newReferral } from '../../functions/referrals/rules/referral.ts';
import { ERASED } from '../../functions/referrals/rules/referral-fields.ts';
import {
  parseClick,
  parseConversionV1,
  parseConversionV2,
  parseStateChange,
  toReferralV1,
  toReferralV2,
} from '../../functions/tracking/http/mapping.ts';
import { conversionOf } from '../support/conversion.ts';
import { anEntry } from '../support/ledger/entries.ts';
import { affiliate, NOW, PROGRAM_ID, program, REFERRAL_ID, refusal } from './samples.ts';

describe('advocates', () => {
  const advocate: Advocate = {
    ...EMPTY_ADVOCATE,
    ...affiliate,
    id: REFERRAL_ID,
    createdAt: NOW,
    erasedAt: null,
    tokensRevokedAt: null,
    version: 1,
  };
  const resource = (change: Partial<Advocate> = {}) =>
    toAdvocateV1(program, referralLinks(program), { ...advocate, ...change });

  test('an advocate in the list has every field of the contract, null if it has no value', () => {
    expect(resource()).toEqual({
      id: REFERRAL_ID,
      type: 'advocate',
      attributes: {
        id: REFERRAL_ID,
        uid: null,
        email: 'jane@example.com',
        first_name: null,
        last_name: null,
        slug: 'jane-doe',
        referral_link: 'https://acme.example/?via=jane-doe',
        company_id: PROGRAM_ID,
        company: 'Acme',
        created_at: NOW,
      },
    });
  });

  test.each([
    [null, null, PROGRAM_ID, 'Acme'],
    ['c-1', null, 'c-1', null],
    [null, 'Doe Ltd', null, 'Doe Ltd'],
    ['c-1', 'Doe Ltd', 'c-1', 'Doe Ltd'],
  ])(
    'an advocate in the list with the company id %p and the company %p has %p and %p',
    (companyId, company, shownId, shown) => {
      expect(resource({ companyId, company }).attributes).toMatchObject({
        company_id: shownId,
        company: shown,
      });
    },
  );
});

test('a referral in the list has every field of the contract and no other', () => {
  const fields = conversionOf({ email: 'a@example.com', customerUid: 'c-1', subId: 'spring' });
  const listed = newReferral(REFERRAL_ID, { program, target: affiliate, ...fields, now: NOW });
  expect(toListedReferral(listed, 'full')).toEqual({
    id: REFERRAL_ID,
    type: 'referral',
    attributes: {
      email: 'a@example.com',
      state: 'converted',
      state_set_at: NOW,
      created_at: NOW,
      updated_at: NOW,
      sub_id: 'spring',
      commission_percentage: 20,
      commission_end_date: listed.commissionEndDate,
    },
  });
});

test('counts without clicks have null for clicked in total, groups and other', () => {
  const counts = { clicked: 0, converted: 1, paid: 2, churned: 3, rejected: 4 };
  const shown = { ...counts, clicked: null };
  const all = { total: counts, groups: [{ key: 'news', counts }], other: counts };
  expect(toCounts('jane', all, false).attributes).toEqual({
    total: shown,
    groups: [{ key: 'news', ...shown }],
    other: shown,
  });
});

const MARKER = 'mArKeR4711';
const marked: fc.Arbitrary<unknown> = fc.oneof(
  fc.tuple(fc.string(), fc.string()).map(([before, after]) => `${before}${MARKER}${after}`),
  fc.string().map((text) => [`${text}${MARKER}`]),
  fc.string().map((text) => ({ [`${text}${MARKER}`]: MARKER })),
  fc.constant(47_114_711),
);
const FIELDS = ['email', 'uid', 'affiliate_slug', 'gr_id', 'sub_id', 'state', 'pk'];

test.each([
  ['a V1 conversion', parseConversionV1],
  ['a V2 conversion', parseConversionV2],
  ['a state change', parseStateChange],
  ['a click', parseClick],
])('the error of %s contains a field and never repeats a value or an unknown key', (_, read) => {
  const anyFields = fc.dictionary(fc.oneof(fc.constantFrom(...FIELDS), fc.constant(MARKER)), marked);
  fc.assert(
    fc.property(fc.oneof(anyFields, marked), (body) => {
      const sentence = refusal(() => read(body));
      if (sentence === undefined) return;
      expect(sentence).toMatch(/^(?:email|uid|affiliate_slug|gr_id|sub_id|state|pk|The body)\b/);
      expect(sentence).not.toMatch(/mArKeR4711|47114711/i);
    }),
    { numRuns: 200 },
  );
});

const metadata = { plan: 'pro' };
const conversion = conversionOf({ email: 'a@example.com', customerUid: 'c-1', metadata });
const referral = newReferral(REFERRAL_ID, { program, target: affiliate, ...conversion, now: NOW });

test('the resource of a V1 conversion has five attributes, and in V2 also the uid and metadata, or null and none', () => {
  const { email, ...times } = toReferralV1(referral).attributes;
  expect({ email, ...times }).toEqual({
    email: 'a@example.com',
    state: 'converted',
    state_set_at: NOW,
    created_at: NOW,
    updated_at: NOW,
  });
  expect(toReferralV2(referral)).toEqual({
    id: REFERRAL_ID,
    type: 'referral',
    attributes: { email, uid: 'c-1', metadata, ...times },
  });
  const erased = toReferralV2({ ...referral, ...ERASED });
  expect(erased.attributes).toEqual({ email: null, uid: null, metadata: {}, ...times });
});

test('an affiliate sees the id of a settlement, unless it contains the id of an imported payment', () => {
  const shown = (settlementId: string) =>
    toAffiliateEntry(anEntry('jane', NOW, { settlementId })).attributes.settlement_id;
  expect([shown('payout-1'), shown('import:in_1')]).toEqual(['payout-1', null]);
});
