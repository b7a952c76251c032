import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toAdvocateV1 } from '../../../functions/advocates/http/mapping.ts';
import { type Advocate, referralLinks } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { ADVOCATE_FIELDS } from '../../../functions/kernel/accounts/rules/advocate-fields.ts';
import { emptyValues } from '../../../functions/kernel/fields/field-list.ts';
import { toAffiliateEntry } from '../../../functions/ledger/http/entry.ts';
import { toCounts } from '../../../functions/referrals/http/mapping.ts';
import {
  parseClick,
  parseConversionV1,
  parseConversionV2,
  parseStateChange,
} from '../../../functions/tracking/http/mapping.ts';
import { anEntry } from '../../support/ledger/entries.ts';
import { affiliate, NOW, PROGRAM_ID, program, REFERRAL_ID, refusal } from '../../support/samples.ts';

describe('advocates', () => {
  const advocate: Advocate = {
    ...emptyValues(ADVOCATE_FIELDS),
    ...affiliate,
    id: REFERRAL_ID,
    createdAt: NOW,
    version: 1,
  };
  const resource = (change: Partial<Advocate> = {}) =>
    toAdvocateV1(program, referralLinks(program), { ...advocate, ...change });

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

test('an affiliate sees the id of a settlement, unless it contains the id of an imported payment', () => {
  const shown = (settlementId: string) =>
    toAffiliateEntry(anEntry('jane', NOW, { settlementId })).attributes.settlement_id;
  expect([shown('payout-1'), shown('import:in_1')]).toEqual(['payout-1', null]);
});
