import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import { setAdvocateActive } from '../../functions/table/advocates.ts';
import { DRIVERS } from '../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aToken, newId, now } from '../support/program.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
let token: string;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  token = await aToken(table, program);
});

const anEmail = () => `${newId()}@shop.example`;
const grIdOf = (click: string) => `${advocate.slug}.${click}`;

describe.each(DRIVERS)('POST /v2/tracking/conversion through %s', (_, drive) => {
  const send = drive(table);
  const ask = (body: unknown, headers: Record<string, string> = {}) =>
    send({ operation: 'trackConversionV2', token, body, headers });
  const list = async (query: string) => {
    const as = await aToken(table, program, advocate);
    return (await send({ operation: 'listReferrals', token: as, query })).json.data;
  };

  test('a conversion is 201 with the fields of V1 and the uid', async () => {
    const before = now();
    const email = anEmail();
    const uid = `Customer ${newId()}`;
    const { status, json, headers } = await ask({
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
        attributes: { email, uid, state: 'converted', state_set_at: at, created_at: at, updated_at: at },
      },
    });
    expect([headers['cache-control'], headers['deprecation'], headers['link']]).toEqual([
      'no-store',
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['by e-mail alone', () => ({ email: anEmail() }), 'uid'],
    ['by uid alone', () => ({ uid: newId() }), 'email'],
  ])('a customer who is known %s is told so: the other is null', async (_what, customer, other) => {
    const { status, json } = await ask({ ...customer(), affiliate_slug: advocate.slug, [other]: null });
    expect([status, json.data.attributes[other]]).toEqual([201, null]);
  });

  test('the click of the cookie becomes the referral; its sub_id is kept', async () => {
    const subId = `own-${newId()}`;
    const click = await aClick(table, program, advocate, { subId });
    const { json } = await ask({ gr_id: grIdOf(click.id), uid: newId(), sub_id: 'late' });
    expect(json.data).toMatchObject({ id: click.id, attributes: { created_at: click.createdAt } });
    const rows = await list(`sub_id_eq=${subId}`);
    expect(rows).toMatchObject([{ id: click.id, attributes: { email: null, sub_id: subId } }]);
  });

  test('sub_id counts where the click had none, and where there is no click', async () => {
    const click = await aClick(table, program, advocate);
    const own = `own-${newId()}`;
    const first = await ask({ gr_id: grIdOf(click.id), uid: newId(), sub_id: own });
    const next = await ask({ affiliate_slug: advocate.slug, uid: newId(), sub_id: own });
    const rows: { id: string }[] = await list(`sub_id_eq=${own}`);
    expect(rows.map(({ id }) => id).sort()).toEqual([first.json.data.id, next.json.data.id].sort());
  });

  test('the slug decides, and a click counts only where it is its advocate’s', async () => {
    const other = await anAdvocate(table, program);
    const foreign = await aClick(table, program, other);
    const own = await aClick(table, program, advocate);
    const gr_id = `${other.slug}.${foreign.id}`;
    const theirs = await ask({ affiliate_slug: advocate.slug, gr_id, email: anEmail() });
    expect(theirs.status).toBe(201);
    expect(theirs.json.data.id).not.toBe(foreign.id);
    // The slug in gr_id does not matter where affiliate_slug is given.
    const ours = await ask({
      affiliate_slug: advocate.slug,
      gr_id: `${other.slug}.${own.id}`,
      email: anEmail(),
    });
    expect(ours.json.data.id).toBe(own.id);
  });

  test('a customer who is known by either is 409, whoever brings it', async () => {
    const other = await anAdvocate(table, program);
    const known = { email: anEmail(), uid: newId() };
    await ask({ ...known, affiliate_slug: advocate.slug });
    for (const customer of [known, { email: known.email }, { uid: known.uid }]) {
      const { status, json, headers } = await ask({ ...customer, affiliate_slug: other.slug });
      expect([status, json, headers['x-error-code']]).toEqual([
        409,
        { error: 'Referral already exists' },
        'referral_exists',
      ]);
    }
  });

  test('an affiliate that is unknown, foreign or deactivated is 400, also for a customer who is known', async () => {
    const idle = await anAdvocate(table, program);
    await setAdvocateActive(table, program.id, idle, false, now());
    const elsewhere = await aProgram(table);
    const stranger = await anAdvocate(table, elsewhere);
    const email = anEmail();
    await ask({ email, affiliate_slug: advocate.slug });
    for (const slug of ['nobody', idle.slug, stranger.slug]) {
      for (const body of [{ affiliate_slug: slug }, { gr_id: `${slug}.${newId()}` }]) {
        const { status, json } = await ask({ ...body, email });
        expect([status, json]).toEqual([400, { error: 'Invalid affiliate slug' }]);
      }
    }
  });

  test('a repeat with the same Idempotency-Key gets the first answer again, byte for byte', async () => {
    const key = { 'idempotency-key': newId() };
    const body = { affiliate_slug: advocate.slug, email: anEmail(), uid: newId() };
    const first = await ask(body, key);
    const again = await ask({ ...body, email: body.email.toUpperCase(), unknown: 1 }, key);
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined]);
    expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([201, 'true', first.text]);
    const other = await ask({ ...body, uid: newId() }, key);
    expect([other.status, other.headers['x-error-code']]).toEqual([422, 'idempotency_key_reused']);
  });

  test('a key of V1 is another one than the same key of V2', async () => {
    const headers = { 'idempotency-key': newId() };
    const gr_id = grIdOf(newId());
    const v1 = await send({
      operation: 'trackConversionV1',
      token,
      body: { email: anEmail(), gr_id },
      headers,
    });
    const v2 = await ask({ email: anEmail(), gr_id }, headers);
    expect([v1.status, v2.status, v2.headers['idempotent-replayed']]).toEqual([201, 201, undefined]);
  });

  test('pk beside a token has no effect, be it of this program, another or none', async () => {
    for (const pk of [program.publicKey, (await aProgram(table)).publicKey, 'pk_1']) {
      const { status } = await ask({ pk, affiliate_slug: advocate.slug, email: anEmail() });
      expect(status).toBe(201);
    }
  });
});
