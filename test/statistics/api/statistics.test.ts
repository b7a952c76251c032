import { beforeAll, describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { NO_NUMBERS } from '../../../functions/statistics/rules/statistics.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken } from '../../support/program.ts';
import { AFFILIATE_REFUSED, outcomeOf } from '../../support/responses.ts';
import { addNumbers } from '../../support/statistics/statistics.ts';
import { atTime } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table: stored, program, advocate: jane } = await useProgram({}, { slug: 'jane' });
const table = atTime(stored, () => milliseconds(Date.parse('2026-03-10T12:00:00Z')));
const john = await anAdvocate(stored, program, { slug: 'john' });
const token = await aToken(stored, program);
const affiliateToken = await aToken(stored, program, jane);
const all = { clicks: 1, conversions: 1, paying: 1, churned: 1, rejected: 1 };
beforeAll(async () => {
  await anAdvocate(stored, program, { slug: 'idle' });
  await updateAdvocate(stored, program.id, 'john', { active: false });
  await addNumbers(stored, program, 'jane', '2026-03-10', { clicks: 5, conversions: 2 });
  await addNumbers(stored, program, 'jane', '2026-02-28', { clicks: 3, paying: 1 });
  await addNumbers(stored, program, 'jane', '2026-02-08', { clicks: 100 });
  await addNumbers(stored, program, 'john', '2026-03-01', all);
  await addNumbers(stored, await aProgram(stored), 'jane', '2026-03-10', { clicks: 1000 });
});

describe.each(DRIVERS)('statistics through %s', (_, connect) => {
  const send = connect(table);
  const get = async (query = '') => (await send({ operation: 'getStatistics', token, query })).json.data;
  const own = (query: string) => send({ operation: 'getOwnStatistics', token: affiliateToken, query });
  const advocates = (query = '') => send({ operation: 'listAdvocateStatistics', token, query });

  test('the program has the last 30 days by default, newest first, zeros included', async () => {
    const { id, type, attributes } = await get();
    expect([id, type]).toEqual([program.id, 'statistics']);
    expect(attributes.total).toEqual({ clicks: 9, conversions: 3, paying: 2, churned: 1, rejected: 1 });
    expect(attributes.groups).toHaveLength(30);
    expect(attributes.groups[0]).toEqual({ key: '2026-03-10', ...NO_NUMBERS, clicks: 5, conversions: 2 });
    expect(attributes.groups[1]).toEqual({ key: '2026-03-09', ...NO_NUMBERS });
    expect(attributes.groups[29].key).toBe('2026-02-09');
  });

  test('one advocate, also a deactivated one, has a range of its own, by day or month', async () => {
    expect((await get('affiliate_slug=JANE&from=2026-02-08')).attributes.total.clicks).toBe(108);
    const { id, attributes } = await get('affiliate_slug=john&from=2026-02-01&to=2026-03-01&group_by=month');
    const groups = [
      { key: '2026-03', ...all },
      { key: '2026-02', ...NO_NUMBERS },
    ];
    expect([id, attributes]).toEqual(['john', { total: all, groups }]);
    expect((await get('affiliate_slug=idle')).attributes.total).toEqual(NO_NUMBERS);
  });

  test("an affiliate sees its own advocate's statistics only", async () => {
    const { json } = await own('to=2026-02-28');
    expect(json.data.id).toBe('jane');
    expect(json.data.attributes.total).toEqual({ ...NO_NUMBERS, clicks: 103, paying: 1 });
  });

  test('the advocates with the most paying customers come first, and advocates without a number are left out', async () => {
    const ofJane = { first_name: jane.firstName, last_name: jane.lastName, active: true, ...NO_NUMBERS };
    const ofJohn = { first_name: john.firstName, last_name: john.lastName, active: false, ...NO_NUMBERS };
    const row = (id: string, attributes: object) => ({ id, type: 'statistics', attributes });
    expect((await advocates()).json.data).toEqual([
      row('jane', { ...ofJane, clicks: 8, conversions: 2, paying: 1 }),
      row('john', { ...ofJohn, ...all }),
    ]);
    const named = await advocates('from=2026-03-10&slugs=idle,John,jane');
    expect(
      named.json.data.map(({ id, attributes }: { id: string; attributes: { clicks: number } }) => [
        id,
        attributes.clicks,
      ]),
    ).toEqual([
      ['idle', 0],
      ['john', 0],
      ['jane', 5],
    ]);
    expect(named.json.data[1]).toEqual(row('john', ofJohn));
    expect((await advocates('from=2020-01-01&to=2020-12-31')).json.data).toEqual([]);
  });

  // test/statistics/unit/statistics.test.ts has more ranges.
  test.each([
    ['from=2026-03-11', 'from must not be after today'],
    ['from=2026-02-29', 'from must be a date such as 2026-01-31'],
    ['from=2026-01-01&from=2026-01-02', 'from must be given only once'],
    ...['sub_id_eq', 'page', 'per_page', 'cursor', 'clicks', 'created_at_gt'].map((name) => [
      `${name}=1`,
      `${name} is not a parameter of this operation: remove it`,
    ]),
  ])('the query %s is rejected by all operations', async (query, error) => {
    const program = await send({ operation: 'getStatistics', token, query });
    for (const response of [program, await own(query), await advocates(query)]) {
      expect(outcomeOf(response)).toEqual([400, 'invalid_field', error]);
    }
  });

  test('unknown and malformed slugs are rejected, and more than 50', async () => {
    for (const slug of ['nobody', 'a%20b', '', 'x'.repeat(65)]) {
      const query = `affiliate_slug=${slug}`;
      expect(outcomeOf(await send({ operation: 'getStatistics', token, query }))).toEqual(AFFILIATE_REFUSED);
    }
    for (const slugs of ['nobody', 'jane,nobody', 'jane,', '', 'jane,JANE', 'a%20b']) {
      expect(outcomeOf(await advocates(`slugs=${slugs}`))).toEqual(AFFILIATE_REFUSED);
    }
    const slugs = Array.from({ length: 51 }, (_, index) => `a-${index}`);
    const sentence = 'slugs must be at most 50 slugs: send several requests';
    expect(outcomeOf(await advocates(`slugs=${slugs}`))).toEqual([400, 'invalid_field', sentence]);
  });
});
