import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { STATES } from '../../../functions/domain/referral/state.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { AFFILIATE_REFUSED, cursorOf, idsOf, listedAttributes, outcomeOf } from '../../support/responses.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
/** 2026-01-01T00:00:00Z; one referral was created in each minute from then on. */
const BEGIN = 1_767_225_600;
let program: Program;
let advocate: Advocate;
let token: string;
let affiliateToken: string;
/** The customers' uids, by the id of the referral. */
const uids = new Map<string, string>();
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  for (let index = 0; index < 30; index += 1) {
    const createdAt = seconds(BEGIN + index * 60);
    const state = STATES[index % STATES.length] ?? 'clicked';
    const stateSetAt = state === 'clicked' ? createdAt : seconds(BEGIN + 100_000 - index * 60);
    const changes = { createdAt, state, stateSetAt, updatedAt: stateSetAt, subId: index % 2 ? 'news' : null };
    const store = state === 'clicked' ? aClick : aReferral;
    const customerUid = state === 'clicked' || index % 2 ? null : newId();
    const { id } = await store(table, program, advocate, { ...changes, customerUid });
    if (customerUid !== null) uids.set(id, customerUid);
  }
  await aReferral(table, program, await anAdvocate(table, program));
  token = await aToken(table, program);
  affiliateToken = await aToken(table, program, advocate);
});

const FILTERS = [
  '',
  'page=2&per_page=7',
  'page=99',
  'state_eq=clicked',
  'state_eq=paid&sub_id_eq=news',
  'sub_id_eq=news',
  'created_at_gt=2026-01-01T00:05:00Z&created_at_lt=2026-01-01T00:20:00Z',
  'state_set_at_gt=2026-01-01T00:00:00Z&per_page=50',
];

describe.each(DRIVERS)('GET /v2/referrals through %s', (_, connect) => {
  const send = connect(table);
  const list = (query: string, slug = advocate.slug) =>
    send({ operation: 'listReferralsV2', token, query: `affiliate_slug=${slug}&${query}` });
  const listOwn = (query: string) => send({ operation: 'listReferrals', token: affiliateToken, query });

  test.each(FILTERS)(
    'the list with "%s" has the rows of the affiliate, in the same order, with three more attributes',
    async (query) => {
      const [merchants, own] = [await list(query), await listOwn(query)];
      expect([merchants.status, merchants.json.meta]).toEqual([200, own.json.meta]);
      expect(merchants.json.data).toEqual(
        own.json.data.map(({ attributes, ...row }: { id: string; attributes: object }) => ({
          ...row,
          attributes: { ...attributes, uid: uids.get(row.id) ?? null, affiliate_slug: advocate.slug, flags: [] },
        })),
      );
    },
  );

  test('the rows have attributes of a lookup, with the same values', async () => {
    for (const { id, attributes } of (await list('per_page=50')).json.data) {
      const { json } = await send({ operation: 'lookUpReferral', token, body: { id } });
      expect(attributes).toEqual(listedAttributes(json.data.attributes));
    }
  });

  test('the Link header, which repeats the slug, leads through all rows', async () => {
    const seen: string[] = [];
    let response = await list('per_page=7');
    for (;;) {
      seen.push(...idsOf(response));
      const cursor = cursorOf(response);
      if (cursor === undefined) break;
      const [, next = ''] = /<([^>]+)>/.exec(response.headers['link'] ?? '') ?? [];
      expect(new URL(next).searchParams.get('affiliate_slug')).toBe(advocate.slug);
      response = await send({ operation: 'listReferralsV2', token, query: new URL(next).search.slice(1) });
    }
    expect(seen).toEqual(idsOf(await listOwn('per_page=50')));
  });

  test('the slug is accepted in upper case, and a cursor of it in lower case', async () => {
    const upper = await list('per_page=3', advocate.slug.toUpperCase());
    expect(idsOf(upper)).toEqual(idsOf(await list('per_page=3')));
    const next = await list(`per_page=3&cursor=${cursorOf(upper)}`);
    expect(idsOf(next)).toEqual(idsOf(await list('per_page=3&page=2')));
  });

  test('a cursor is valid neither in the list of the affiliate, nor for another advocate or program', async () => {
    const other = await anAdvocate(table, program);
    const elsewhere = await aProgram(table);
    const theirs = await anAdvocate(table, elsewhere, { slug: advocate.slug });
    const [own, merchants] = [cursorOf(await listOwn('per_page=1')), cursorOf(await list('per_page=1'))];
    for (const response of [
      await list(`cursor=${own}`),
      await listOwn(`cursor=${merchants}`),
      await list(`cursor=${merchants}`, other.slug),
      await list(`cursor=${merchants}&state_eq=paid`),
      await send({
        operation: 'listReferralsV2',
        token: await aToken(table, elsewhere),
        query: `affiliate_slug=${theirs.slug}&cursor=${merchants}`,
      }),
    ]) {
      expect(outcomeOf(response)).toEqual([400, 'invalid_field', expect.stringMatching(/^cursor is not valid/)]);
    }
  });

  test('an advocate without referrals has an empty list, a deactivated one is listed', async () => {
    const idle = await anAdvocate(table, program);
    await updateAdvocate(table, program.id, idle.slug, { active: false });
    expect((await list('', idle.slug)).json.data).toEqual([]);
    const { id } = await aReferral(table, program, idle);
    expect(idsOf(await list('', idle.slug))).toEqual([id]);
    expect((await list('page=2', idle.slug)).json.data).toEqual([]);
  });

  test('an unknown advocate returns 400 with every filter, and a malformed slug its name', async () => {
    for (const filter of FILTERS) expect(outcomeOf(await list(filter, 'nobody'))).toEqual(AFFILIATE_REFUSED);
    const queries = ['affiliate_slug', 'affiliate_slug=', 'affiliate_slug=a+b', 'affiliate_slug=%00'];
    for (const query of [...queries, 'affiliate_slug=a&affiliate_slug=a', `affiliate_slug=${'a'.repeat(65)}`]) {
      const response = await send({ operation: 'listReferralsV2', token, query });
      expect(outcomeOf(response)).toEqual([400, 'invalid_field', expect.stringMatching(/^affiliate_slug /)]);
    }
  });
});
