import { beforeAll, describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aToken } from '../../support/program.ts';
import { cursorOf, idsOf, outcomeOf } from '../../support/responses.ts';
import { addMoney, addNumbers } from '../../support/statistics/statistics.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program } = await useProgram({}, { slug: 'oldest' });
const token = await aToken(table, program);
const DAY = '2026-03-10';
beforeAll(async () => {
  for (const [index, slug] of ['amy', 'bob', 'cat', 'dan', 'new'].entries()) {
    await anAdvocate(table, program, { slug }, seconds(1_800_000_000 + index));
  }
  await addMoney(table, program, 'amy', DAY, { currency: 'usd', revenue: 900, commissions: 90, settled: 90 });
  await addMoney(table, program, 'bob', DAY, { currency: 'usd', revenue: 500, commissions: 50, adjustments: 45 });
  await addMoney(table, program, 'bob', DAY, { currency: 'eur', revenue: 700 });
  await addMoney(table, program, 'cat', DAY, { currency: 'usd', adjustments: -5 });
  await addNumbers(table, program, 'cat', DAY, { clicks: 3, conversions: 2, paying: 1 });
  await addNumbers(table, program, 'dan', DAY, { clicks: 3 });
  await updateAdvocate(table, program.id, 'bob', { active: false });
  await updateAdvocate(table, program.id, 'new', { active: false });
});

describe.each(DRIVERS)('sorted advocates through %s', (_, connect) => {
  const send = connect(table);
  const get = (query: string) => send({ operation: 'listAdvocatesV2', token, query });
  const slugsOf = ({ json }: Awaited<ReturnType<typeof get>>): string[] =>
    json.data.map(({ attributes }: { attributes: { slug: string } }) => attributes.slug);

  test.each([
    ['sort=earned', ['bob', 'amy', 'dan', 'cat', 'new', 'oldest']],
    ['sort=balance&currency=usd', ['bob', 'amy', 'dan', 'cat', 'new', 'oldest']],
    ['sort=revenue', ['amy', 'bob', 'cat', 'dan', 'new', 'oldest']],
    ['sort=revenue&currency=eur', ['bob', 'amy', 'cat', 'dan', 'new', 'oldest']],
    ['sort=paying', ['cat', 'amy', 'bob', 'dan', 'new', 'oldest']],
    ['sort=conversions', ['cat', 'amy', 'bob', 'dan', 'new', 'oldest']],
    ['sort=clicks', ['cat', 'dan', 'amy', 'bob', 'new', 'oldest']],
    ['sort=revenue&active_eq=true', ['amy', 'cat', 'dan', 'oldest']],
    ['sort=clicks&active_eq=false', ['bob', 'new']],
  ])('all advocates with %s, also page by page', async (query, expected) => {
    expect(slugsOf(await get(query))).toEqual(expected);
    for (const size of [1, 2, 4]) {
      const slugs: string[] = [];
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const page = await get(`${query}&per_page=${size}${cursor && `&cursor=${cursor}`}`);
        expect(idsOf(page).length).toBeLessThanOrEqual(size);
        slugs.push(...slugsOf(page));
        cursor = cursorOf(page);
      }
      expect(slugs).toEqual(expected);
    }
  });

  test('each row has its totals, which the default list has not', async () => {
    const { json } = await get('sort=paying');
    const none = { clicks: 0, conversions: 0, paying: 0, churned: 0, rejected: 0 };
    const usd = { currency: 'usd', revenue: 500, commissions: 50, adjustments: 45, settled: 0 };
    const eur = { currency: 'eur', revenue: 700, commissions: 0, adjustments: 0, settled: 0 };
    expect(json.data[2].attributes).toMatchObject({
      slug: 'bob',
      active: false,
      totals: { ...none, money: [eur, usd] },
    });
    expect(json.data[4].attributes.totals).toEqual({ ...none, money: [] });
    expect((await get('sort=created_at')).json.data[0].attributes).not.toHaveProperty('totals');
  });

  test.each([
    ['sort=name', 'sort must be one of created_at, earned, balance, revenue, paying, conversions, clicks'],
    ['sort=clicks&currency=usd', 'currency requires a sort by earned, balance or revenue: add it, or remove currency'],
    ['sort=earned&currency=x', 'currency must be the code of a currency in lower case, such as usd'],
    ['sort=earned&search=amy', 'search cannot be combined with sort=earned: remove one of them'],
    ['sort=earned&page=2', 'page cannot be combined with sort=earned: remove one of them'],
    ['sort=earned&cursor=eA', 'cursor is not valid for this list and these filters: request the first page again'],
  ])('a list with %s is refused', async (query, sentence) => {
    expect(outcomeOf(await get(query))).toEqual([400, 'invalid_field', sentence]);
  });
});
