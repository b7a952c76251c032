import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { ALL_DRIVERS, DRIVERS, type Send } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aToken, newId } from '../../support/program.ts';
import { anEmail } from '../../support/table/track.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
let token: string;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program, { uid: 'partner-1' });
  token = await aToken(table, program);
});

const aGrId = () => `${advocate.slug}.${newId()}`;

const conversions =
  (send: Send) =>
  (body: unknown, headers: Record<string, string> = {}) =>
    send({ operation: 'trackConversionV1', token, body, headers });

describe.each(DRIVERS)('POST /v1/tracking/conversion through %s', (_, connect) => {
  const send = connect(table);
  const convert = conversions(send);

  test('a conversion returns 201 with exactly the documented fields', async () => {
    const before = Math.floor(Date.now() / 1000);
    const email = anEmail();
    const { status, json } = await convert({ email: ` ${email.toUpperCase()} `, gr_id: aGrId() });
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

  test("the cookie's click becomes the referral", async () => {
    const click = await aClick(table, program, advocate);
    const { json } = await convert({ email: anEmail(), gr_id: `${advocate.slug.toUpperCase()}.${click.id}` });
    expect(json.data.id).toBe(click.id);
  });

  test('pk and the uid of an advocate are accepted instead of gr_id', async () => {
    const body = { email: anEmail(), pk: program.publicKey, uid: 'partner-1' };
    expect((await convert(body)).status).toBe(201);
    expect((await convert({ ...body, email: anEmail(), gr_id: null })).status).toBe(201);
    expect((await convert({ ...body, email: anEmail(), gr_id: '' })).status).toBe(201);
  });

  test("the advocate's id is rejected with the same error as an unknown uid", async () => {
    const responseTo = async (uid: string) => {
      const { status, text, headers } = await convert({ email: anEmail(), pk: program.publicKey, uid });
      return { status, text, headers: { ...headers, 'x-request-id': 'any', date: 'any' } };
    };
    const unknown = await responseTo(newId());
    expect(unknown).toMatchObject({ status: 400, text: '{"error":"Invalid affiliate slug"}' });
    expect(await responseTo(advocate.id)).toEqual(unknown);
  });

  test('a known email returns 409, whichever advocate is identified', async () => {
    const email = anEmail();
    await convert({ email, gr_id: aGrId() });
    const other = await anAdvocate(table, program);
    const { status, json, headers } = await convert({ email, gr_id: `${other.slug}.${newId()}` });
    expect([status, json, headers['x-error-code']]).toEqual([
      409,
      { error: 'Referral already exists' },
      'referral_exists',
    ]);
  });

  test('unknown affiliates and affiliates of other programs return the same 400', async () => {
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
    const responses = await Promise.all(bodies.map((body) => convert(body)));
    for (const { status, json, headers } of responses) {
      expect([status, json, headers['x-error-code']]).toEqual([
        400,
        { error: 'Invalid affiliate slug' },
        'invalid_affiliate_slug',
      ]);
    }
    expect((await convert({ email, gr_id: aGrId() })).status).toBe(201);
  });

  test('the same Idempotency-Key with other fields returns 422', async () => {
    const key = { 'idempotency-key': newId() };
    await convert({ email: anEmail(), gr_id: aGrId() }, key);
    const { status, headers } = await convert({ email: anEmail(), gr_id: `nobody.${newId()}` }, key);
    expect([status, headers['x-error-code']]).toEqual([422, 'idempotency_key_reused']);
  });
});

describe.each(ALL_DRIVERS)('POST /v1/tracking/conversion through %s', (_, connect) => {
  const send = connect(table);
  const convert = conversions(send);

  test('the same Idempotency-Key and fields repeat the first response, byte for byte', async () => {
    const body = { email: anEmail(), gr_id: aGrId() };
    const key = { 'idempotency-key': newId() };
    const first = await convert(body, key);
    const again = await send({
      operation: 'trackConversionV1',
      token: await aToken(table, program),
      body: JSON.stringify({ note: 'ignored', ...body, email: ` ${body.email.toUpperCase()}` }),
      headers: key,
    });
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([201, 'true', first.text]);
  });

  test.each(['', 'x'.repeat(256), 'é'])('the invalid Idempotency-Key %j returns 400', async (key) => {
    const { status, json } = await convert({ email: anEmail(), gr_id: aGrId() }, { 'idempotency-key': key });
    expect(status).toBe(400);
    expect(json.error).toMatch(/^Idempotency-Key /);
  });

  test('every response has the deprecation date and the successor', async () => {
    const responses = [
      await convert({ email: anEmail(), gr_id: aGrId() }),
      await convert('{'),
      await send({ operation: 'trackConversionV1' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 400, 401]);
    for (const { headers } of responses) {
      expect(headers['deprecation']).toBe('@1767225600');
      expect(headers['link']).toMatch(/^<https?:\/\/[^/]+\/v2\/tracking\/conversion>; rel="successor-version"$/);
    }
  });
});
