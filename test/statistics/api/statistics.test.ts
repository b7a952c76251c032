import { beforeAll, describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { type MoneyKind, NO_MONEY, NO_NUMBERS } from '../../../functions/kernel/accounts/rules/totals.ts';
import { findAdvocate } from '../../../functions/kernel/accounts/table/advocate-items.ts';
import { exactNumbers } from '../../../functions/kernel/json.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import type { OperationId } from '../../../functions/routes.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken } from '../../support/program.ts';
import { AFFILIATE_REFUSED, cursorOf, idsOf, outcomeOf } from '../../support/responses.ts';
import { addMoney, addNumbers } from '../../support/statistics/statistics.ts';
import { atTime } from '../../support/table.ts';
import { useProgram } from '../../support/use-table.ts';

const { table: stored, program, advocate: jane } = await useProgram({}, { slug: 'jane' });
const table = atTime(stored, () => milliseconds(Date.parse('2026-03-10T12:00:00Z')));
const john = await anAdvocate(stored, program, { slug: 'john' });
const token = await aToken(stored, program);
const affiliateToken = await aToken(stored, program, jane);
const all = { clicks: 1, conversions: 1, paying: 1, churned: 1, rejected: 1 };
const NOTHING = { ...NO_NUMBERS, money: [] };
beforeAll(async () => {
  await anAdvocate(stored, program, { slug: 'idle' });
  await updateAdvocate(stored, program.id, 'john', { active: false });
  await addNumbers(stored, program, 'jane', '2026-03-10', { clicks: 5, conversions: 2 });
  await addNumbers(stored, program, 'jane', '2026-02-28', { clicks: 3, paying: 1 });
  await addNumbers(stored, program, 'jane', '2026-02-08', { clicks: 100 });
  await addNumbers(stored, program, 'john', '2026-03-01', all);
  await addNumbers(stored, await aProgram(stored), 'jane', '2026-03-10', { clicks: 1000 });
});

describe.each(DRIVERS)('money in statistics through %s', (_, connect) => {
  const send = connect(table);
  const half = Number.MAX_SAFE_INTEGER;
  const large = 2n * BigInt(half);
  let own: Program;
  let caller: { readonly token: string };
  beforeAll(async () => {
    own = await aProgram(stored);
    caller = { token: await aToken(stored, own) };
    for (const slug of ['amy', 'bob', 'cat', 'idle']) await anAdvocate(stored, own, { slug });
    const add = (slug: string, day: string, currency: string, money: Partial<Record<MoneyKind, number>>) =>
      addMoney(stored, own, slug, day, { currency, ...money });
    await add('amy', '2026-03-10', 'usd', { revenue: 1000, commissions: 200 });
    await add('amy', '2026-03-09', 'usd', { revenue: -300, commissions: -60, settled: 500 });
    await add('amy', '2026-02-01', 'eur', { revenue: 10, commissions: 3, adjustments: 5 });
    await add('bob', '2026-03-09', 'usd', { revenue: 700, commissions: 250 });
    await add('bob', '2025-01-01', 'usd', { settled: 240 });
    await add('cat', '2026-03-01', 'usd', { adjustments: 40 });
    await addNumbers(stored, own, 'cat', '2026-03-01', { clicks: 7 });
    for (const revenue of [half, half]) await add('cat', '2026-03-01', 'huf', { revenue });
  });
  const text = async (operation: OperationId, query: string) => (await send({ ...caller, operation, query })).text;
  const money = (currency: string, sums: Partial<Record<MoneyKind, bigint>>) => ({ currency, ...NO_MONEY, ...sums });
  const json = (value: unknown) => JSON.stringify(exactNumbers(value));

  test('a day, a range and the lifetime have the money of their entries by currency, with all digits', async () => {
    const usd = money('usd', { revenue: 1400n, commissions: 390n, adjustments: 40n, settled: 500n });
    const huf = money('huf', { revenue: large });
    const range = await text('getStatistics', 'from=2026-03-01');
    expect(range).toContain(`"total":${json({ ...NO_NUMBERS, clicks: 7, money: [huf, usd] })}`);
    const day = money('usd', { revenue: 400n, commissions: 190n, settled: 500n });
    expect(range).toContain(json({ key: '2026-03-09', ...NO_NUMBERS, money: [day] }));
    const eur = money('eur', { revenue: 10n, commissions: 3n, adjustments: 5n });
    const ofAmy = money('usd', { revenue: 700n, commissions: 140n, settled: 500n });
    const amy = { total: { ...NO_NUMBERS, money: [eur, ofAmy] }, groups: [] };
    expect(await text('getStatistics', 'range=lifetime&affiliate_slug=amy')).toContain(json(amy).slice(0, -1));
    const token = await aToken(stored, own, await findAdvocate(stored, own.id, 'amy'));
    const response = await send({ operation: 'getOwnStatistics', token, query: 'range=lifetime' });
    expect(response.text).toContain(json(amy).slice(0, -1));
  });

  test.each([
    ['sort=revenue&currency=usd&from=2026-03-01', ['amy 700', 'bob 700', 'cat 0']],
    ['sort=revenue&range=lifetime', ['cat 18014398509481982']],
    ['sort=commissions&currency=usd&from=2026-03-01', ['bob 250', 'amy 140', 'cat 0']],
    ['sort=balance&currency=usd&range=lifetime', ['cat 40', 'bob 10', 'amy -360']],
    ['sort=clicks&range=lifetime', ['cat 7']],
    ['sort=conversions&from=2026-03-01', ['cat 0']],
    ['sort=revenue&currency=jpy&range=lifetime', []],
  ])('advocates with %s', async (query, expected) => {
    const { json } = await send({ ...caller, operation: 'listAdvocateStatistics', query });
    const [, sort = '', currency] = /sort=(\w+)(?:&currency=(\w+))?/.exec(query) ?? [];
    type Row = {
      id: string;
      attributes: Record<string, unknown> & { money: ({ currency: string } & Record<string, number>)[] };
    };
    const sortedBy = ({ attributes }: Row) => {
      const sums = attributes.money.find((each) => each.currency === (currency ?? 'huf'));
      if (sort === 'balance')
        return (sums?.['commissions'] ?? 0) + (sums?.['adjustments'] ?? 0) - (sums?.['settled'] ?? 0);
      return sums?.[sort] ?? attributes[sort];
    };
    expect(json.data.map((row: Row) => `${row.id} ${sortedBy(row)}`)).toEqual(expected);
  });

  test('a sorted list continues after its last row', async () => {
    const other = await aProgram(stored);
    for (let index = 0; index < 53; index += 1) {
      const { slug } = await anAdvocate(stored, other, { slug: `a-${String(index).padStart(2, '0')}` });
      await addMoney(stored, other, slug, '2026-03-10', { currency: 'usd', revenue: 1 + (index % 2) });
    }
    const request = { operation: 'listAdvocateStatistics' as const, token: await aToken(stored, other) };
    const first = await send({ ...request, query: 'sort=revenue' });
    const rest = await send({ ...request, query: `sort=revenue&cursor=${cursorOf(first)}` });
    const even = (rest: number) =>
      Array.from({ length: 53 }, (_, index) => index).filter((index) => index % 2 === rest);
    const expected = [...even(1), ...even(0)].map((index) => `a-${String(index).padStart(2, '0')}`);
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(expected);
    expect([idsOf(first).length, cursorOf(rest)]).toEqual([50, undefined]);
  });

  test.each([
    ['range=lifetime&from=2026-01-01', 'from cannot be combined with range=lifetime: remove one of them'],
    ['range=lifetime&group_by=month', 'group_by cannot be combined with range=lifetime: remove one of them'],
    ['range=year', 'range must be one of lifetime'],
  ])('statistics with %s are refused', async (query, sentence) => {
    expect(outcomeOf(await send({ ...caller, operation: 'getStatistics', query }))).toEqual([
      400,
      'invalid_field',
      sentence,
    ]);
  });

  test.each([
    ['sort=balance', 'sort can be balance only with range=lifetime'],
    ['sort=earned', 'sort must be one of paying, conversions, clicks, revenue, commissions, balance'],
    [
      'sort=clicks&currency=usd',
      'currency requires a sort by revenue, commissions or balance: add it, or remove currency',
    ],
    ['sort=revenue&currency=USD', 'currency must be the code of a currency in lower case, such as usd'],
    ['slugs=amy&per_page=1', 'per_page cannot be combined with slugs: remove one of them'],
    ['slugs=amy&sort=clicks', 'sort cannot be combined with slugs: remove one of them'],
    ['cursor=eA', 'cursor is not valid for this list and these filters: request the first page again'],
  ])('a list with %s is refused', async (query, sentence) => {
    const response = await send({ ...caller, operation: 'listAdvocateStatistics', query });
    expect(outcomeOf(response)).toEqual([400, 'invalid_field', sentence]);
  });
});

describe.each(DRIVERS)('statistics through %s', (_, connect) => {
  const send = connect(table);
  const get = async (query = '') => (await send({ operation: 'getStatistics', token, query })).json.data;
  const own = (query: string) => send({ operation: 'getOwnStatistics', token: affiliateToken, query });
  const advocates = (query = '') => send({ operation: 'listAdvocateStatistics', token, query });

  test('the program has the last 30 days by default, newest first, zeros included', async () => {
    const { id, type, attributes } = await get();
    expect([id, type]).toEqual([program.id, 'statistics']);
    expect(attributes.total).toEqual({
      ...{ clicks: 9, conversions: 3, paying: 2, churned: 1, rejected: 1, money: [] },
    });
    expect(attributes.groups).toHaveLength(30);
    expect(attributes.groups[0]).toEqual({ key: '2026-03-10', ...NOTHING, clicks: 5, conversions: 2 });
    expect(attributes.groups[1]).toEqual({ key: '2026-03-09', ...NOTHING });
    expect(attributes.groups[29].key).toBe('2026-02-09');
  });

  test('one advocate, also a deactivated one, has a range of its own, by day or month', async () => {
    expect((await get('affiliate_slug=JANE&from=2026-02-08')).attributes.total.clicks).toBe(108);
    const { id, attributes } = await get('affiliate_slug=john&from=2026-02-01&to=2026-03-01&group_by=month');
    const groups = [
      { key: '2026-03', ...all, money: [] },
      { key: '2026-02', ...NOTHING },
    ];
    expect([id, attributes]).toEqual(['john', { total: { ...all, money: [] }, groups }]);
    expect((await get('affiliate_slug=idle')).attributes.total).toEqual(NOTHING);
  });

  test("an affiliate sees its own advocate's statistics only", async () => {
    const { json } = await own('to=2026-02-28');
    expect(json.data.id).toBe('jane');
    expect(json.data.attributes.total).toEqual({ ...NOTHING, clicks: 103, paying: 1 });
  });

  test('the advocates with the most paying customers come first, and advocates without a number are left out', async () => {
    const ofJane = { first_name: jane.firstName, last_name: jane.lastName, active: true, ...NOTHING };
    const ofJohn = { first_name: john.firstName, last_name: john.lastName, active: false, ...NOTHING };
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
    ...['sub_id_eq', 'page', 'clicks', 'created_at_gt'].map((name) => [
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
