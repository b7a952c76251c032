import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseAdvocatesQuery } from '../../../../functions/advocates/http/mapping.ts';
import { readQuery } from '../../../../functions/kernel/http/validation.ts';
import { parseProgramChanges } from '../../../../functions/program/http/mapping.ts';
import { parseReferralsQuery, parseReferralsV2Query } from '../../../../functions/referrals/http/mapping.ts';
import { anyCharacter } from '../../../support/any-character.ts';
import { httpEvent, refusal } from '../../../support/samples.ts';

/** Its space makes every text around it an invalid email. */
const MARKER = 'mArKeR 4711';

const isSilent = (sentence: string) => !sentence.includes(MARKER) && !sentence.includes('47114711');

describe('the error of a body', () => {
  test.each([
    [{ commission_months: 1.5 }, 'commission_months must be a whole number or null'],
    [{ commission_percentage: '20' }, 'commission_percentage must be a number or null'],
    [{ payable_after_days: null }, 'payable_after_days must be a whole number in decimal digits'],
    [{ name: null }, 'name must be a string'],
    [{ allowed_origins: 'https://shop.example' }, 'allowed_origins must be a list'],
  ])('the error of the body %j names the expected type: "%s"', (body, sentence) => {
    expect(refusal(() => parseProgramChanges(body))).toBe(sentence);
  });
});

const LISTS = {
  advocates: (rawQueryString: string) => parseAdvocatesQuery(httpEvent({ rawQueryString })),
  referrals: (rawQueryString: string) => parseReferralsQuery(httpEvent({ rawQueryString })),
};

describe('the error of a query', () => {
  const PARAMETERS = ['page', 'per_page', 'created_at_lt', 'created_at_gt'];
  const STRICT = {
    advocates: PARAMETERS,
    referrals: [...PARAMETERS, 'state_eq', 'state_set_at_lt', 'state_set_at_gt'],
  };
  const list = fc.constantFrom<keyof typeof LISTS>('advocates', 'referrals');

  test('the error of a query contains the parameter at fault and never repeats its value', () => {
    fc.assert(
      fc.property(list, fc.nat(), fc.string(), fc.constantFrom('', '%zz', '&'), (name, choice, text, tail) => {
        const parameter = STRICT[name][choice % STRICT[name].length] ?? '';
        const value = `${encodeURIComponent(text)}${MARKER}${tail}`;
        const sentence = refusal(() => LISTS[name](`${parameter}=${value}`)) ?? '';
        expect(sentence.startsWith(`${parameter} `)).toBe(true);
        expect(isSilent(sentence)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['page=0', 'page must be at least 1'],
    ['page=1000000000', 'page must be at most 999999999'],
    ['per_page=0', 'per_page must be at least 1'],
    ['per_page=51', 'per_page must be at most 50'],
    ['page=2&cursor=x', 'cursor replaces page: send only one'],
  ])('the error of %s, on both lists, is "%s"', (query, sentence) => {
    expect(refusal(() => LISTS.advocates(query))).toBe(sentence);
    expect(refusal(() => LISTS.referrals(query))).toBe(sentence);
  });

  test.each([
    ['state=rejected', 'state is not a parameter of this operation: use state_eq'],
    ['afiliate_slug=jane', 'afiliate_slug is not a parameter of this operation: use affiliate_slug'],
    ['state_eq=paid&limit=5', 'limit is not a parameter of this operation: remove it'],
    ['state_set_at=x', 'state_set_at is not a parameter of this operation: use state_set_at_lt'],
    [
      'Page=1',
      'The query must have only these parameters: affiliate_slug, flag_eq, state_eq, sub_id_eq, created_at_lt, created_at_gt, page, per_page, cursor, state_set_at_lt, state_set_at_gt',
    ],
  ])('the error of %s, on a list of V2, is "%s"', (rawQueryString, sentence) => {
    expect(refusal(() => parseReferralsV2Query(httpEvent({ rawQueryString })))).toBe(sentence);
  });
});

const SCHEMA = {
  properties: {
    page: { type: 'integer' },
    per_page: { type: 'integer' },
    sub_id_eq: { type: 'string' },
    clicks: { type: 'boolean' },
  },
};
const read = (rawQueryString: string) => readQuery(httpEvent({ rawQueryString }), SCHEMA);

describe('queries', () => {
  test.each([
    '',
    '&',
    '&&=&',
    '=',
    '=1',
    'unknown=1&unknown=2',
    'PAGE=1',
    'page%5B%5D=1',
    '%zz',
    '%zz=%zz',
    '__proto__=1',
    'toString=1',
  ])('the query %p has no known parameter', (query) => {
    expect(read(query)).toEqual({});
  });

  test.each([
    ['true', true],
    ['false', false],
    ['True', 'True'],
    ['', ''],
  ])('a query returns clicks=%s as %j', (written, value) => {
    expect(read(`clicks=${written}&sub_id_eq=true`)).toEqual({ clicks: value, sub_id_eq: 'true' });
  });

  test.each([
    ['0', 0],
    ['1', 1],
    ['1000000000000000', '1000000000000000'],
    ['01', '01'],
    ['1e1', '1e1'],
    ['-1', '-1'],
    ['', ''],
  ])('a query returns page=%s as %j', (written, value) => {
    expect(read(`page=${written}`)).toEqual({ page: value });
  });

  test.each([
    ['page=1&page=1', 'page'],
    ['sub_id_eq&sub_id_eq=a', 'sub_id_eq'],
    ['sub_id_eq=a&sub%5Fid%5Feq=b', 'sub_id_eq'],
  ])('the query %p has a known parameter twice: the error contains it', (query, name) => {
    expect(refusal(() => read(query))).toBe(`${name} must be given only once`);
  });

  test.each(['%zz', '%', '%e', '%E0%A4', '%ff', '%C0%80', '%ED%A0%80', 'a%80b', '%u0041'])(
    'a query with the broken percent-encoding %p is rejected, and the error contains the parameter',
    (written) => {
      expect(refusal(() => read(`sub_id_eq=${written}`))).toBe('sub_id_eq is not valid percent-encoded UTF-8');
    },
  );

  test('a query returns every text as it was before it was encoded, as a form or as a URL', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(read(`sub_id_eq=${encodeURIComponent(text)}`)).toEqual({ sub_id_eq: text });
        expect(read(new URLSearchParams({ sub_id_eq: text }).toString())).toEqual({ sub_id_eq: text });
      }),
    );
  });
});
