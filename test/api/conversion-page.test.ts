import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import { findReferralId } from '../../functions/table/referrals.ts';
import { type Ask, DRIVERS, type Reply } from '../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aToken, newId } from '../support/program.ts';
import { allItems } from '../support/table.ts';
import { useTable } from '../support/use-table.ts';
import { storedReferral } from '../table/situations.ts';

const table = useTable();
const ORIGIN = 'https://www.shop.example';
let program: Program;
let closed: Program;
let advocate: Advocate;
beforeAll(async () => {
  program = await aProgram(table, { allowedOrigins: [ORIGIN, 'http://localhost:8080'] });
  closed = await aProgram(table);
  advocate = await anAdvocate(table, program);
});

const anEmail = () => `${newId()}@shop.example`;
const aBody = () => ({ pk: program.publicKey, affiliate_slug: advocate.slug, email: anEmail() });
const NO_KEY = 'A valid access token is required in the header Authorization, or the public key of a program in pk';

describe.each(DRIVERS)('a conversion from a page through %s', (_, drive) => {
  const send = drive(table);
  const ask = (body: unknown, headers: Record<string, string> = { origin: ORIGIN }) =>
    send({ operation: 'trackConversionV2', body, headers });
  const code = ({ status, headers }: Reply) => [status, headers['x-error-code']];

  async function unchanged(work: () => Promise<unknown>): Promise<void> {
    const before = await allItems(table);
    await work();
    expect(await allItems(table)).toEqual(before);
  }

  test('of an origin that the program lists is 204 without a body, and recorded as of the page', async () => {
    const click = await aClick(table, program, advocate);
    const body = { pk: program.publicKey, gr_id: `${advocate.slug}.${click.id}`, email: anEmail() };
    const { status, text, headers } = await ask(body);
    expect([status, text, headers['content-type']]).toEqual([204, '', undefined]);
    const { history, email } = (await storedReferral(table, program, click.id)) ?? {};
    expect([email, history?.at(-1)]).toEqual([body.email, expect.objectContaining({ by: 'page' })]);
  });

  test('by a customer who is known is answered as by a new one, and changes nothing', async () => {
    const body = aBody();
    const fresh = await ask(body);
    const known = await ask(body);
    // What differs from answer to answer whatever was asked.
    const telling = ({ headers: { 'x-request-id': _id, date: _date, ...headers }, ...reply }: Reply) => ({
      ...reply,
      headers,
    });
    expect(telling(known)).toEqual(telling(fresh));
    await unchanged(() => ask({ ...body, sub_id: 'late' }));
  });

  test('ignores an Idempotency-Key: it is the merchant’s', async () => {
    const key = { 'idempotency-key': newId() };
    const body = aBody();
    expect((await ask(body, { origin: ORIGIN, ...key })).status).toBe(204);
    const other = await ask(aBody(), { origin: ORIGIN, ...key });
    expect([other.status, other.headers['idempotent-replayed']]).toEqual([204, undefined]);
    const id = await findReferralId(table, program.id, { email: body.email, uid: null });
    expect(await storedReferral(table, program, id)).toMatchObject({ idempotencyRecord: null });
    const token = await aToken(table, program);
    const { pk: _pk, ...merchants } = aBody();
    const server = await send({ operation: 'trackConversionV2', token, body: merchants, headers: key });
    expect([server.status, server.headers['idempotent-replayed']]).toEqual([201, undefined]);
  });

  test.each([ORIGIN, 'HTTPS://WWW.Shop.Example', 'http://localhost:8080'])(
    'of the origin %s is let in',
    async (origin) => {
      expect((await ask(aBody(), { origin })).status).toBe(204);
    },
  );

  test.each([
    ['no origin', {}],
    ['the origin of a file', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['another origin', { origin: 'https://other.example' }],
    ['a longer origin', { origin: `${ORIGIN}.evil.example` }],
    ['an origin with a path', { origin: `${ORIGIN}/` }],
    ['the bare domain', { origin: 'https://shop.example' }],
    ['the other scheme', { origin: 'http://www.shop.example' }],
    ['another port', { origin: `${ORIGIN}:8443` }],
    ['two origins', { origin: `${ORIGIN}, ${ORIGIN}` }],
    ['a referer only', { referer: `${ORIGIN}/` }],
  ])('of %s is 403, and nothing is written', async (_what, headers) => {
    await unchanged(async () => {
      const reply = await ask(aBody(), headers);
      expect(code(reply)).toEqual([403, 'forbidden']);
      expect(reply.json).toEqual({
        error: 'pk stands for a token only on pages of origins that the program lists',
      });
    });
  });

  test('of a program that lists no origin is 403', async () => {
    const own = await anAdvocate(table, closed);
    const body = { pk: closed.publicKey, affiliate_slug: own.slug, email: anEmail() };
    await unchanged(async () => expect((await ask(body)).status).toBe(403));
  });

  test.each([
    ['no pk', {}],
    ['a pk that is null', { pk: null }],
    ['a pk that is empty', { pk: '' }],
    ['a pk that is a number', { pk: 1 }],
    ['a pk of another form', { pk: 'pk_1' }],
    ['the pk of no program', { pk: `pk_${newId().replaceAll('-', '')}` }],
  ])('with %s is 401', async (_what, changed) => {
    const { pk: _pk, ...body } = aBody();
    const reply = await ask({ ...body, ...changed });
    expect([...code(reply), reply.headers['www-authenticate']]).toEqual([401, 'unauthorized', 'Bearer']);
    expect(reply.json).toEqual({ error: NO_KEY });
  });

  test('with a token that is not live is 401, whatever pk and origin say', async () => {
    const reply = await ask(aBody(), { origin: ORIGIN, authorization: 'Bearer unknown' });
    expect(code(reply)).toEqual([401, 'unauthorized']);
    expect((await ask(aBody(), { origin: ORIGIN, authorization: '' })).status).toBe(401);
  });

  test('with a token needs no origin', async () => {
    const token = await aToken(table, program);
    const { status } = await send({ operation: 'trackConversionV2', token, body: aBody() });
    expect(status).toBe(201);
  });

  // From the worst request to the best: each puts right what the one before is refused for.
  test('is checked in the order of the decisions', async () => {
    const pk = program.publicKey;
    const other = { origin: 'https://other.example' };
    const bad = { pk, email: 1 };
    const CHECK_ORDER: [number, Ask['body'], Record<string, string>][] = [
      [413, 'x'.repeat(20_000), { 'content-type': 'text/plain' }],
      [415, '{', { 'content-type': 'text/plain' }],
      [400, '{', other],
      [401, { email: 1 }, other],
      [403, bad, other],
      [400, bad, { origin: ORIGIN }],
      [400, { pk, affiliate_slug: 'nobody', email: anEmail() }, { origin: ORIGIN }],
      [204, aBody(), { origin: ORIGIN }],
    ];
    for (const [status, body, headers] of CHECK_ORDER) expect((await ask(body, headers)).status).toBe(status);
    expect(code(await ask('{', other))).toEqual([400, 'invalid_json']);
    expect(code(await ask('[]'))).toEqual([401, 'unauthorized']);
    expect(code(await ask(bad))).toEqual([400, 'invalid_field']);
  });

  test('of an affiliate that cannot be used tells nothing of who is known', async () => {
    const body = aBody();
    await ask(body);
    for (const email of [body.email, anEmail()]) {
      const reply = await ask({ ...body, email, affiliate_slug: 'nobody' });
      expect([reply.status, reply.json]).toEqual([400, { error: 'Invalid affiliate slug' }]);
    }
  });

  test('cannot set a state', async () => {
    const body = { ...aBody(), state: 'paid' };
    const reply = await send({ operation: 'setState', body, headers: { origin: ORIGIN } });
    expect(code(reply)).toEqual([401, 'unauthorized']);
  });
});
