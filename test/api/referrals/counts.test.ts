import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { STATES, type State } from '../../../functions/domain/referral/state.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken } from '../../support/program.ts';
import { AFFILIATE_REFUSED, outcomeOf } from '../../support/responses.ts';
import { inParallel } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
/** 2026-01-31T00:00:00Z; a referral was created every six hours from then on. */
const BEGIN = 1_769_817_600;
const SUB_IDS = ['b', null, 'B', 'a'];
let program: Program;
let advocate: Advocate;
let token: string;
let affiliateToken: string;
const referrals: Referral[] = [];
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  token = await aToken(table, program);
  affiliateToken = await aToken(table, program, advocate);
  for (let index = 0; index < 23; index += 1) {
    const state = STATES[index % STATES.length] ?? 'clicked';
    const createdAt = seconds(BEGIN + index * 21_600);
    const changes = {
      state,
      createdAt,
      stateSetAt: createdAt,
      updatedAt: createdAt,
      subId: SUB_IDS[index % 4] ?? null,
    };
    referrals.push(await (state === 'clicked' ? aClick : aReferral)(table, program, advocate, changes));
  }
  await aReferral(table, program, await anAdvocate(table, program));
});

type StateCounts = Record<State, number>;
const countsOf = (rows: readonly Referral[]): StateCounts => {
  const counts = { clicked: 0, converted: 0, paid: 0, churned: 0, rejected: 0 };
  for (const { state } of rows) counts[state] += 1;
  return counts;
};

describe.each(DRIVERS)('counts through %s', (_, connect) => {
  const send = connect(table);

  describe.each(['merchant', 'affiliate'] as const)('counts of the %s', (caller) => {
    const count = (query = '', slug = advocate.slug) =>
      caller === 'merchant'
        ? send({ operation: 'countReferrals', token, query: `affiliate_slug=${slug}&${query}` })
        : send({ operation: 'countOwnReferrals', token: affiliateToken, query });

    test('counts are the numbers of all referrals and clicks by their state', async () => {
      const { status, json } = await count();
      const attributes = { total: countsOf(referrals), groups: [], other: null };
      expect([status, json]).toEqual([200, { data: { id: advocate.slug, type: 'counts', attributes } }]);
    });

    test.each<[query: string, matches: (referral: Referral) => boolean]>([
      ['sub_id_eq=b', ({ subId }) => subId === 'b'],
      ['sub_id_eq=nothing', () => false],
      ['created_at_gt=2026-02-01T00:00:00Z', ({ createdAt }) => createdAt > BEGIN + 86_400],
      ['created_at_lt=2026-02-01%2000:00:00%20%2B0000', ({ createdAt }) => createdAt < BEGIN + 86_400],
      [
        'created_at_gt=2026-02-01T00:00:00Z&created_at_lt=2026-02-04T00:00:00Z&sub_id_eq=a',
        ({ createdAt, subId }) => createdAt > BEGIN + 86_400 && createdAt < BEGIN + 4 * 86_400 && subId === 'a',
      ],
      ['created_at_gt=2030-01-01T00:00:00Z&created_at_lt=2020-01-01T00:00:00Z', () => false],
    ])('counts with %s include only the rows that match', async (query, matches) => {
      const total = countsOf(referrals.filter(matches));
      for (const grouping of ['', '&group_by=day', '&group_by=sub_id']) {
        expect((await count(query + grouping)).json.data.attributes.total).toEqual(total);
      }
    });

    test.each<[grouping: string, keys: (string | null)[], keyOf: (referral: Referral) => string | null]>([
      [
        'day',
        ['2026-02-05', '2026-02-04', '2026-02-03', '2026-02-02', '2026-02-01', '2026-01-31'],
        ({ createdAt }) => new Date(createdAt * 1000).toISOString().slice(0, 10),
      ],
      ['month', ['2026-02', '2026-01'], ({ createdAt }) => new Date(createdAt * 1000).toISOString().slice(0, 7)],
      ['sub_id', ['B', 'a', 'b', null], ({ subId }) => subId],
    ])('counts can be grouped by %s, and the groups add up to the total', async (grouping, keys, keyOf) => {
      const { total, groups } = (await count(`group_by=${grouping}`)).json.data.attributes;
      expect(groups).toEqual(
        keys.map((key) => ({ key, ...countsOf(referrals.filter((referral) => keyOf(referral) === key)) })),
      );
      for (const state of STATES) {
        expect(groups.reduce((sum: number, group: StateCounts) => sum + group[state], 0)).toBe(total[state]);
      }
    });

    test('counts without clicks include the other states, and clicked is null in total and groups', async () => {
      const withoutClicks = referrals.filter(({ state }) => state !== 'clicked');
      const shown = (rows: readonly Referral[]) => ({ ...countsOf(rows), clicked: null });
      const { attributes } = (await count('clicks=false&group_by=month')).json.data;
      expect(attributes).toEqual({
        total: shown(withoutClicks),
        groups: ['2026-02', '2026-01'].map((key) => ({
          key,
          ...shown(withoutClicks.filter(({ createdAt }) => createdAt >= BEGIN + 86_400 === (key === '2026-02'))),
        })),
        other: null,
      });
      expect((await count('clicks=false&sub_id_eq=b')).json.data.attributes.total).toEqual(
        shown(withoutClicks.filter(({ subId }) => subId === 'b')),
      );
    });

    test('counts are the same with clicks=true as without the parameter', async () => {
      expect((await count('clicks=true&group_by=sub_id')).json).toEqual((await count('group_by=sub_id')).json);
    });

    // test/api/bad-queries.test.ts has more queries.
    test.each([
      ['clicks=0', 'clicks must be true or false'],
      ['page=1', 'page is not a parameter of this operation: remove it'],
      ['group_by=week', 'group_by must be one of day, month, sub_id'],
      ['group_by=day&group_by=day', 'group_by must be given only once'],
      ['sub_id_eq=', 'sub_id_eq must be 1 to 128 characters long'],
    ])('counts with %s return 400: "%s"', async (query, sentence) => {
      expect(outcomeOf(await count(query))).toEqual([400, 'invalid_field', sentence]);
    });
  });

  test('counts change with a conversion and a state', async () => {
    const own = await anAdvocate(table, program);
    const { id } = await aClick(table, program, own);
    const total = async () => {
      const query = `affiliate_slug=${own.slug}&group_by=month`;
      const { attributes } = (await send({ operation: 'countReferrals', token, query })).json.data;
      expect(attributes.groups).toHaveLength(1);
      return Object.entries(attributes.total).flatMap(([state, count]) => (count === 0 ? [] : [[state, count]]));
    };
    expect(await total()).toEqual([['clicked', 1]]);
    const body = { gr_id: `${own.slug}_${id}`, uid: id };
    await send({ operation: 'trackConversionV2', token, body });
    expect(await total()).toEqual([['converted', 1]]);
    await send({ operation: 'setState', token, body: { id, state: 'paid' } });
    expect(await total()).toEqual([['paid', 1]]);
  });

  test('an advocate without referrals has zero counts, also if it is deactivated', async () => {
    const idle = await anAdvocate(table, program);
    await updateAdvocate(table, program.id, idle.slug, { active: false });
    const query = `affiliate_slug=${idle.slug.toUpperCase()}&group_by=day`;
    const { status, json } = await send({ operation: 'countReferrals', token, query });
    expect([status, json.data]).toEqual([
      200,
      { id: idle.slug, type: 'counts', attributes: { total: countsOf([]), groups: [], other: null } },
    ]);
  });

  test.each(['', '&group_by=day', '&sub_id_eq=b', '&created_at_gt=2026-01-01T00:00:00Z'])(
    'an unknown advocate returns 400, with "%s"',
    async (filters) => {
      const response = await send({ operation: 'countReferrals', token, query: `affiliate_slug=nobody${filters}` });
      expect(outcomeOf(response)).toEqual(AFFILIATE_REFUSED);
    },
  );

  test.each(['', 'affiliate_slug=', 'affiliate_slug=a.b', 'affiliate_slug=a&affiliate_slug=a'])(
    'a missing or invalid slug returns 400 with its name: "%s"',
    async (query) => {
      const response = await send({ operation: 'countReferrals', token, query });
      expect(outcomeOf(response)).toEqual([400, 'invalid_field', expect.stringMatching(/^affiliate_slug /)]);
    },
  );
});

describe.each(DRIVERS)('more than 1,000 groups, through %s', (_, connect) => {
  const send = connect(table);

  test('the 1,000 largest groups are listed and the others summed, so that clicks cannot switch counts off', async () => {
    const busy = await anAdvocate(table, program);
    await inParallel(
      Array.from({ length: 1001 }, (_row, day) => seconds(BEGIN + day * 86_400)),
      (createdAt) => aClick(table, program, busy, { createdAt, stateSetAt: createdAt, updatedAt: createdAt }),
    );
    const createdAt = seconds(BEGIN - 86_400);
    await aReferral(table, program, busy, { createdAt, stateSetAt: createdAt, updatedAt: createdAt });
    const count = async (query: string) =>
      (await send({ operation: 'countReferrals', token, query: `affiliate_slug=${busy.slug}&${query}` })).json.data
        .attributes;
    const { total, groups, other } = await count('group_by=day');
    expect(total).toEqual({ ...countsOf([]), clicked: 1001, converted: 1 });
    expect([groups.length, groups[0].key]).toEqual([1000, '2028-10-27']);
    // The oldest day has a referral. The next two have only clicks, like all later ones, and come last.
    expect(groups.slice(-2).map(({ key }: { key: string }) => key)).toEqual(['2026-02-02', '2026-01-30']);
    expect(other).toEqual({ ...countsOf([]), clicked: 2 });
    const narrowed = await count('group_by=day&created_at_gt=2026-01-31T00:00:00Z');
    expect([narrowed.groups.length, narrowed.other]).toEqual([1000, null]);
    const withoutClicks = await count('group_by=day&clicks=false');
    expect(withoutClicks).toEqual({
      total: { ...countsOf([]), clicked: null, converted: 1 },
      groups: [{ key: '2026-01-30', ...countsOf([]), clicked: null, converted: 1 }],
      other: null,
    });
  });
});
