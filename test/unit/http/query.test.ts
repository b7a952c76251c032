import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readQuery } from '../../../functions/http/validation.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { httpEvent, refusal } from '../samples.ts';

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
  test('a query returns whole numbers as numbers and the rest as text', () => {
    expect(read('page=2&per_page=50&sub_id_eq=7')).toEqual({ page: 2, per_page: 50, sub_id_eq: '7' });
  });

  test.each(['', '&', '&&=&', '=', '=1', 'unknown=1&unknown=2', 'PAGE=1', 'page%5B%5D=1', '%zz', '%zz=%zz', 'x=%zz'])(
    'the query %p has no known parameter',
    (query) => {
      expect(read(query)).toEqual({});
    },
  );

  test.each(['__proto__=1', 'constructor=1', 'toString=1', 'hasOwnProperty=x', '__proto__%5Bpage%5D=1'])(
    'the query %p is not a parameter, although every object has such a property',
    (query) => {
      const values = read(query);
      expect(Object.keys(values)).toEqual([]);
      expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
    },
  );

  test.each([
    ['true', true],
    ['false', false],
    ['%66alse', false],
    ['True', 'True'],
    ['0', '0'],
    ['', ''],
  ])('a query returns clicks=%s as %j', (written, value) => {
    expect(read(`clicks=${written}&sub_id_eq=true`)).toEqual({ clicks: value, sub_id_eq: 'true' });
  });

  test.each([
    ['0', 0],
    ['1', 1],
    ['999999999', 999_999_999],
    ['1000000000', 1_000_000_000],
    ['1000000000000000', '1000000000000000'],
    ['01', '01'],
    ['1e1', '1e1'],
    ['+1', ' 1'],
    ['-1', '-1'],
    ['1.0', '1.0'],
    ['0x1', '0x1'],
    ['%D9%A1', '١'],
    ['', ''],
    ['1=2', '1=2'],
  ])('a query returns page=%s as %j', (written, value) => {
    expect(read(`page=${written}`)).toEqual({ page: value });
  });

  test.each([
    ['page=1&page=1', 'page'],
    ['page=1&per_page=2&page=2', 'page'],
    ['sub_id_eq&sub_id_eq=a', 'sub_id_eq'],
    ['sub_id_eq=a&sub%5Fid%5Feq=b', 'sub_id_eq'],
    ['page=&page=', 'page'],
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

  test('a query of any characters is read, or rejected with the name of a known parameter', () => {
    const part = fc.oneof(
      fc.constantFrom('page', 'per_page', 'sub_id_eq', '=', '&', '%', '+', '%zz', '%00', '__proto__'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        return /^(?:page|per_page|sub_id_eq) /.test(refusal(() => read(parts.join(''))) ?? 'page ');
      }),
      { numRuns: 1000 },
    );
  });
});
