import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { advocateParser } from '../../../bin/admin/advocate/import.ts';
import type { Cells } from '../../../bin/admin/csv.ts';
import { fieldParser, listOf, time, timeUntil, uuid } from '../../../bin/admin/import/cells.ts';
import { referralIds, referralParser } from '../../../bin/admin/referral/import.ts';
import { ADVOCATE_FIELDS } from '../../../functions/kernel/accounts/rules/advocate-fields.ts';
import type { Random } from '../../../functions/kernel/ids.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { aSecond, NOW, PROGRAM_ID, REFERRAL_ID, refusal } from '../../support/samples.ts';

const EXAMPLE = '2026-01-31T12:00:00Z';
const INVALID_TIME = `column must be a time in Unix seconds, in RFC 3339, or as YYYY-MM-DD HH:MM:SS with UTC or an offset, such as ${EXAMPLE}`;

test('the fields in a line are read by their types, and checked as in a request', () => {
  const parse = fieldParser(ADVOCATE_FIELDS, { active: (_, text) => text === 'yes' });
  const cells = { email: ' A@B.example', slug: 'JANE', commission_percentage: '1e-7', uid: '' };
  expect(parse({ ...cells, metadata: '{"b":"2","a":"1"}', active: 'yes', owner: 'x', version: '1' })).toEqual({
    ...{ email: 'a@b.example', slug: 'jane', commissionPercentage: 0, uid: null },
    ...{ metadata: { a: '1', b: '2' }, active: true },
  });
  expect(refusal(() => parse({ company_id: 'c'.repeat(129) }))).toBe('company_id must be 1 to 128 characters long');
  expect(refusal(() => parse({ metadata: '{' }))).toBe('metadata must be JSON');
});

test('a time is Unix seconds or RFC 3339', () => {
  fc.assert(
    fc.property(aSecond, (second) => {
      expect(time('column', String(second))).toBe(second);
      expect(time('column', new Date(second * 1000).toISOString())).toBe(second);
    }),
  );
});

test.each(['2023-11-14 22:13:20 UTC', '2023-11-15 00:13:20 +0200', '2023-11-14 17:13:20-05:00'])(
  'a time may be written as %j',
  (text) => {
    expect(time('column', text)).toBe(1_700_000_000);
  },
);

test.each([
  ...['-1', '1969-12-31T23:59:59Z', ' 1', '999999999999', '2023-02-29T00:00:00Z', '2023-11-14 24:00:00 UTC'],
  // Neither a time zone nor the order of day and month is guessed.
  ...['2023-11-14 22:13:20', '2023-11-14 22:13:20 CET', '2023-11-14 22:13:20 +1500', '2023-11-14', '03/04/2024'],
])('the time %j is not valid', (text) => {
  expect(refusal(() => time('column', text))).toBe(INVALID_TIME);
});

test('a time in milliseconds says so, and a time can be limited to the past', () => {
  expect(refusal(() => time('column', '1700000000000'))).toBe('column must not be in milliseconds: divide by 1000');
  const past = timeUntil(seconds(100));
  expect(past('column', '100')).toBe(100);
  expect(refusal(() => past('column', '101'))).toBe('column must not be in the future');
});

test('an id is a UUIDv7 in any case', () => {
  expect(uuid('column', REFERRAL_ID.toUpperCase())).toBe(REFERRAL_ID);
  for (const text of ['4711', '019a2b3c-4d5e-4f60-8a1b-2c3d4e5f6071', ' ']) {
    expect(refusal(() => uuid('column', text))).toBe('column must be a UUIDv7, or empty');
  }
});

test('a list contains values separated by spaces, each once', () => {
  const flags = listOf(['a', 'b']);
  expect([flags('column', 'b'), flags('column', ' b  a b '), flags('column', ' ')]).toEqual([['b'], ['a', 'b'], []]);
  for (const text of ['c', 'a c', 'a,b', 'A']) {
    expect(refusal(() => flags('column', text))).toBe('column must contain only a, b');
  }
});

const jane = { email: 'jane@partners.example', first_name: 'Jane', last_name: 'Doe' };
const slugsOf = (lines: Cells[], program = PROGRAM_ID) => {
  const parsed = lines.map(advocateParser({ id: program, slugs: 'names' }, NOW, randomBytes));
  return parsed.map(({ advocate, otherSlugs }) => [advocate.slug, ...otherSlugs]);
};

test('a line of advocates has the same candidate slugs in every run, and others have other slugs', () => {
  const nameless = { email: jane.email };
  const lines = [jane, nameless, { ...jane, slug: 'jane' }, { ...jane, uid: '1' }, jane];
  const slugs = slugsOf(lines);
  expect(slugsOf(lines)).toEqual(slugs);
  expect(slugs[2]).toEqual(['jane']);
  expect(slugs[4]).toEqual(slugs[0]);
  const last = [...slugs.slice(0, 4), ...slugsOf(lines.slice(0, 2), REFERRAL_ID)].map((all) => all.at(-1));
  expect(new Set(last).size).toBe(6);
});

const click = { advocate_slug: 'jane', state: 'clicked', created_at: '1700000000' };
/** The ids of the lines of one file. All lines name the advocate "jane". */
const idsOf = (lines: Cells[], program = PROGRAM_ID, random: Random = randomBytes) => {
  const idOf = referralIds(program, random);
  return lines.map(referralParser(NOW)).map((row) => idOf(row, 'jane'));
};

test('a line of referrals has the id in the line, or an id that is the same in every run', () => {
  const lines = [click, click, { ...click, id: REFERRAL_ID }, click, { ...click, sub_id: 'a' }];
  const ids = idsOf(lines);
  expect(idsOf(lines)).toEqual(ids);
  expect(ids[2]).toBe(REFERRAL_ID);
  expect(new Set(ids).size).toBe(lines.length);
  const [inOtherProgram] = idsOf(lines, REFERRAL_ID);
  expect(inOtherProgram).not.toBe(ids[0]);
});

test('an id with its created_at does not depend on who its line names, or on its state', () => {
  const ann = { advocate_slug: 'jane', state: 'paid', email: 'ann@shop.example', created_at: '1700000000' };
  const zeros = (count: number) => new Uint8Array(count);
  for (const other of [{ email: 'bob@shop.example' }, { uid: 'cus_1' }, { state: 'rejected' }, { sub_id: 'a' }]) {
    expect(idsOf([{ ...ann, ...other }], PROGRAM_ID, zeros)).toEqual(idsOf([ann], PROGRAM_ID, zeros));
  }
});
