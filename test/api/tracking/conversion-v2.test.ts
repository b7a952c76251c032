import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { updateAdvocate } from '../../../functions/table/advocates.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aToken, newId, now } from '../../support/program.ts';
import { anEmail } from '../../support/table/track.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
let token: string;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  token = await aToken(table, program);
});

const grIdOf = (click: string) => `${advocate.slug}.${click}`;

describe.each(DRIVERS)('POST /v2/tracking/conversion through %s', (_, connect) => {
  const send = connect(table);
  const convert = (body: unknown, headers: Record<string, string> = {}) =>
    send({ operation: 'trackConversionV2', token, body, headers });
  const list = async (query: string) => {
    const affiliateToken = await aToken(table, program, advocate);
    return (await send({ operation: 'listReferrals', token: affiliateToken, query })).json.data;
  };

  test('a conversion returns 201 with the fields of V1 and the uid', async () => {
    const before = now();
    const email = anEmail();
    const uid = `Customer ${newId()}`;
    const { status, json, headers } = await convert({
      affiliate_slug: advocate.slug.toUpperCase(),
      email: ` ${email.toUpperCase()} `,
      uid,
    });
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
    expect([headers['cache-control'], headers['deprecation'], headers['link']]).toEqual([
      'no-store',
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['by email only', () => ({ email: anEmail() }), 'uid'],
    ['by uid only', () => ({ uid: newId() }), 'email'],
  ])('a customer identified %s has null in the other field', async (_, customer, other) => {
    const { status, json } = await convert({ ...customer(), affiliate_slug: advocate.slug, [other]: null });
    expect([status, json.data.attributes[other]]).toEqual([201, null]);
  });

  test("the cookie's click becomes the referral and keeps its sub_id", async () => {
    const subId = `own-${newId()}`;
    const click = await aClick(table, program, advocate, { subId });
    const { json } = await convert({ gr_id: grIdOf(click.id), uid: newId(), sub_id: 'late' });
    expect(json.data).toMatchObject({ id: click.id, attributes: { created_at: click.createdAt } });
    const rows = await list(`sub_id_eq=${subId}`);
    expect(rows).toMatchObject([{ id: click.id, attributes: { email: null, sub_id: subId } }]);
  });

  test('sub_id is stored if the click has none, and if there is no click', async () => {
    const click = await aClick(table, program, advocate);
    const own = `own-${newId()}`;
    const first = await convert({ gr_id: grIdOf(click.id), uid: newId(), sub_id: own });
    const next = await convert({ affiliate_slug: advocate.slug, uid: newId(), sub_id: own });
    const rows: { id: string }[] = await list(`sub_id_eq=${own}`);
    expect(rows.map(({ id }) => id).sort()).toEqual([first.json.data.id, next.json.data.id].sort());
  });

  test('the advocate in affiliate_slug gets the referral, and the click of another advocate is not used', async () => {
    const other = await anAdvocate(table, program);
    const foreign = await aClick(table, program, other);
    const own = await aClick(table, program, advocate);
    const gr_id = `${other.slug}.${foreign.id}`;
    const withForeignClick = await convert({ affiliate_slug: advocate.slug, gr_id, email: anEmail() });
    expect(withForeignClick.status).toBe(201);
    expect(withForeignClick.json.data.id).not.toBe(foreign.id);
    // affiliate_slug overrides the slug in gr_id.
    const withOwnClick = await convert({
      affiliate_slug: advocate.slug,
      gr_id: `${other.slug}.${own.id}`,
      email: anEmail(),
    });
    expect(withOwnClick.json.data.id).toBe(own.id);
  });

  test('a known email or uid returns 409, whichever advocate is identified', async () => {
    const other = await anAdvocate(table, program);
    const known = { email: anEmail(), uid: newId() };
    await convert({ ...known, affiliate_slug: advocate.slug });
    for (const customer of [known, { email: known.email }, { uid: known.uid }]) {
      const { status, json, headers } = await convert({ ...customer, affiliate_slug: other.slug });
      expect([status, json, headers['x-error-code']]).toEqual([
        409,
        { error: 'Referral already exists' },
        'referral_exists',
      ]);
    }
  });

  test('unknown, foreign and deactivated affiliates return 400, even if the customer is known', async () => {
    const idle = await anAdvocate(table, program);
    await updateAdvocate(table, program.id, idle.slug, { active: false });
    const elsewhere = await aProgram(table);
    const stranger = await anAdvocate(table, elsewhere);
    const email = anEmail();
    await convert({ email, affiliate_slug: advocate.slug });
    for (const slug of ['nobody', idle.slug, stranger.slug]) {
      for (const body of [{ affiliate_slug: slug }, { gr_id: `${slug}.${newId()}` }]) {
        const { status, json } = await convert({ ...body, email });
        expect([status, json]).toEqual([400, { error: 'Invalid affiliate slug' }]);
      }
    }
  });

  test('the same Idempotency-Key repeats the first response, byte for byte', async () => {
    const key = { 'idempotency-key': newId() };
    const body = { affiliate_slug: advocate.slug, email: anEmail(), uid: newId() };
    const first = await convert(body, key);
    const again = await convert({ ...body, email: body.email.toUpperCase(), unknown: 1 }, key);
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([201, 'true', first.text]);
    const other = await convert({ ...body, uid: newId() }, key);
    expect([other.status, other.headers['x-error-code']]).toEqual([422, 'idempotency_key_reused']);
  });

  test('the Idempotency-Keys of V1 and V2 are separate', async () => {
    const headers = { 'idempotency-key': newId() };
    const gr_id = grIdOf(newId());
    const v1 = await send({
      operation: 'trackConversionV1',
      token,
      body: { email: anEmail(), gr_id },
      headers,
    });
    const v2 = await convert({ email: anEmail(), gr_id }, headers);
    expect([v1.status, v2.status, v2.headers['idempotent-replayed']]).toEqual([201, 201, undefined]);
  });

  test('pk is ignored if there is a token', async () => {
    for (const pk of [program.publicKey, (await aProgram(table)).publicKey, 'pk_1']) {
      const { status } = await convert({ pk, affiliate_slug: advocate.slug, email: anEmail() });
      expect(status).toBe(201);
    }
  });
});
