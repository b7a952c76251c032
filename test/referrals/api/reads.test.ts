import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { moneyKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { milliseconds, seconds } from '../../../functions/kernel/time.ts';
import { recordPayment } from '../../../functions/ledger/table/payments.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { STATES, type State } from '../../../functions/referrals/rules/state.ts';
import { eraseReferral, reassignReferral, setReferralState } from '../../../functions/referrals/table/referrals.ts';
import { type ApiRequest, DRIVERS } from '../../support/drivers.ts';
import { ledgerOf, paymentOf } from '../../support/ledger/ledger.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { outcomeOf, REFERRAL_NOT_FOUND } from '../../support/responses.ts';
import { move } from '../../support/table/situations.ts';
import { anEmail, track } from '../../support/table/track.ts';
import { atTime, inParallel, itemAt } from '../../support/table.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

/** 2026-01-31T00:00:00Z; a referral was created every six hours from then on. */
const BEGIN = 1_769_817_600;
const SUB_IDS = ['b', null, 'B', 'a'];
const { table, program, advocate } = await useProgram();
const token = await aToken(table, program);
const affiliateToken = await aToken(table, program, advocate);
const referrals: Referral[] = [];
beforeAll(async () => {
  for (let index = 0; index < 23; index += 1) {
    const state = STATES[index % STATES.length] ?? 'clicked';
    const createdAt = seconds(BEGIN + index * 21_600);
    const times = { createdAt, stateSetAt: createdAt, updatedAt: createdAt };
    const changes = { state, ...times, subId: SUB_IDS[index % 4] ?? null };
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

describe.each(DRIVERS)('money through %s', (_, connect) => {
  const send = connect(table);
  test('lists and a lookup have what each referral brought its present advocate, with all digits', async () => {
    const own = await aProgram(table, { commissionPercentage: 20 });
    const [before, jane] = [await anAdvocate(table, own), await anAdvocate(table, own)];
    const { id } = await aReferral(table, own, before);
    await aReferral(table, own, jane);
    const pay = (amount: number) =>
      recordPayment(table, ledgerOf(own), paymentOf({ id }, { paymentId: newId(), amount }));
    await pay(1000);
    await move(table, own, id, jane.slug);
    await pay(500);
    const revenue = { ...moneyKey(own.id, id), [`r_huf_${jane.slug}`]: 2n ** 60n };
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...(await itemAt(table, moneyKey(own.id, id))), ...revenue } }),
    );
    const all = [
      '"payments":0,"money":[]',
      '"payments":2,"money":[{"currency":"huf","revenue":1152921504606846976,"commission":0},{"currency":"usd","revenue":500,"commission":100}]',
    ];
    const moneyIn = async (request: ApiRequest) => (await send(request)).text.match(/"payments":.*?\]/g)?.sort();
    const merchant = { operation: 'listReferralsV2' as const, token: await aToken(table, own) };
    expect(await moneyIn({ ...merchant, query: `affiliate_slug=${jane.slug}` })).toEqual(all);
    expect(await moneyIn(merchant)).toEqual(all);
    expect(await moneyIn({ operation: 'listOwnReferrals', token: await aToken(table, own, jane) })).toEqual(all);
    expect(await moneyIn({ ...merchant, operation: 'lookUpReferral', body: { id } })).toEqual(all.slice(1));
  });
});

describe.each(DRIVERS)('the time of a conversion through %s', (_, connect) => {
  const send = connect(table);

  test('a referral that was visited, signed up, paid and cancelled still says when it signed up', async () => {
    const own = await aProgram(table);
    const [jane, joe] = [await anAdvocate(table, own), await anAdvocate(table, own)];
    const signedUp = seconds(BEGIN + 86_400);
    const onDay = (day: number) => atTime(table, () => milliseconds((BEGIN + day * 86_400) * 1000));
    const set = (day: number, id: string, state: State) =>
      setReferralState(onDay(day), own.id, id, { state, actor: 'merchant' });
    const at = { createdAt: seconds(BEGIN), stateSetAt: seconds(BEGIN), updatedAt: seconds(BEGIN) };
    const [{ id }, rejected] = [await aClick(table, own, jane, at), await aClick(table, own, jane, at)];
    await set(1, rejected.id, 'rejected');
    await track(onDay(1), own, { by: { slug: jane.slug, clickId: id } });
    await set(2, id, 'paid');
    await set(3, id, 'churned');
    const token = await aToken(table, own);
    const timesIn = async (request: ApiRequest) =>
      Object.fromEntries(
        [(await send(request)).json.data]
          .flat()
          .map(({ id, attributes }: { id: string; attributes: object }) => [id, Object(attributes).converted_at]),
      );
    const expectTimes = async (slug: string, ownToken: string, times: object) => {
      expect(await timesIn({ operation: 'listReferralsV2', token, query: `affiliate_slug=${slug}` })).toEqual(times);
      for (const state of ['clicked', 'rejected', 'churned'] as const) {
        const query = `affiliate_slug=${slug}&state_eq=${state}`;
        expect(times).toMatchObject(await timesIn({ operation: 'listReferralsV2', token, query }));
      }
      expect(await timesIn({ operation: 'listOwnReferrals', token: ownToken })).toEqual(times);
    };
    const all = { [id]: signedUp, [rejected.id]: null };
    await expectTimes(jane.slug, await aToken(table, own, jane), all);
    expect(await timesIn({ operation: 'listReferralsV2', token })).toEqual(all);
    expect(await timesIn({ operation: 'lookUpReferral', token, body: { id } })).toEqual({ [id]: signedUp });
    await move(table, own, id, joe.slug);
    await eraseReferral(table, own.id, id, 'operator');
    await expectTimes(joe.slug, await aToken(table, own, joe), { [id]: signedUp });
    expect(await timesIn({ operation: 'lookUpReferral', token, body: { id } })).toEqual({ [id]: signedUp });
  });
});

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
  });
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

describe.each(DRIVERS)('POST /v2/referrals/lookup through %s', (_, connect) => {
  const send = connect(table);
  const lookUp = (body: unknown) => send({ operation: 'lookUpReferral', token, body });

  test('a lookup returns the referral with its history, oldest first, by email, uid, id or all of them', async () => {
    const other = await anAdvocate(table, program, { commissionPercentage: 15 });
    const { id } = await aClick(table, program, advocate, { subId: 'news' });
    const clicked = (await lookUp({ id })).json.data.attributes;
    expect(clicked).toMatchObject({ state: 'clicked', email: null, uid: null, commission_end_date: null });
    const [email, uid] = [anEmail(), newId()];
    const metadata = { plan: 'pro' };
    const body = { gr_id: `${advocate.slug}.${id}`, email, uid, metadata };
    await send({ operation: 'trackConversionV2', token, body });
    await setReferralState(table, program.id, id, { state: 'paid', actor: 'operator' });
    const reference = { email: null, uid: null, id };
    const moved = await reassignReferral(table, program, reference, { slug: other.slug, actor: 'merchant' });
    const set_at = expect.any(Number);
    const expected = {
      id,
      type: 'referral',
      attributes: {
        email,
        state: 'paid',
        state_set_at: moved.stateSetAt,
        created_at: moved.createdAt,
        updated_at: moved.updatedAt,
        converted_at: moved.convertedAt,
        sub_id: 'news',
        commission_percentage: 15,
        commission_rules_id: null,
        commission_end_date: moved.commissionEndDate,
        uid,
        affiliate_slug: other.slug,
        flags: [],
        metadata,
        credited_by: 'link',
        code: null,
        payments: 0,
        money: [],
        history: [
          { type: 'state', state: 'clicked', lost: null, set_at, by: 'visitor' },
          { type: 'state', state: 'converted', lost: null, set_at, by: 'merchant' },
          { type: 'state', state: 'paid', lost: null, set_at: moved.stateSetAt, by: 'operator' },
          { type: 'reassignment', from: advocate.slug, to: other.slug, set_at: moved.updatedAt, by: 'merchant' },
        ],
      },
    };
    const bodies = [{ email }, { email: ` ${email.toUpperCase()} ` }, { uid }, { id }, { email, uid, id }];
    await expectUnchanged(table, async () => {
      for (const body of bodies) expect((await lookUp(body)).json).toEqual({ data: expected });
    });
    await eraseReferral(table, program.id, id, 'operator');
    const { attributes } = (await lookUp({ id })).json.data;
    expect(attributes).toMatchObject({ email: null, uid: null, flags: [], state: 'paid', affiliate_slug: other.slug });
    expect(attributes.history.at(-1)).toEqual({ type: 'erasure', set_at: attributes.updated_at, by: 'operator' });
    expect(outcomeOf(await lookUp({ email }))).toEqual(REFERRAL_NOT_FOUND);
    expect(outcomeOf(await lookUp({ uid }))).toEqual(REFERRAL_NOT_FOUND);
  });
});
