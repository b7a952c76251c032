import { describe, expect, test } from '@jest/globals';
import { updateAdvocate } from '../../../functions/advocates/table/advocates.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { DRIVERS, sendToHandlers } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aReferral, aToken, newId, now } from '../../support/program.ts';
import { idsOf, outcomeOf } from '../../support/responses.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const token = await aToken(table, program);

describe.each(DRIVERS)('POST /v2/advocates/{slug}/tokens through %s', (_, connect) => {
  const send = connect(table);
  const create = (body?: unknown, slug = advocate.slug) =>
    send({ operation: 'createAdvocateToken', token, slug, body });
  const listWith = (affiliate: string) => send({ operation: 'listReferrals', token: affiliate });

  test('a new token works immediately on the routes of affiliates, and only there, also of a deactivated advocate', async () => {
    const own = await anAdvocate(table, program);
    const referral = await aReferral(table, program, own);
    await updateAdvocate(table, program.id, own.slug, { active: false });
    const { status, json } = await create({ expires_in: 60 }, own.slug.toUpperCase());
    expect([status, json]).toEqual([
      201,
      {
        data: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          type: 'token',
          attributes: { token: expect.stringMatching(/^rta_[0-9A-Za-z]{36}$/), expires_at: expect.any(Number) },
        },
      },
    ]);
    const { token: affiliate } = json.data.attributes;
    expect(idsOf(await listWith(affiliate))).toEqual([referral.id]);
    const counts = await send({ operation: 'countOwnReferrals', token: affiliate });
    expect(counts.json.data).toMatchObject({ id: own.slug, attributes: { total: { converted: 1 } } });
    const foreign = await send({ operation: 'getAdvocate', token: affiliate, slug: own.slug });
    expect(outcomeOf(foreign).slice(0, 2)).toEqual([403, 'forbidden']);
  });

  test.each<[name: string, body: unknown, lifetime: number]>([
    ['no body', undefined, 3600],
    ['white space', ' \r\n', 3600],
    ['null', { expires_in: null }, 3600],
    ['an empty text', { expires_in: '' }, 3600],
    ['a minute', { expires_in: 60 }, 60],
    ['a year', { expires_in: 31_536_000 }, 31_536_000],
  ])('a token with %s, %j, expires after %d seconds', async (_name, body, lifetime) => {
    const before = now();
    const { status, json } = await create(body);
    expect(status).toBe(201);
    const lifetimes = [before, now()].map((second) => json.data.attributes.expires_at - second);
    expect(lifetimes[0]).toBeGreaterThanOrEqual(lifetime);
    expect(lifetimes[1]).toBeLessThanOrEqual(lifetime);
  });

  test('a token ends with the token that creates it, at the latest', async () => {
    const end = seconds(now() + 1000);
    const creator = await aToken(table, program, undefined, end);
    const createWith = (body: unknown, slug = advocate.slug) =>
      send({ operation: 'createAdvocateToken', token: creator, slug, body });
    const ends = [undefined, {}, { expires_in: 60 }].map(async (body) => (await createWith(body)).json.data.attributes);
    const [none, empty, short] = await Promise.all(ends);
    expect([none.expires_at, empty.expires_at, short.expires_at < end]).toEqual([end, end, true]);
    await expectUnchanged(table, async () => {
      for (const slug of [advocate.slug, 'nobody']) {
        expect(outcomeOf(await createWith({ expires_in: 2000 }, slug))).toEqual([
          400,
          'invalid_field',
          'expires_in must not be later than the end of the calling token: shorten it, or leave it out',
        ]);
      }
    });
  });
});

describe.each(DRIVERS)('DELETE /v2/advocates/{slug}/tokens through %s', (_, connect) => {
  const send = connect(table);
  const revoke = (slug: string) => send({ operation: 'revokeAdvocateTokens', token, slug });
  const create = async (slug: string): Promise<string> =>
    (await send({ operation: 'createAdvocateToken', token, slug })).json.data.attributes.token;
  /** The statuses of requests with tokens that nobody remembers. */
  const statuses = (...tokens: string[]) =>
    Promise.all(
      tokens.map(async (each) => (await sendToHandlers(table)({ operation: 'getAffiliate', token: each })).status),
    );

  test('all tokens of one advocate are revoked, and tokens that are created afterwards work', async () => {
    const [jane, john] = [await anAdvocate(table, program), await anAdvocate(table, program)];
    const old = [await create(jane.slug), await aToken(table, program, jane)];
    const other = await create(john.slug);
    expect((await revoke(jane.slug.toUpperCase())).status).toBe(204);
    const next = await create(jane.slug);
    // A change of the advocate does not bring them back.
    await updateAdvocate(table, program.id, jane.slug, { active: false });
    expect(await statuses(...old, next, other)).toEqual([401, 401, 200, 200]);
    // Immediately, in the same second.
    expect((await revoke(jane.slug)).status).toBe(204);
    expect(await statuses(...old, next)).toEqual([401, 401, 401]);
  });
});

describe.each(DRIVERS)('GET /v2/affiliate through %s', (_, connect) => {
  const send = connect(table);
  const get = (token: string) => send({ operation: 'getAffiliate', token });
  const TERMS = {
    ...({ linkParameter: 'ref', attributionDays: 30, payableAfterDays: 14, mode: 'test' } as const),
    ...{ minimumPayout: { eur: 5000 }, payoutDay: 5, accent: '#0b6e4f' },
  };

  test('it returns the advocate, its terms and its program', async () => {
    const own = await aProgram(table, TERMS);
    const jane = await anAdvocate(table, own, { uid: newId(), company: 'Doe Media' });
    const expiresAt = seconds(now() + 600);
    const { status, json } = await get(await aToken(table, own, jane, expiresAt));
    expect([status, json]).toEqual([
      200,
      {
        data: {
          id: jane.id,
          type: 'affiliate',
          attributes: {
            slug: jane.slug,
            first_name: 'Jane',
            last_name: 'Doe',
            active: true,
            referral_link: `https://acme.example/?ref=${jane.slug}`,
            payout_method: null,
            payout_account: null,
            payout_pending_until: null,
            emails_off: [],
            commission_percentage: 20,
            commission_months: 12,
            commission_rules_id: null,
            attribution_days: 30,
            payable_after_days: 14,
            program: {
              ...{ name: 'Acme', site_url: 'https://acme.example/', link_parameter: 'ref', mode: 'test' },
              public_key: own.publicKey,
              ...{ minimum_payout: { eur: 5000 }, payout_day: 5, accent: '#0b6e4f', logo_version: null },
            },
          },
        },
        meta: { token: { expires_at: expiresAt, signed_in: false } },
      },
    ]);
  });

  test("what is not set is null, the rate of the advocate replaces the program's, and 0 is a rate", async () => {
    const own = await aProgram(table, { commissionPercentage: null, commissionMonths: null });
    const none = { first_name: null, last_name: null, commission_percentage: null, commission_months: null };
    const jane = await anAdvocate(table, own, { firstName: null, lastName: null });
    const { json } = await get(await aToken(table, own, jane));
    expect(json.data.attributes).toMatchObject(none);
    expect(json.meta.token.expires_at).toBeNull();
    await updateAdvocate(table, own.id, jane.slug, { commissionPercentage: 0, active: false });
    const changed = await get(await aToken(table, own, jane));
    expect(changed.json.data.attributes).toMatchObject({ ...none, commission_percentage: 0, active: false });
  });
});
