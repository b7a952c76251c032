import { describe, expect, test } from '@jest/globals';
import { ALL_DRIVERS, DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aToken, newId, now } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { anEmail } from '../../support/table/track.ts';
import { useProgram } from '../../support/use-table.ts';

const ORIGIN = 'https://shop.example';
const { table, program, advocate } = await useProgram({ allowedOrigins: [ORIGIN] }, { uid: 'partner-1' });
const token = await aToken(table, program);
const grIdOf = (click: string) => `${advocate.slug}.${click}`;
const aGrId = () => grIdOf(newId());
const EXISTS = [409, 'referral_exists', 'Referral already exists'];

describe.each(DRIVERS)('POST /v1/tracking/conversion through %s', (_, connect) => {
  const send = connect(table);
  const convert = (body: unknown) => send({ operation: 'trackConversionV1', token, body });

  test('a conversion returns 201 with exactly the documented fields', async () => {
    const before = now();
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

  test('pk and the uid of an advocate are accepted instead of gr_id', async () => {
    const body = { email: anEmail(), pk: program.publicKey, uid: 'partner-1' };
    expect((await convert(body)).status).toBe(201);
    expect((await convert({ ...body, email: anEmail(), gr_id: '' })).status).toBe(201);
  });
});

describe.each(ALL_DRIVERS)('POST /v1/tracking/conversion through %s', (_, connect) => {
  const send = connect(table);
  const convert = (body: unknown, headers = {}) => send({ operation: 'trackConversionV1', token, body, headers });

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
    expect([status, json.error]).toEqual([400, expect.stringMatching(/^Idempotency-Key /)]);
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

describe.each(DRIVERS)('POST /v2/tracking/conversion through %s', (_, connect) => {
  const send = connect(table);
  const convert = (body: object, headers: Record<string, string> = {}) =>
    send({ operation: 'trackConversionV2', token, body, headers });
  const convertFor = (fields: object, headers = {}) => convert({ affiliate_slug: advocate.slug, ...fields }, headers);
  const lookUp = async (body: object) =>
    (await send({ operation: 'lookUpReferral', token, body })).json.data.attributes;

  test('a conversion returns 201 with the fields of V1, the uid and metadata', async () => {
    const before = now();
    const email = anEmail();
    const uid = `Customer ${newId()}`;
    const affiliate_slug = advocate.slug.toUpperCase();
    const { status, json, headers } = await convert({ affiliate_slug, email: ` ${email.toUpperCase()} `, uid });
    expect(status).toBe(201);
    const { state_set_at: at } = json.data.attributes;
    expect(at).toBeGreaterThanOrEqual(before);
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'referral',
        attributes: { email, uid, state: 'converted', state_set_at: at, created_at: at, updated_at: at, metadata: {} },
      },
    });
    const { 'cache-control': caching, deprecation, link } = headers;
    expect([caching, deprecation, link]).toEqual(['no-store', undefined, undefined]);
  });

  test("the cookie's click becomes the referral and keeps its sub_id", async () => {
    const click = await aClick(table, program, advocate, { subId: 'early' });
    const { json } = await convert({ gr_id: grIdOf(click.id), uid: newId(), sub_id: 'late' });
    expect(json.data).toMatchObject({ id: click.id, attributes: { email: null, created_at: click.createdAt } });
    expect(await lookUp({ id: click.id })).toMatchObject({ sub_id: 'early' });
  });

  test('the advocate in affiliate_slug gets the referral, and the click of another advocate is not used', async () => {
    const other = await anAdvocate(table, program);
    const foreign = await aClick(table, program, other);
    const own = await aClick(table, program, advocate);
    const withForeignClick = await convertFor({ gr_id: `${other.slug}.${foreign.id}`, email: anEmail() });
    expect(withForeignClick.status).toBe(201);
    expect(withForeignClick.json.data.id).not.toBe(foreign.id);
    // affiliate_slug overrides the slug in gr_id.
    const withOwnClick = await convertFor({ gr_id: `${other.slug}.${own.id}`, email: anEmail() });
    expect(withOwnClick.json.data.id).toBe(own.id);
  });

  test('a known email or uid returns 409, whichever advocate is identified', async () => {
    const other = await anAdvocate(table, program);
    const known = { email: anEmail(), uid: newId() };
    await convertFor(known);
    for (const customer of [known, { email: known.email }, { uid: known.uid }]) {
      expect(outcomeOf(await convert({ ...customer, affiliate_slug: other.slug }))).toEqual(EXISTS);
    }
  });

  test('the same Idempotency-Key repeats the first response, and returns 422 for other fields', async () => {
    const key = { 'idempotency-key': newId() };
    const body = { email: anEmail(), uid: newId(), metadata: { a: '1', b: '2', 10: '3', 9: '4' } };
    const first = await convertFor(body, key);
    const metadata = { 9: '4', b: '2', 10: '3', a: '1' };
    const again = await convertFor({ ...body, email: body.email.toUpperCase(), metadata, unknown: 1 }, key);
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([201, 'true', first.text]);
    for (const other of [{ uid: newId() }, { metadata: { a: '1' } }]) {
      expect(outcomeOf(await convertFor({ ...body, ...other }, key)).slice(0, 2)).toEqual([
        422,
        'idempotency_key_reused',
      ]);
    }
  });

  test('metadata of a customer is returned by conversion, state and lookup, not by lists', async () => {
    const email = anEmail();
    const metadata = { b: '2', B: '1', a: 'é' };
    const converted = await convertFor({ email, metadata });
    const changed = await send({ operation: 'setState', token, body: { email, state: 'paid' } });
    for (const { json } of [converted, changed]) expect(json.data.attributes.metadata).toEqual(metadata);
    expect((await lookUp({ email })).metadata).toEqual(metadata);
    const affiliate = await send({ operation: 'listReferrals', token: await aToken(table, program, advocate) });
    const merchant = await send({ operation: 'listReferralsV2', token, query: `affiliate_slug=${advocate.slug}` });
    for (const { json } of [affiliate, merchant]) expect(json.data[0].attributes).not.toHaveProperty('metadata');
  });

  test('metadata may have the names that every object of JavaScript has, and not more than 2 KiB', async () => {
    // A request with the last one, `__proto__`, is refused before its fields are looked at.
    const names = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__');
    const metadata = Object.fromEntries(names.map((name) => [name, 'x']));
    const { json } = await convertFor({ email: anEmail(), metadata });
    expect(Object.entries((await lookUp({ id: json.data.id })).metadata).sort()).toEqual(
      Object.entries(metadata).sort(),
    );
    const large = Object.fromEntries(names.map((name) => [name, 'x'.repeat(200)]));
    for (const response of [
      await convertFor({ email: anEmail(), metadata: large }),
      await send({ operation: 'createAdvocate', token, body: { email: anEmail(), metadata: large } }),
      await send({ operation: 'updateAdvocate', token, slug: advocate.slug, body: { metadata: large } }),
    ]) {
      const sentence = 'metadata must have at most 2048 bytes as JSON';
      expect(outcomeOf(response)).toEqual([400, 'invalid_field', sentence]);
    }
  });

  test('metadata from a page is ignored, valid or not', async () => {
    for (const metadata of [{ plan: 'free' }, 7]) {
      const email = anEmail();
      const body = { pk: program.publicKey, affiliate_slug: advocate.slug, email, metadata };
      const sent = await send({ operation: 'trackConversionV2', body, headers: { origin: ORIGIN } });
      expect([sent.status, (await lookUp({ email })).metadata]).toEqual([204, {}]);
    }
  });

  test('only a merchant sees the flag of a self-referral, which V1, a click and a page also get', async () => {
    const own = await anAdvocate(table, program, { uid: newId() });
    const affiliate = await aToken(table, program, own);
    const click = await aClick(table, program, own);
    const gr_id = `${own.slug}_${click.id}`;
    const page = { pk: program.publicKey, affiliate_slug: own.slug };
    const [byUid, byClick, byPage] = ['a', 'b', 'c'].map((tag) => String(own.email).replace('@', `+${tag}@`));
    const v1 = { operation: 'trackConversionV1', token } as const;
    const responses = [
      await send({ ...v1, body: { email: byUid, pk: program.publicKey, uid: own.uid } }),
      await send({ ...v1, body: { email: byClick, gr_id } }),
      await send({ operation: 'trackConversionV2', body: { ...page, email: byPage }, headers: { origin: ORIGIN } }),
      await convert({ affiliate_slug: own.slug, uid: own.uid }),
      await send({ operation: 'setState', token, body: { uid: own.uid, state: 'paid' } }),
      await send({ operation: 'listReferrals', token: affiliate }),
      await send({ operation: 'countOwnReferrals', token: affiliate, query: 'group_by=sub_id' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 204, 201, 200, 200, 200]);
    for (const { text } of responses) expect(text).not.toMatch(/flags|self_referral/);
    const { json } = await send({ operation: 'listReferralsV2', token, query: `affiliate_slug=${own.slug}` });
    const flags = json.data.map(({ attributes }: { attributes: { flags: string[] } }) => attributes.flags);
    expect(flags).toEqual(Array.from({ length: 4 }, () => ['self_referral']));
  });
});
