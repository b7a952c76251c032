import { describe, expect, test } from '@jest/globals';
import { findReferralId } from '../../../functions/referrals/table/customers.ts';
import { ALL_DRIVERS, type ApiRequest, type ApiResponse } from '../../support/drivers.ts';
import { aClick, aToken, newId } from '../../support/program.ts';
import { AFFILIATE_REFUSED, outcomeOf, visibleOf } from '../../support/responses.ts';
import { storedReferral } from '../../support/table/situations.ts';
import { anEmail } from '../../support/table/track.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const ORIGIN = 'https://www.shop.example';
const { table, program, advocate } = await useProgram({ allowedOrigins: [ORIGIN, 'http://localhost:8080'] });

const aBody = () => ({ pk: program.publicKey, affiliate_slug: advocate.slug, email: anEmail() });

describe.each(ALL_DRIVERS)('conversions from pages, through %s', (_, connect) => {
  const send = connect(table);
  const convert = (body: unknown, headers: Record<string, string> = { origin: ORIGIN }) =>
    send({ operation: 'trackConversionV2', body, headers });
  const code = ({ status, headers }: ApiResponse) => [status, headers['x-error-code']];

  test('a conversion from an allowed origin returns 204 without a body, and has the actor page', async () => {
    const click = await aClick(table, program, advocate);
    const body = { pk: program.publicKey, gr_id: `${advocate.slug}.${click.id}`, email: anEmail() };
    const { status, text, headers } = await convert(body);
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined]);
    const { history, email } = (await storedReferral(table, program, click.id)) ?? {};
    expect([email, history?.at(-1)]).toEqual([body.email, expect.objectContaining({ by: 'page' })]);
  });

  test('a known customer gets the same response as a new one, and changes nothing', async () => {
    const body = aBody();
    const fresh = await convert(body);
    const known = await convert(body);
    expect(visibleOf(known)).toEqual(visibleOf(fresh));
    await expectUnchanged(table, () => convert({ ...body, sub_id: 'late' }));
  });

  test('a conversion ignores an Idempotency-Key, which only merchants can use', async () => {
    const key = { 'idempotency-key': newId() };
    const body = aBody();
    expect((await convert(body, { origin: ORIGIN, ...key })).status).toBe(204);
    const other = await convert(aBody(), { origin: ORIGIN, ...key });
    expect([other.status, other.headers['idempotent-replayed']]).toEqual([204, undefined]);
    const id = await findReferralId(table, program.id, { id: null, email: body.email, uid: null });
    expect(await storedReferral(table, program, id)).toMatchObject({ idempotencyRecord: null });
    const token = await aToken(table, program);
    const { pk: _pk, ...withoutPk } = aBody();
    const first = await send({ operation: 'trackConversionV2', token, body: withoutPk, headers: key });
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  test.each(['HTTPS://WWW.Shop.Example', 'http://localhost:8080'])(
    'a conversion is accepted from %s',
    async (origin) => {
      expect((await convert(aBody(), { origin })).status).toBe(204);
    },
  );

  test.each([
    ['no origin', {}],
    ['another origin', { origin: 'https://other.example' }],
    ['two origins', { origin: `${ORIGIN}, ${ORIGIN}` }],
    ['a referer only', { referer: `${ORIGIN}/` }],
  ])('a conversion with %s returns 403 and writes nothing', async (_, headers) => {
    await expectUnchanged(table, async () => {
      const sentence =
        "Origin is not one of the program's allowed origins: allow it, or report the conversion from your server";
      expect(outcomeOf(await convert(aBody(), headers))).toEqual([403, 'forbidden', sentence]);
    });
  });

  test('an invalid token returns 401, despite a valid pk and origin', async () => {
    const response = await convert(aBody(), { origin: ORIGIN, authorization: 'Bearer unknown' });
    expect(code(response)).toEqual([401, 'unauthorized']);
    expect((await convert(aBody(), { origin: ORIGIN, authorization: '' })).status).toBe(401);
  });

  // Each request corrects the error of the previous request.
  test('a conversion is checked in the documented order', async () => {
    const pk = program.publicKey;
    const other = { origin: 'https://other.example' };
    const bad = { pk, email: 1 };
    const CHECK_ORDER: [number, ApiRequest['body'], Record<string, string>][] = [
      [413, 'x'.repeat(20_000), { 'content-type': 'text/plain' }],
      [415, '{', { 'content-type': 'text/plain' }],
      [400, '{', other],
      [401, { email: 1 }, other],
      [403, bad, other],
      [400, bad, { origin: ORIGIN }],
      [400, { pk, affiliate_slug: 'nobody', email: anEmail() }, { origin: ORIGIN }],
      [204, aBody(), { origin: ORIGIN }],
    ];
    for (const [status, body, headers] of CHECK_ORDER) expect((await convert(body, headers)).status).toBe(status);
    expect(code(await convert('{', other))).toEqual([400, 'invalid_json']);
    expect(code(await convert('[]'))).toEqual([401, 'unauthorized']);
    expect(code(await convert(bad))).toEqual([400, 'invalid_field']);
  });

  test('a conversion with an invalid affiliate does not reveal whether the customer is known', async () => {
    const body = aBody();
    await convert(body);
    for (const email of [body.email, anEmail()]) {
      expect(outcomeOf(await convert({ ...body, email, affiliate_slug: 'nobody' }))).toEqual(AFFILIATE_REFUSED);
    }
  });
});
