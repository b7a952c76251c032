import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { DRIVERS, sendToHandlers } from '../../support/drivers.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { anAdvocate, aProgram, aReferral, aToken, newId, now } from '../../support/program.ts';
import { AFFILIATE_REFUSED, idsOf, outcomeOf } from '../../support/responses.ts';
import { anEmail } from '../../support/table/track.ts';
import { allItems } from '../../support/table.ts';
import { expectUnchanged, useProgram } from '../../support/use-table.ts';

const TERMS = { name: 'Acme', siteUrl: 'https://acme.example/', commissionPercentage: 20 };
const { table, program } = await useProgram(TERMS);
const proxied = useFaultyProxy(table);
const token = await aToken(table, program);
let advocate: Advocate;
beforeEach(async () => {
  const company = { companyId: 'c-1', company: 'Doe Media' };
  advocate = await anAdvocate(table, program, { uid: newId(), ...company, commissionPercentage: 10 });
});

const UID_TAKEN = [409, 'uid_taken', 'uid is already in use. If you are retrying, the first request succeeded.'];
const SLUG_TAKEN = [409, 'slug_taken', 'slug is already in use. Choose another slug.'];
/** Names that no other test uses. */
const aName = () => `n${newId().slice(-12)}`;

describe.each(DRIVERS)('POST /v2/advocates through %s', (_, connect) => {
  const send = connect(table);
  const create = (body: object) => send({ operation: 'createAdvocate', token, body });

  test('a creation stores an active advocate with every field, which is listed immediately', async () => {
    const before = now();
    const slug = `Sam_${newId()}`;
    const body = {
      email: ' SAM@Partners.Example ',
      first_name: 'Sam',
      last_name: 'Rivera',
      slug,
      uid: `Partner ${slug}`,
      company_id: 'c-1',
      company: 'Rivera Media',
      commission_percentage: 12.5,
      metadata: { tier: 'gold' },
      payout_method: 'paypal',
      payout_account: 'sam@pay.example',
    };
    const { status, json } = await create(body);
    expect(status).toBe(201);
    const { id, attributes } = json.data;
    expect(attributes.created_at).toBeGreaterThanOrEqual(before);
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        type: 'advocate',
        attributes: {
          ...body,
          id,
          email: 'sam@partners.example',
          slug: slug.toLowerCase(),
          referral_link: `https://acme.example/?via=${slug.toLowerCase()}`,
          created_at: attributes.created_at,
          active: true,
          group: null,
          terms_version: null,
          accepted_at: null,
          payout_pending_until: null,
        },
      },
    });
    const got = await send({ operation: 'getAdvocate', token, slug });
    expect(got.json).toEqual(json);
    const listed = await send({ operation: 'listAdvocatesV2', token });
    expect(idsOf(listed)).toContain(id);
    expect(listed.json.data[0].attributes).not.toHaveProperty('metadata');
  });

  test('a creation needs only an email: fields that are null or empty count as absent', async () => {
    const empty = { first_name: '', last_name: null, slug: '', uid: null, company_id: '', company: null };
    for (const body of [{}, { ...empty, commission_percentage: null }, { ...empty, commission_percentage: '' }]) {
      const { status, json } = await create({ email: anEmail(), unknown: 1, active: false, ...body });
      expect(status).toBe(201);
      expect(json.data.attributes).toMatchObject({
        ...{ first_name: null, last_name: null, slug: expect.stringMatching(/^[0-9a-z]{8}$/), uid: null },
        ...{ company_id: program.id, company: 'Acme', commission_percentage: null, active: true },
      });
    }
  });

  test('emails are not unique', async () => {
    const email = anEmail();
    expect([(await create({ email })).status, (await create({ email })).status]).toEqual([201, 201]);
  });

  test('a rate of any size never causes a 5xx', async () => {
    const outcomeWith = async (rate: string) => {
      const body = `{"email":"a@shop.example","commission_percentage":${rate}}`;
      return outcomeOf(await send({ operation: 'createAdvocate', token, body }));
    };
    for (const rate of ['1e-200', '5e-324', '-0', '33.3333333333333333333']) {
      expect([rate, await outcomeWith(rate)]).toEqual([rate, [201]]);
    }
    expect(await outcomeWith('1e400')).toEqual([400, 'invalid_field', 'commission_percentage must be a number']);
  });

  test('a taken uid returns 409 before a taken slug, and nothing is stored', async () => {
    const taken = { slug: aName(), uid: newId() };
    await create({ email: anEmail(), ...taken });
    await expectUnchanged(table, async () => {
      expect(outcomeOf(await create({ email: anEmail(), ...taken }))).toEqual(UID_TAKEN);
      expect(outcomeOf(await create({ email: anEmail(), uid: taken.uid, first_name: aName() }))).toEqual(UID_TAKEN);
      expect(outcomeOf(await create({ email: anEmail(), slug: taken.slug.toUpperCase() }))).toEqual(SLUG_TAKEN);
    });
  });
});

describe.each(DRIVERS)('PATCH /v2/advocates/{slug} through %s', (_, connect) => {
  const send = connect(table);
  const change = (body: unknown, slug = advocate.slug) => send({ operation: 'updateAdvocate', token, slug, body });
  const get = async () => (await send({ operation: 'getAdvocate', token, slug: advocate.slug })).json.data;
  const convert = (body: object) => send({ operation: 'trackConversionV2', token, body });

  test('an update changes every field but the slug, and returns the advocate as GET does', async () => {
    const before = await get();
    const body = {
      ...{ email: ' NEW@Partners.Example ', first_name: 'Zoë', last_name: "O'Neil", uid: newId(), company_id: 'c-2' },
      ...{ company: 'Neil Media', commission_percentage: 0, active: false, metadata: { tier: 'gold', team: 'north' } },
    };
    const { status, json } = await change(body, advocate.slug.toUpperCase());
    const attributes = { ...before.attributes, ...body, email: 'new@partners.example' };
    expect([status, json.data]).toEqual([200, { ...before, attributes }]);
    expect(await get()).toEqual(json.data);
  });

  test.each([
    ...['first_name', 'last_name', 'uid', 'commission_percentage', 'company_id'].map((field) => [field, null] as const),
    ['first_name', 'Ana'],
    ['active', false],
    ['metadata', { tier: 'silver' }],
  ])('an update changes only %s to %j: absent fields stay', async (field, value) => {
    const before = await get();
    const { json } = await change({ [field]: value });
    expect(json.data).toEqual({ ...before, attributes: { ...before.attributes, [field]: value } });
  });

  test('null clears metadata, and the program is then the company', async () => {
    await change({ metadata: { tier: 'gold' } });
    const { json } = await change({ company_id: null, company: null, metadata: null });
    const cleared = { company_id: program.id, company: program.name, metadata: {} };
    expect(json.data.attributes).toMatchObject(cleared);
  });

  test('an invalid update returns the same 400 for an unknown advocate', async () => {
    const sentence = 'slug cannot be changed, because links contain it: remove it';
    await expectUnchanged(table, async () => {
      for (const slug of [advocate.slug, 'nobody']) {
        expect(outcomeOf(await change({ slug, email: 1 }, slug))).toEqual([400, 'invalid_field', sentence]);
      }
    });
  });

  test('a deactivated advocate gets no new referrals, and lists its referrals', async () => {
    const referral = await aReferral(table, program, advocate);
    await change({ active: false });
    const byUid = { email: anEmail(), pk: program.publicKey, uid: advocate.uid };
    const bySlug = { affiliate_slug: advocate.slug, email: anEmail() };
    expect(outcomeOf(await convert(bySlug))).toEqual(AFFILIATE_REFUSED);
    expect(outcomeOf(await send({ operation: 'trackConversionV1', token, body: byUid }))).toEqual(AFFILIATE_REFUSED);
    const affiliate = await aToken(table, program, advocate);
    expect(idsOf(await send({ operation: 'listReferrals', token: affiliate }))).toEqual([referral.id]);
    await change({ active: true });
    expect((await convert(bySlug)).status).toBe(201);
  });
});

const PERSON = {
  email: 'maria.novak@partners.example',
  firstName: 'Maria',
  lastName: 'Novak',
  uid: 'partner-4711',
  companyId: 'company-1',
  company: 'Novak Media',
  metadata: { tier: 'gold' },
};

describe.each(DRIVERS)('POST /v2/advocates/{slug}/erase through %s', (_, connect) => {
  const send = connect(table);

  test('an erased advocate keeps slug and referrals, and loses everything about the person', async () => {
    const program = await aProgram(table);
    const token = await aToken(table, program);
    const advocate = await anAdvocate(table, program, PERSON);
    const referral = await aReferral(table, program, advocate);
    const { slug } = advocate;
    expect((await send({ operation: 'eraseAdvocate', token, slug: slug.toUpperCase() })).status).toBe(204);
    const { json } = await send({ operation: 'getAdvocate', token, slug });
    const empty = { email: null, first_name: null, last_name: null, uid: null };
    expect(json.data.attributes).toMatchObject({
      ...empty,
      slug,
      company_id: program.id,
      company: program.name,
      active: false,
      metadata: {},
    });
    const listed = await send({ operation: 'listAdvocates', token });
    expect(listed.json.data).toEqual([expect.objectContaining({ attributes: expect.objectContaining(empty) })]);
    expect(idsOf(await send({ operation: 'listReferralsV2', token, query: `affiliate_slug=${slug}` }))).toEqual([
      referral.id,
    ]);
    const items = (await allItems(table)).filter(({ pk }) => String(pk).includes(program.id));
    expect(JSON.stringify(items)).not.toMatch(/maria|novak|partner-4711|company-1|gold/i);
    // Its uid is free again, its slug never.
    const body = { email: 'new@partners.example', uid: PERSON.uid };
    expect((await send({ operation: 'createAdvocate', token, body })).status).toBe(201);
    const same = await send({ operation: 'createAdvocate', token, body: { email: body.email, slug } });
    expect(outcomeOf(same)[1]).toBe('slug_taken');
  });

  test('an erased advocate is not changed, gets no tokens, and can be erased again', async () => {
    const program = await aProgram(table);
    const token = await aToken(table, program);
    const { slug } = await anAdvocate(table, program, PERSON);
    await send({ operation: 'eraseAdvocate', token, slug });
    await expectUnchanged(table, async () => {
      const erased = [409, 'advocate_erased', 'The advocate was erased. Create a new advocate.'];
      const change = { operation: 'updateAdvocate', token, slug, body: { active: true } } as const;
      expect(outcomeOf(await send(change))).toEqual(erased);
      expect(outcomeOf(await send({ operation: 'createAdvocateToken', token, slug }))).toEqual(erased);
      expect((await send({ operation: 'eraseAdvocate', token, slug })).status).toBe(204);
      const unknown = await send({ operation: 'eraseAdvocate', token, slug: 'nobody' });
      expect(outcomeOf(unknown)).toEqual([404, 'advocate_not_found', 'Advocate not found']);
    });
  });

  test('tokens of an erased advocate are refused', async () => {
    const program = await aProgram(table);
    const advocate = await anAdvocate(table, program, PERSON);
    const own = await aToken(table, program, advocate);
    await send({ operation: 'eraseAdvocate', token: await aToken(table, program), slug: advocate.slug });
    expect(outcomeOf(await send({ operation: 'listReferrals', token: own }))[0]).toBe(401);
  });
});

test('an erasure whose response is lost, and one beside a change, leave nothing of the person', async () => {
  const program = await aProgram(table);
  const token = await aToken(table, program);
  const { slug } = await anAdvocate(table, program, PERSON);
  proxied.proxy.next('TransactWriteItems', 'lose');
  const [faulty, send] = [sendToHandlers(proxied.faulty), sendToHandlers(table)];
  const change = { operation: 'updateAdvocate', token, slug, body: { first_name: 'Maria', uid: 'x-4711' } } as const;
  const [erased] = await Promise.all([faulty({ operation: 'eraseAdvocate', token, slug }), send(change)]);
  expect(erased.status).toBe(204);
  const items = (await allItems(table)).filter(({ pk }) => String(pk).includes(program.id));
  expect(JSON.stringify(items)).not.toMatch(/maria|novak|x-4711/i);
});
