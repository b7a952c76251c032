import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { newAdvocate } from '../../../functions/advocates/rules/advocate-changes.ts';
import { EMPTY_ADVOCATE } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { ADVOCATE_FIELDS } from '../../../functions/kernel/accounts/rules/advocate-fields.ts';
import {
  attributesIn,
  checkInputs,
  type FieldList,
  namesIn,
  parseInputs,
  schemasIn,
} from '../../../functions/kernel/fields/field-list.ts';
import { parseMetadata, storedMetadata } from '../../../functions/kernel/fields/metadata.ts';
import { newReferral } from '../../../functions/referrals/rules/referral.ts';
import { REFERRAL_FIELDS } from '../../../functions/referrals/rules/referral-fields.ts';
import { attributed, conversionOf } from '../../support/conversion.ts';
import { affiliate, NOW, program, REFERRAL_ID, refusal } from '../../support/samples.ts';

const referral = newReferral(REFERRAL_ID, {
  ...attributed(program, affiliate),
  ...conversionOf({ email: 'a@example.com' }),
  now: NOW,
});
const advocate = newAdvocate({ ...EMPTY_ADVOCATE, email: 'j@example.com', slug: 'jane' }, REFERRAL_ID, NOW);
const LISTS: [string, FieldList, object, readonly string[]][] = [
  ['a referral', REFERRAL_FIELDS, referral, ['v1', 'v2', 'affiliate', 'merchant', 'details', 'event']],
  ['an advocate', ADVOCATE_FIELDS, advocate, ['v1', 'v2', 'details']],
];
const FORMS = LISTS.flatMap(([name, fields, values, forms]) =>
  forms.map((form) => [name, form, fields, values] as const),
);

describe('lists of fields', () => {
  test.each(FORMS)(
    'the list of %s gives the form %s attributes that its schemas describe',
    (_, form, fields, values) => {
      const attributes = attributesIn(fields, form, values as never);
      const schemas = schemasIn(fields, form);
      expect(Object.keys(attributes)).toEqual(namesIn(fields, form));
      expect(Object.keys(schemas)).toEqual(namesIn(fields, form));
      const ajv = new Ajv2020({ strict: false });
      for (const [name, schema] of Object.entries(schemas)) {
        expect([name, ajv.validate(schema as object, attributes[name as never])]).toEqual([name, true]);
      }
    },
  );

  test.each(LISTS)('the list of %s has no two fields with one name or attribute', (_, fields) => {
    const attributes = Object.values(fields).map(({ attribute }) => attribute);
    expect(new Set(attributes).size).toBe(attributes.length);
    const names = Object.values(fields).map(({ name, attribute }) => name ?? attribute);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('inputs of a list', () => {
  test('inputs are parsed by name or checked by key, null becomes the empty value, absent ones stay absent', () => {
    const expected = { firstName: 'Jane', commissionPercentage: null };
    expect(parseInputs(ADVOCATE_FIELDS, { first_name: 'Jane', commission_percentage: null, id: 'x' })).toEqual(
      expected,
    );
    expect(checkInputs(ADVOCATE_FIELDS, expected)).toEqual(expected);
  });

  // API, import and command line all set fields through these lists.
  test('U+FFFD, which may replace invalid UTF-8, is refused by every text but a sub id, with the name of the field', () => {
    const inputs = LISTS.flatMap(([, fields]) =>
      Object.values(fields).flatMap(({ input, name, attribute }) =>
        input ? [{ input, name: name ?? attribute }] : [],
      ),
    );
    expect(inputs.length).toBeGreaterThan(10);
    const accepted = inputs.filter(({ input: { schema, parse }, name }) => {
      const value = schema.type === 'object' ? { plan: 'a\ufffd' } : 'a\ufffd@example.com';
      return !refusal(() => parse(name, value))?.startsWith(`${name} must `);
    });
    expect(accepted.map(({ name }) => name)).toEqual(['sub_id']);
  });
});

test('metadata has its keys in one order, whatever the order in the request or the table', () => {
  const [one, other] = [
    { b: '1', a: '2', 10: '3', B: '4', 9: '5' },
    { 9: '5', B: '4', a: '2', b: '1', 10: '3' },
  ];
  expect(JSON.stringify(parseMetadata('metadata', one))).toBe(JSON.stringify(storedMetadata(other)));
});

test('the size of metadata counts bytes, not characters', () => {
  const metadata = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => [key, 'é'.repeat(150)]));
  expect(JSON.stringify(metadata).length).toBeLessThan(2048);
  expect(refusal(() => parseMetadata('metadata', metadata))).toBe('metadata must have at most 2048 bytes as JSON');
});

test.each([[7], [null], [''], ['é'.repeat(201)]])(
  'the error of metadata with the value %p says what values are',
  (plan) => {
    const sentence = 'metadata must have texts of 1 to 200 characters as values';
    expect(refusal(() => parseMetadata('metadata', { plan }))).toBe(sentence);
  },
);

test.each(['a b', 'k'.repeat(41), '__proto__'])('metadata must not have the key %p', (key) => {
  expect(refusal(() => parseMetadata('metadata', JSON.parse(`{"${key}":"x"}`)))).toBe(
    'metadata must have keys of 1 to 40 letters, digits, hyphens or underscores, and not __proto__',
  );
});
