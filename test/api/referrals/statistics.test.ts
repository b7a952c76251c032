import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { NO_NUMBERS } from '../../../functions/domain/statistics/statistics.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken } from '../../support/program.ts';
import { addNumbers } from '../../support/statistics/statistics.ts';
import { atTime } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const stored = useTable();
const table = atTime(stored, () => milliseconds(Date.parse('2026-03-10T12:00:00Z')));
let program: Program;
let jane: Advocate;
let john: Advocate;
let token: string;
let affiliateToken: string;
beforeAll(async () => {
  program = await aProgram(stored);
  jane = await anAdvocate(stored, program, { slug: 'jane' });
  john = await anAdvocate(stored, program, { slug: 'john' });
  await anAdvocate(stored, program, { slug: 'idle' });
  await updateAdvocate(stored, program.id, 'john', { active: false });
  token = await aToken(stored, program);
  affiliateToken = await aToken(stored, program, jane);
  await addNumbers(stored, program, 'jane', '2026-03-10', { clicks: 5, conversions: 2 });
  await addNumbers(stored, program, 'jane', '2026-02-28', { clicks: 3, paying: 1 });
  await addNumbers(stored, program, 'jane', '2026-02-08', { clicks: 100 });
  await addNumbers(stored, program, 'john', '2026-03-01', {
    clicks: 1,
    conversions: 1,
    paying: 1,
    churned: 1,
    rejected: 1,
  });
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
    const numbers = { clicks: 1, conversions: 1, paying: 1, churned: 1, rejected: 1 };
    expect([id, attributes]).toEqual([
      'john',
      {
        total: numbers,
        groups: [
          { key: '2026-03', ...numbers },
          { key: '2026-02', ...NO_NUMBERS },
        ],
      },
    ]);
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
      row('john', { ...ofJohn, clicks: 1, conversions: 1, paying: 1, churned: 1, rejected: 1 }),
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

  test.each([
    ['from=2026-03-11', 'from must not be after today'],
    ['from=2026-03-02&to=2026-03-01', 'from must not be after to'],
    ['from=2025-02-03', 'from must be at most 400 days before the end of the range'],
    ['from=2026-02-29', 'from must be a date such as 2026-01-31'],
    ['to=2026-04-31', 'to must be a date such as 2026-01-31'],
    ['to=yesterday', 'to must be a date such as 2026-01-31'],
    ['from=2026-01-01&from=2026-01-02', 'from must be given only once'],
  ])('the range %s is rejected by all operations', async (query, error) => {
    for (const { status, json } of [
      await send({ operation: 'getStatistics', token, query }),
      await own(query),
      await advocates(query),
    ]) {
      expect([status, json]).toEqual([400, { error }]);
    }
  });

  test.each(['affiliate_slug=nobody', 'affiliate_slug=a%20b', 'affiliate_slug=', `affiliate_slug=${'x'.repeat(65)}`])(
    'the slug in %s is rejected',
    async (query) => {
      const { status, headers, json } = await send({ operation: 'getStatistics', token, query });
      expect([status, json]).toEqual([400, { error: 'Invalid affiliate slug' }]);
      expect(headers['x-error-code']).toBe('invalid_affiliate_slug');
    },
  );

  test.each(['slugs=nobody', 'slugs=jane,nobody', 'slugs=jane,', 'slugs=', 'slugs=jane,JANE', 'slugs=a%20b'])(
    'the slugs in %s are rejected',
    async (query) => {
      const { status, json } = await advocates(query);
      expect([status, json]).toEqual([400, { error: 'Invalid affiliate slug' }]);
    },
  );

  test('more than 50 slugs are rejected', async () => {
    const slugs = Array.from({ length: 51 }, (_, index) => `a-${index}`);
    const { status, json } = await advocates(`slugs=${slugs}`);
    expect([status, json]).toEqual([400, { error: 'slugs must be at most 50 slugs: send several requests' }]);
  });

  test.each(['sub_id_eq=a', 'page=1', 'per_page=1', 'cursor=a', 'clicks=true', 'created_at_gt=2026-01-01T00:00:00Z'])(
    'the parameter of other operations in %s is rejected',
    async (query) => {
      for (const { status } of [
        await send({ operation: 'getStatistics', token, query }),
        await own(query),
        await advocates(query),
      ]) {
        expect(status).toBe(400);
      }
    },
  );

  test('parameters that only similar operations have are rejected', async () => {
    const statuses = [
      await own('affiliate_slug=jane'),
      await own('slugs=jane'),
      await send({ operation: 'getStatistics', token, query: 'slugs=jane' }),
      await advocates('group_by=day'),
      await advocates('affiliate_slug=jane'),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 400, 400, 400, 400]);
  });
});
