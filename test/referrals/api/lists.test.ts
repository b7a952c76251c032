import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { sortKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { STATES } from '../../../functions/referrals/rules/state.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { AFFILIATE_REFUSED, cursorOf, idsOf, listedAttributes, outcomeOf } from '../../support/responses.ts';
import { useProgram } from '../../support/use-table.ts';

/** 2026-01-01T00:00:00Z; one referral was created in each minute from then on. */
const BEGIN = 1_767_225_600;
const SUB_IDS = [null, 'news', 'Täg 1%+&='];
const { table, program, advocate } = await useProgram({}, { slug: 'jane', commissionPercentage: 12.5 });

/** Stores referrals of an advocate. Returns them, the newest first. */
async function fill(of: Program, owner: Advocate, count: number): Promise<Referral[]> {
  const stored: Referral[] = [];
  for (let index = 0; index < count; index += 1) {
    const state = STATES[index % STATES.length] ?? 'clicked';
    const createdAt = seconds(BEGIN + index * 60);
    // The states were set in the opposite order, so that sorting by created_at and by state_set_at differ.
    const stateSetAt = state === 'clicked' ? createdAt : seconds(BEGIN + 100_000 - index * 60);
    const subId = SUB_IDS[index % SUB_IDS.length] ?? null;
    const customerUid = state === 'clicked' || index % 2 ? null : newId();
    const fields = { createdAt, state, stateSetAt, updatedAt: stateSetAt, subId, customerUid };
    stored.unshift(await (state === 'clicked' ? aClick : aReferral)(table, of, owner, fields));
  }
  return stored;
}
const omar = await anAdvocate(table, program, { slug: 'omar' });
const elsewhere = await aProgram(table);
const namesake = await anAdvocate(table, elsewhere, { slug: 'jane' });
const rows = {
  jane: await fill(program, advocate, 40),
  omar: await fill(program, omar, 10),
  namesake: await fill(elsewhere, namesake, 10),
};
const referrals = rows.jane;
const NO_MONEY = { payments: 0, money: [] };
const tokens = {
  merchant: await aToken(table, program),
  foreign: await aToken(table, elsewhere),
  jane: await aToken(table, program, advocate),
  omar: await aToken(table, program, omar),
  namesake: await aToken(table, elsewhere, namesake),
};

const idsIf = (matches: (referral: Referral) => boolean) => referrals.filter(matches).map(({ id }) => id);
const isNoClick = ({ state }: Referral) => state !== 'clicked';
const isInRange = ({ createdAt }: Referral) => createdAt > BEGIN + 300 && createdAt < BEGIN + 2280;
const RANGE = 'created_at_gt=2026-01-01T00:05:00Z&created_at_lt=2026-01-01T00:38:00Z';
const FILTERS: [query: string, matches: (referral: Referral) => boolean][] = [
  ['', isNoClick],
  ...STATES.map((wanted): [string, typeof isNoClick] => [`state_eq=${wanted}`, ({ state }) => state === wanted]),
  ['sub_id_eq=news', (each) => isNoClick(each) && each.subId === 'news'],
  ['state_eq=clicked&sub_id_eq=news', ({ state, subId }) => state === 'clicked' && subId === 'news'],
  [RANGE, (each) => isNoClick(each) && isInRange(each)],
  [
    `state_eq=paid&sub_id_eq=news&${RANGE}`,
    (each) => each.state === 'paid' && each.subId === 'news' && isInRange(each),
  ],
  ['created_at_gt=2026-01-02T00:00:00Z&created_at_lt=2026-01-01T00:00:00Z', () => false],
  ['created_at_gt=2020-01-01T00:00:00Z', isNoClick],
];
const CURSOR_REFUSED = [400, 'invalid_field', expect.stringMatching(/^cursor is not valid/)];

describe.each(DRIVERS)('lists of referrals through %s', (_, connect) => {
  const send = connect(table);
  const listOwn = (query: string, token = tokens.jane) => send({ operation: 'listReferrals', token, query });
  const listAll = (query: string) => send({ operation: 'listReferralsV2', token: tokens.merchant, query });
  const list = (query: string, slug = 'jane') => listAll(`affiliate_slug=${slug}&${query}`);

  test("the list of V1 has the advocate's own referrals, newest first, with exactly the documented fields", async () => {
    const { json } = await listOwn('');
    expect(json.meta).toEqual({ pagination: { page: 1, per_page: 25, has_more: true } });
    const [newest] = referrals;
    expect(json.data[0]).toEqual({
      id: newest?.id,
      type: 'referral',
      attributes: {
        email: newest?.email,
        state: 'rejected',
        state_set_at: newest?.stateSetAt,
        created_at: newest?.createdAt,
        updated_at: newest?.updatedAt,
        sub_id: null,
        commission_percentage: 12.5,
        commission_end_date: newest?.commissionEndDate,
      },
    });
    const [click] = (await listOwn('state_eq=clicked')).json.data;
    expect(click.attributes).toMatchObject({ email: null, state: 'clicked', commission_end_date: null });
  });

  test.each(FILTERS)(
    'both lists with "%s" have the rows that match, and the merchant sees more',
    async (query, matches) => {
      const [own, merchants] = [await listOwn(`per_page=50&${query}`), await list(`per_page=50&${query}`)];
      expect([own.status, idsOf(own)]).toEqual([200, idsIf(matches)]);
      expect([merchants.status, merchants.json.meta]).toEqual([200, own.json.meta]);
      const stored = new Map(referrals.map((referral) => [referral.id, referral]));
      const withMore = (more: (referral: Referral | undefined) => object) =>
        own.json.data.map(({ attributes, ...row }: { id: string; attributes: object }) => {
          const referral = stored.get(row.id);
          const inV2 = { converted_at: referral?.convertedAt, commission_rules_id: null, ...NO_MONEY };
          return { ...row, attributes: { ...attributes, ...inV2, ...more(referral) } };
        });
      expect(merchants.json.data).toEqual(
        withMore((referral) => ({ uid: referral?.customerUid, affiliate_slug: 'jane', flags: [] })),
      );
      const { json } = await send({ operation: 'listOwnReferrals', token: tokens.jane, query: `per_page=50&${query}` });
      expect(json.data).toEqual(withMore(() => ({ code: null })));
    },
  );

  test('a row of the merchant has attributes of a lookup, with the same values', async () => {
    const [{ id, attributes }] = (await list('')).json.data;
    const { json } = await send({ operation: 'lookUpReferral', token: tokens.merchant, body: { id } });
    expect(attributes).toEqual({ ...listedAttributes(json.data.attributes), ...NO_MONEY });
  });

  test('a state_set_at range is exclusive and orders the list by state_set_at', async () => {
    const [from, to] = [BEGIN + 100_000 - 30 * 60, BEGIN + 100_000];
    const time = (second: number) => new Date(second * 1000).toISOString();
    const found = await listOwn(`per_page=50&state_set_at_gt=${time(from)}&state_set_at_lt=${time(to)}`);
    const expected = referrals
      .filter((each) => isNoClick(each) && each.stateSetAt > from && each.stateSetAt < to)
      .sort((one, other) => other.stateSetAt - one.stateSetAt)
      .map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(20);
    expect(idsOf(found)).toEqual(expected);
  });

  test('the Link header, which repeats the slug, leads through all rows', async () => {
    const seen: string[] = [];
    for (let query = 'affiliate_slug=JANE&per_page=7'; query !== ''; ) {
      const response = await listAll(query);
      seen.push(...idsOf(response));
      const [, next] = /<([^>]+)>/.exec(response.headers['link'] ?? '') ?? [];
      // The cursor of a list is valid for the slug in any case.
      const repeated = new URLSearchParams(query).get('affiliate_slug');
      query = next === undefined ? '' : new URL(next).search.slice(1).replace('JANE', 'jane');
      if (next !== undefined) expect(new URL(next).searchParams.get('affiliate_slug')).toBe(repeated);
    }
    expect(seen).toEqual(idsIf(isNoClick));
  });

  test.each(FILTERS.filter(([query, matches]) => query !== '' && idsIf(matches).length > 1))(
    'a cursor of the list with "%s" is valid neither with other filters nor for another list or owner',
    async (filter) => {
      const own = await listOwn(`per_page=1&${filter}`);
      const [cursor, merchants] = [cursorOf(own), cursorOf(await list(`per_page=1&${filter}`))];
      expect((await listOwn(`cursor=${cursor}&${filter}`)).status).toBe(200);
      const query = `affiliate_slug=jane&cursor=${merchants}&${filter}`;
      for (const response of [
        ...(await Promise.all(
          FILTERS.filter(([other]) => other !== filter).map(([other]) => listOwn(`cursor=${cursor}&${other}`)),
        )),
        await listOwn(`cursor=${cursor}&${filter}`, tokens.omar),
        await listOwn(`cursor=${cursor}&${filter}`, tokens.namesake),
        await listOwn(`cursor=${merchants}&${filter}`),
        await list(`cursor=${cursor}&${filter}`),
        await list(`cursor=${merchants}&${filter}`, 'omar'),
        await send({ operation: 'listReferralsV2', token: tokens.foreign, query }),
      ]) {
        expect(outcomeOf(response)).toEqual(CURSOR_REFUSED);
      }
    },
  );

  test('a cursor that version 1.0.0 issued is still valid', async () => {
    const [first, second] = (await listOwn('')).json.data;
    // The page, a fingerprint of the list, and the sort key of the row before the page.
    const fingerprint = createHash('sha256').update(`["referrals","${program.id}","jane",{}]`).digest('base64url');
    const before = `2.${fingerprint.slice(0, 22)}.${sortKey(first.attributes.created_at, first.id)}`;
    const { status, json } = await listOwn(`cursor=${Buffer.from(before).toString('base64url')}`);
    expect([status, json.data[0]]).toEqual([200, second]);
  });

  test('an unknown advocate returns 400 with every filter, and a malformed slug its name', async () => {
    for (const [filter] of FILTERS) expect(outcomeOf(await list(filter, 'nobody'))).toEqual(AFFILIATE_REFUSED);
    const queries = ['affiliate_slug', 'affiliate_slug=', 'affiliate_slug=a+b', 'affiliate_slug=a&affiliate_slug=a'];
    for (const query of queries) {
      expect(outcomeOf(await listAll(query))).toEqual([
        400,
        'invalid_field',
        expect.stringMatching(/^affiliate_slug /),
      ]);
    }
  });
});

describe.each(DRIVERS)('GET /v2/referrals without affiliate_slug through %s', (_, connect) => {
  const send = connect(table);

  test('the list has all referrals without clicks, the latest change first, in the form of the merchant', async () => {
    const own = await aProgram(table);
    const token = await aToken(table, own);
    const list = (query: string) => send({ operation: 'listReferralsV2', token, query });
    const advocates = [await anAdvocate(table, own), await anAdvocate(table, own)] as const;
    const ids: string[] = [];
    for (const [index, state] of (['converted', 'paid', 'rejected', 'churned', 'paid'] as const).entries()) {
      const times = { createdAt: seconds(BEGIN - 10), stateSetAt: seconds(BEGIN + index) };
      const flags = index === 1 ? (['self_referral'] as const) : [];
      ids.unshift((await aReferral(table, own, advocates[index % 2] ?? advocates[0], { state, flags, ...times })).id);
    }
    await aClick(table, own, advocates[0]);
    const { json } = await list('');
    expect(json.meta).toEqual({ pagination: { page: 1, per_page: 25, has_more: false } });
    const ofOne = await list(`affiliate_slug=${advocates[0].slug}`);
    expect(json.data).toEqual(expect.arrayContaining(ofOne.json.data));
    const found: string[] = [];
    for (let query: string | undefined = 'per_page=2'; query !== undefined; ) {
      const page = await list(query);
      found.push(...idsOf(page));
      query = cursorOf(page) && `per_page=2&cursor=${cursorOf(page)}`;
    }
    expect(found).toEqual(ids);
    for (const [query, positions] of [
      ['state_eq=paid', [0, 3]],
      ['flag_eq=self_referral', [3]],
      ['flag_eq=self_referral&state_eq=churned', []],
      ['state_set_at_gt=2026-01-01T00:00:02Z', [0, 1]],
      ['state_set_at_lt=2026-01-01T00:00:02Z&state_eq=paid', [3]],
    ] as const) {
      expect([query, idsOf(await list(query))]).toEqual([query, positions.map((position) => ids[position])]);
    }
    const cursor = cursorOf(await list('per_page=2'));
    expect(outcomeOf(await list(`affiliate_slug=${advocates[0].slug}&cursor=${cursor}`))).toEqual(CURSOR_REFUSED);
  });

  test.each([
    ['state_eq=clicked', 'state_eq can be clicked only with affiliate_slug: add it'],
    ['sub_id_eq=news', 'sub_id_eq requires affiliate_slug: add it, or remove this filter'],
    ['created_at_gt=2026-01-01T00:00:00Z', 'created_at_gt requires affiliate_slug: add it, or remove this filter'],
    ['page=2', 'page must be 1 without affiliate_slug: follow the Link header instead'],
    ['flag_eq=fraud', 'flag_eq must be one of self_referral'],
    ['affiliate_slug=jane&flag_eq=self_referral', 'flag_eq cannot be combined with affiliate_slug: remove one of them'],
  ])('the query %s is refused', async (query, sentence) => {
    const response = await send({ operation: 'listReferralsV2', token: tokens.merchant, query });
    expect(outcomeOf(response)).toEqual([400, 'invalid_field', sentence]);
  });
});
