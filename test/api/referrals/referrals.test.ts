import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { STATES } from '../../../functions/domain/referral/state.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { ALL_DRIVERS, DRIVERS, type Send } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
/** 2026-01-01T00:00:00Z; one referral was created in each minute from then on. */
const BEGIN = 1_767_225_600;
const SUB_IDS = [null, 'news', 'Täg 1%+&='];
let program: Program;
let advocate: Advocate;
let referrals: Referral[];
let token: string;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program, { commissionPercentage: 12.5 });
  referrals = [];
  for (let index = 0; index < 40; index += 1) {
    const createdAt = seconds(BEGIN + index * 60);
    // The states were set in the opposite order, so that sorting by created_at and by state_set_at differ.
    const stateSetAt = seconds(BEGIN + 100_000 - index * 60);
    const state = STATES[index % STATES.length] ?? 'clicked';
    const subId = SUB_IDS[index % SUB_IDS.length] ?? null;
    const referral =
      state === 'clicked'
        ? await aClick(table, program, advocate, {
            createdAt,
            stateSetAt: createdAt,
            updatedAt: createdAt,
            subId,
          })
        : await aReferral(table, program, advocate, {
            createdAt,
            state,
            stateSetAt,
            updatedAt: stateSetAt,
            subId,
          });
    referrals.unshift(referral);
  }
  await aReferral(table, program, await anAdvocate(table, program));
  token = await aToken(table, program, advocate);
});

const lists =
  (send: Send) =>
  (query = '', affiliateToken = token) =>
    send({ operation: 'listReferrals', token: affiliateToken, query: `per_page=50&${query}` });
const ids = (json: { data: { id: string }[] }) => json.data.map(({ id }) => id);
const idsIf = (matches: (referral: Referral) => boolean) => referrals.filter(matches).map(({ id }) => id);

describe.each(DRIVERS)('GET /v1/affiliate/referrals through %s', (_, connect) => {
  const send = connect(table);
  const list = lists(send);

  test("the list has the advocate's own referrals, newest first, without clicks", async () => {
    const { status, json } = await list();
    expect(status).toBe(200);
    expect(ids(json)).toEqual(idsIf(({ state }) => state !== 'clicked'));
    expect(json.meta).toEqual({ pagination: { page: 1, per_page: 50, has_more: false } });
  });

  test('the list returns exactly the documented fields of a referral', async () => {
    const newest = referrals[0];
    const { json } = await list();
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
  });

  test('a click has no email and no commission_end_date', async () => {
    const { json } = await list('state_eq=clicked');
    expect(json.data).toHaveLength(8);
    for (const { attributes } of json.data) {
      expect(attributes).toMatchObject({ email: null, state: 'clicked', commission_end_date: null });
    }
  });

  test('commission_percentage and commission_end_date are null if neither is set', async () => {
    const free = await aProgram(table, { commissionPercentage: null, commissionMonths: null });
    const other = await anAdvocate(table, free);
    await aReferral(table, free, other);
    const { json } = await list('', await aToken(table, free, other));
    expect(json.data[0].attributes).toMatchObject({ commission_percentage: null, commission_end_date: null });
  });

  test.each(STATES)('state_eq=%s lists the referrals in that state', async (wanted) => {
    expect(ids((await list(`state_eq=${wanted}`)).json)).toEqual(idsIf(({ state }) => state === wanted));
  });

  test('filters can be combined', async () => {
    const { json } = await list(
      'state_eq=paid&sub_id_eq=news&created_at_gt=2026-01-01T00:05:00Z&created_at_lt=2026-01-01T00:38:00Z',
    );
    const expected = idsIf(
      ({ state, subId, createdAt }) =>
        state === 'paid' && subId === 'news' && createdAt > BEGIN + 300 && createdAt < BEGIN + 2280,
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(ids(json)).toEqual(expected);
  });

  test('a state_set_at range is exclusive and orders the list by state_set_at', async () => {
    const from = BEGIN + 100_000 - 30 * 60;
    const time = (second: number) => new Date(second * 1000).toISOString();
    const { json } = await list(`state_set_at_gt=${time(from)}&state_set_at_lt=${time(BEGIN + 100_000)}`);
    const expected = referrals
      .filter(({ state, stateSetAt }) => state !== 'clicked' && stateSetAt > from && stateSetAt < BEGIN + 100_000)
      .sort((one, other) => other.stateSetAt - one.stateSetAt)
      .map(({ id }) => id);
    expect(expected.length).toBeGreaterThan(20);
    expect(ids(json)).toEqual(expected);
  });

  test('an empty range lists nothing', async () => {
    const { status, json } = await list('created_at_gt=2026-01-02T00:00:00Z&created_at_lt=2026-01-01T00:00:00Z');
    expect([status, json.data]).toEqual([200, []]);
  });

  test('a conversion is immediately listed instead of its click', async () => {
    const own = await anAdvocate(table, program);
    const click = await aClick(table, program, own, { subId: 'news' });
    const ownToken = await aToken(table, program, own);
    expect(ids((await list('state_eq=clicked&sub_id_eq=news', ownToken)).json)).toEqual([click.id]);
    const body = { email: `${click.id}@shop.example`, gr_id: `${own.slug}.${click.id}` };
    await send({ operation: 'trackConversionV1', token: await aToken(table, program), body });
    expect(ids((await list('state_eq=clicked', ownToken)).json)).toEqual([]);
    for (const query of ['', 'state_eq=converted', 'sub_id_eq=news', 'state_set_at_gt=2020-01-01T00:00:00Z']) {
      expect(ids((await list(query, ownToken)).json)).toEqual([click.id]);
    }
  });

  test('a deactivated advocate still lists its referrals', async () => {
    const own = await anAdvocate(table, program);
    const referral = await aReferral(table, program, own);
    await updateAdvocate(table, program.id, own.slug, { active: false });
    expect(ids((await list('', await aToken(table, program, own))).json)).toEqual([referral.id]);
  });
});

describe.each(ALL_DRIVERS)('GET /v1/affiliate/referrals through %s', (_, connect) => {
  const list = lists(connect(table));

  test.each(['news', 'Täg 1%+&='])('sub_id_eq=%s matches exactly', async (wanted) => {
    const { json } = await list(`sub_id_eq=${encodeURIComponent(wanted)}`);
    expect(ids(json)).toEqual(idsIf(({ subId, state }) => subId === wanted && state !== 'clicked'));
    expect(ids((await list(`sub_id_eq=${encodeURIComponent(wanted.toUpperCase())}`)).json)).toEqual([]);
  });
});
