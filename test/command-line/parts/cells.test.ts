import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  fieldParser,
  listOf,
  oneOf,
  optional,
  percentage,
  required,
  time,
  timeUntil,
  uuid,
} from '../../../bin/admin/import/cells.ts';
import { ADVOCATE_FIELDS } from '../../../functions/domain/advocate-fields.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { aSecond, aUuid, refusal } from '../../unit/samples.ts';

const EXAMPLE = '2026-01-31T12:00:00Z';
const INVALID_TIME = `column must be a time in Unix seconds, in RFC 3339, or as YYYY-MM-DD HH:MM:SS with UTC or an offset, such as ${EXAMPLE}`;
const IN_MILLISECONDS = 'column must not be in milliseconds: divide by 1000';

test('a cell is parsed; it is null if it is empty or if the file lacks its column', () => {
  const parse = (column: string, text: string) => `${column} ${text}`;
  const cells = { a: '12', b: '' };
  expect(['a', 'b', 'c'].map((column) => optional(cells, column, parse))).toEqual(['a 12', null, null]);
  expect(required('a', 0)).toBe(0);
  expect(refusal(() => required('a', undefined))).toBe('a must not be empty');
});

describe('the fields in a line', () => {
  const parse = fieldParser(ADVOCATE_FIELDS, { active: (_, text) => text === 'yes' });

  test('the fields in a line are read by their types, and checked as in a request', () => {
    const cells = {
      email: ' A@B.example',
      slug: 'JANE',
      commission_percentage: '1e-7',
      created_at: '1970-01-01 00:00:09Z',
    };
    expect(parse({ ...cells, metadata: '{"b":"2","a":"1"}', active: 'yes', owner: 'x', version: '1' })).toEqual({
      email: 'a@b.example',
      slug: 'jane',
      commissionPercentage: 0,
      createdAt: 9,
      metadata: { a: '1', b: '2' },
      active: true,
    });
    expect(refusal(() => parse({ company_id: 'c'.repeat(129) }))).toBe('company_id must be 1 to 128 characters long');
    expect(refusal(() => parse({ metadata: '{' }))).toBe('metadata must be JSON');
    expect(refusal(() => parse({ metadata: '[]' }))).toBe('metadata must be a JSON object');
  });

  test('the fields in a line are empty in an empty cell, and absent without a column or an empty value', () => {
    const cells = { email: '', slug: '', uid: '', created_at: '', active: '', metadata: '' };
    expect(parse(cells)).toEqual({ uid: null, metadata: {} });
  });
});

describe('times', () => {
  test('a time is Unix seconds or RFC 3339', () => {
    fc.assert(
      fc.property(aSecond, (second) => {
        expect(time('column', String(second))).toBe(second);
        expect(time('column', new Date(second * 1000).toISOString())).toBe(second);
      }),
    );
    expect(time('column', '2023-11-15T00:13:20.999+02:00')).toBe(1_700_000_000);
  });

  test.each([
    ['2023-11-14 22:13:20 UTC', 1_700_000_000],
    ['2023-11-14 22:13:20.500 utc', 1_700_000_000],
    ['2023-11-14 22:13:20 GMT', 1_700_000_000],
    ['2023-11-14 22:13:20Z', 1_700_000_000],
    ['2023-11-15 00:13:20 +0200', 1_700_000_000],
    ['2023-11-14 17:13:20-05:00', 1_700_000_000],
    ['2023-11-15T00:13:20+02:00', 1_700_000_000],
    ['2023-11-14T22:13:20+0000', 1_700_000_000],
    ['2023-11-14t22:13:20.5-0000', 1_700_000_000],
    ['2023-11-15T00:13:20 +0200', 1_700_000_000],
  ])('a time may be written as %j', (text, second) => {
    expect(time('column', text)).toBe(second);
  });

  test.each([
    '-1',
    '1969-12-31T23:59:59Z',
    '1.5',
    '1e9',
    ' 1',
    '999999999999',
    '1700000000000000',
    '2023-11-14 24:00:00 UTC',
    '2023-11-14 22:13:20 CET',
    '2023-11-14 22:13:20 +1500',
    '2023-11-14T22:13:20+0060',
    '2023-11-14T22:13:20+000',
    'Nov 14, 2023',
    'NaN',
    '0x1',
  ])('the time %j is not valid', (text) => {
    expect(refusal(() => time('column', text))).toBe(INVALID_TIME);
  });

  test.each<[string, string]>([
    ['1700000000000', IN_MILLISECONDS],
    ['253402300799999', IN_MILLISECONDS],
    ['2023-02-29', INVALID_TIME],
    ['2023-02-29T00:00:00Z', INVALID_TIME],
    ['2023-02-29 00:00:00 UTC', INVALID_TIME],
    ['2023-02-29 00:00', INVALID_TIME],
    ['2023-13-01', INVALID_TIME],
    ['2023-11-14', INVALID_TIME],
  ])('the time %j is not valid, for a specific reason', (text, sentence) => {
    expect(refusal(() => time('column', text))).toBe(sentence);
  });

  test.each(['2023-11-14 22:13', '2023-11-14 22:13:20', '2023-11-14T22:13:20', '2023-11-14 22:13:20.5'])(
    'the time %j is not guessed to be in some time zone',
    (text) => {
      expect(refusal(() => time('column', text))).toBe(INVALID_TIME);
    },
  );

  test.each(['03/04/2024', '3/4/24', '03/04/2024 10:00 UTC', '14.11.2023', '31.12.2024', '03-04-2024'])(
    '%j is not guessed to start with the day or the month',
    (text) => {
      expect(refusal(() => time('column', text))).toBe(INVALID_TIME);
    },
  );

  test('a time can be limited to the past', () => {
    const past = timeUntil(seconds(100));
    expect(past('column', '100')).toBe(100);
    expect(refusal(() => past('column', '101'))).toBe('column must not be in the future');
  });
});

describe('percentages', () => {
  test('a percentage is read as JavaScript writes it, and rounded to 6 decimals', () => {
    const rate = fc.oneof(fc.double({ min: 0, max: 100, noNaN: true }), fc.integer({ min: 0, max: 100 }));
    fc.assert(
      fc.property(rate, (value) => {
        expect(percentage('column', String(value))).toBeCloseTo(value, 5);
      }),
    );
    expect(percentage('column', '12.50')).toBe(12.5);
    expect(percentage('column', '1e-7')).toBe(0);
    expect(percentage('column', '33.33333349')).toBe(33.333333);
  });

  test.each(['-1', '100.1', '101', '1e3', '1,5', '20%', '.5', 'NaN', 'Infinity', '0x1', ' 1', '1'.repeat(1000)])(
    'the percentage %j is not valid',
    (text) => {
      expect(refusal(() => percentage('column', text))).toBe('column must be a number from 0 to 100');
    },
  );
});

test('an id is a UUIDv7 in any case', () => {
  fc.assert(
    fc.property(aUuid, (id) => {
      expect(uuid('column', id.toUpperCase())).toBe(id);
    }),
  );
  for (const text of ['4711', '019a2b3c-4d5e-4f60-8a1b-2c3d4e5f6071', ' ']) {
    expect(refusal(() => uuid('column', text))).toBe('column must be a UUIDv7, or empty');
  }
});

test('a value from a list is compared exactly', () => {
  const choice = oneOf(['paid', 'churned']);
  expect(choice('column', 'paid')).toBe('paid');
  for (const text of ['Paid', 'paid ', 'toString']) {
    expect(refusal(() => choice('column', text))).toBe(
      'column must be one of paid, churned, or translated with --map-state',
    );
  }
});

test('a list contains values separated by spaces, each once', () => {
  const flags = listOf(['a', 'b']);
  expect([flags('column', 'b'), flags('column', ' b  a b '), flags('column', ' ')]).toEqual([['b'], ['a', 'b'], []]);
  for (const text of ['c', 'a c', 'a,b', 'A']) {
    expect(refusal(() => flags('column', text))).toBe('column must contain only a, b');
  }
});
