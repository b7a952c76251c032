import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import { DRIVERS } from '../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aToken, newId } from '../support/program.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
let token: string;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program, { uid: 'partner-1' });
  token = await aToken(table, program);
});

const anEmail = () => `${newId()}@shop.example`;
const aGrId = () => `${advocate.slug}.${newId()}`;

describe.each(DRIVERS)('POST /v1/tracking/conversion through %s', (_, drive) => {
  const send = drive(table);
  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    send({ operation: 'trackConversionV1', token, body, headers });

  test('a conversion is 201 with exactly the fields of the contract', async () => {
    const before = Math.floor(Date.now() / 1000);
    const email = anEmail();
    const { status, json } = await ask({ email: ` ${email.toUpperCase()} `, gr_id: aGrId() });
    expect(status).toBe(201);
    const { state_set_at: at } = json.data.attributes;
    expect(at).toBeGreaterThanOrEqual(before);
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'referral',
        attributes: { email, state: 'converted', state_set_at: at, created_at: at, updated_at: at },
      },
    });
  });

  test('the click of the cookie becomes the referral', async () => {
    const click = await aClick(table, program, advocate);
    const { json } = await ask({ email: anEmail(), gr_id: `${advocate.slug.toUpperCase()}.${click.id}` });
    expect(json.data.id).toBe(click.id);
  });

  test("pk and the merchant's id of the advocate replace gr_id", async () => {
    const body = { email: anEmail(), pk: program.publicKey, uid: 'partner-1' };
    expect((await ask(body)).status).toBe(201);
    expect((await ask({ ...body, email: anEmail(), gr_id: null })).status).toBe(201);
    expect((await ask({ ...body, email: anEmail(), gr_id: '' })).status).toBe(201);
  });

  test("pk and the service's id of the advocate get exactly the response of an unknown uid", async () => {
    const respond = async (uid: string) => {
      const { status, text, headers } = await ask({ email: anEmail(), pk: program.publicKey, uid });
      return { status, text, headers: { ...headers, 'x-request-id': 'any', date: 'any' } };
    };
    const unknown = await respond(newId());
    expect(unknown).toMatchObject({ status: 400, text: '{"error":"Invalid affiliate slug"}' });
    expect(await respond(advocate.id)).toEqual(unknown);
  });

  test('the second conversion of an e-mail is 409, whoever brought it', async () => {
    const email = anEmail();
    await ask({ email, gr_id: aGrId() });
    const other = await anAdvocate(table, program);
    const { status, json, headers } = await ask({ email, gr_id: `${other.slug}.${newId()}` });
    expect([status, json, headers['x-error-code']]).toEqual([
      409,
      { error: 'Referral already exists' },
      'referral_exists',
    ]);
  });

  test('an affiliate that is unknown, of another program or deactivated is 400, and all look alike', async () => {
    const foreign = await aProgram(table);
    const foreigner = await anAdvocate(table, foreign, { uid: 'foreign-1' });
    const email = anEmail();
    const bodies = [
      { email, gr_id: `nobody.${newId()}` },
      { email, gr_id: `${foreigner.slug}.${newId()}` },
      { email, pk: foreign.publicKey, uid: 'partner-1' },
      { email, pk: foreign.publicKey, uid: 'foreign-1' },
      { email, pk: program.publicKey, uid: 'foreign-1' },
      { email, pk: 'pk_nonsense', uid: 'partner-1' },
      { email, pk: program.publicKey, uid: 'PARTNER-1' },
    ];
    const replies = await Promise.all(bodies.map((body) => ask(body)));
    for (const { status, json, headers } of replies) {
      expect([status, json, headers['x-error-code']]).toEqual([
        400,
        { error: 'Invalid affiliate slug' },
        'invalid_affiliate_slug',
      ]);
    }
    expect((await ask({ email, gr_id: aGrId() })).status).toBe(201);
  });

  test('the same Idempotency-Key with the same fields is answered the same, byte for byte', async () => {
    const body = { email: anEmail(), gr_id: aGrId() };
    const key = { 'idempotency-key': newId() };
    const first = await ask(body, key);
    const again = await send({
      operation: 'trackConversionV1',
      token: await aToken(table, program),
      body: JSON.stringify({ note: 'ignored', ...body, email: ` ${body.email.toUpperCase()}` }),
      headers: key,
    });
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([201, 'true', first.text]);
  });

  test('the same Idempotency-Key with other fields is 422', async () => {
    const key = { 'idempotency-key': newId() };
    await ask({ email: anEmail(), gr_id: aGrId() }, key);
    const { status, headers } = await ask({ email: anEmail(), gr_id: `nobody.${newId()}` }, key);
    expect([status, headers['x-error-code']]).toEqual([422, 'idempotency_key_reused']);
  });

  test.each(['', 'x'.repeat(256), 'é'])('an Idempotency-Key that is no key is 400: %j', async (key) => {
    const { status, json } = await ask({ email: anEmail(), gr_id: aGrId() }, { 'idempotency-key': key });
    expect(status).toBe(400);
    expect(json.error).toMatch(/^Idempotency-Key /);
  });

  test('every answer says that the operation is deprecated and what replaces it', async () => {
    const replies = [
      await ask({ email: anEmail(), gr_id: aGrId() }),
      await ask('{'),
      await send({ operation: 'trackConversionV1' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 400, 401]);
    for (const { headers } of replies) {
      expect(headers['deprecation']).toBe('@1767225600');
      expect(headers['link']).toMatch(/^<https?:\/\/[^/]+\/v2\/tracking\/conversion>; rel="successor-version"$/);
    }
  });
});
