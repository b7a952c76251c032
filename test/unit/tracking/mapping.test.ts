import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newReferral } from '../../../functions/domain/referral/referral.ts';
import { ERASED } from '../../../functions/domain/referral/referral-fields.ts';
import {
  parseClick,
  parseConversionV2,
  parseStateChange,
  toReferralV1,
  toReferralV2,
} from '../../../functions/tracking/mapping.ts';
import { conversionOf } from '../../support/conversion.ts';
import { affiliate, CLICK_ID, NOW, program, REFERRAL_ID, refusal } from '../samples.ts';

const GR_ID = `jane-doe.${CLICK_ID}`;

describe('clicks', () => {
  test('a click is parsed from the body, its slug in lower case', () => {
    const body = { pk: 'pk_1', gr_id: `Jane-Doe.${CLICK_ID}`, sub_id: 'Spring' };
    const parsed = { publicKey: 'pk_1', slug: 'jane-doe', clickId: CLICK_ID, subId: 'Spring' };
    expect(parseClick(body)).toEqual(parsed);
  });

  test.each([null, '', undefined])('a click has no sub id if it is %j', (sub_id) => {
    expect(parseClick({ pk: 'pk_1', gr_id: GR_ID, sub_id }).subId).toBeNull();
  });
});

describe('state changes', () => {
  test('a state change is parsed from the body', () => {
    expect(parseStateChange({ email: ' A@Example.com', uid: 'C 1', state: 'paid' })).toEqual({
      reference: { email: 'a@example.com', uid: 'C 1', id: null },
      state: 'paid',
    });
    expect(parseStateChange({ email: null, uid: 'c', state: 'converted' })).toEqual({
      reference: { email: null, uid: 'c', id: null },
      state: 'converted',
    });
  });

  test.each(['clicked', 'new', 'PAID', 'paid '])(
    'a state change to %j is rejected with the states that can be set',
    (state) => {
      expect(refusal(() => parseStateChange({ uid: 'c', state }))).toBe(
        'state must be one of converted, paid, churned, rejected',
      );
    },
  );
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
    { numRuns: 500 },
  );
});

const metadata = { plan: 'pro' };
const conversion = conversionOf({ email: 'a@example.com', customerUid: 'c-1', metadata });
const referral = newReferral(REFERRAL_ID, { program, target: affiliate, ...conversion, now: NOW });

test('the resource of a V1 conversion has exactly five attributes', () => {
  expect(toReferralV1(referral)).toEqual({
    id: REFERRAL_ID,
    type: 'referral',
    attributes: {
      email: 'a@example.com',
      state: 'converted',
      state_set_at: NOW,
      created_at: NOW,
      updated_at: NOW,
    },
  });
});

test('the resource of a V2 conversion also has the uid and metadata, or null and none', () => {
  const { email, ...times } = toReferralV1(referral).attributes;
  expect(toReferralV2(referral)).toEqual({
    id: REFERRAL_ID,
    type: 'referral',
    attributes: { email, uid: 'c-1', metadata, ...times },
  });
  const erased = toReferralV2({ ...referral, ...ERASED });
  expect(erased.attributes).toEqual({ email: null, uid: null, metadata: {}, ...times });
});
