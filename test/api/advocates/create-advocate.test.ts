import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken, newId, now } from '../../support/program.ts';
import { idsOf, outcomeOf } from '../../support/responses.ts';
import { anEmail } from '../../support/table/track.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let token: string;
beforeAll(async () => {
  program = await aProgram(table, { name: 'Acme', siteUrl: 'https://acme.example/' });
  token = await aToken(table, program);
});

const UID_TAKEN = [409, 'uid_taken', 'uid is already in use. If you are retrying, the first request succeeded.'];
const SLUG_TAKEN = [409, 'slug_taken', 'slug is already in use. Choose another slug.'];
/** Names that no other test uses. */
const aName = () => `n${newId().slice(-12)}`;

describe.each(DRIVERS)('POST /v2/advocates through %s', (_, connect) => {
  const send = connect(table);
  const create = (body: object) => send({ operation: 'createAdvocate', token, body });
  const slugOf = async (body: object) => (await create({ email: anEmail(), ...body })).json.data.attributes.slug;

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
        },
      },
    });
    const got = await send({ operation: 'getAdvocate', token, slug });
    expect(got.json).toEqual(json);
    expect(idsOf(await send({ operation: 'listAdvocatesV2', token }))).toContain(id);
  });

  test('a creation needs only an email: fields that are null or empty count as absent', async () => {
    const empty = { first_name: '', last_name: null, slug: '', uid: null, company_id: '', company: null };
    for (const body of [{}, { ...empty, commission_percentage: null }, { ...empty, commission_percentage: '' }]) {
      const { status, json } = await create({ email: anEmail(), unknown: 1, active: false, ...body });
      expect(status).toBe(201);
      expect(json.data.attributes).toMatchObject({
        first_name: null,
        last_name: null,
        slug: expect.stringMatching(/^[0-9a-z]{8}$/),
        uid: null,
        company_id: program.id,
        company: 'Acme',
        commission_percentage: null,
        active: true,
      });
    }
  });

  test('the slug spells letters such as ø and ß in ASCII', async () => {
    const name = aName();
    expect(await slugOf({ first_name: `Ørsted ${name}`, last_name: 'Groß' })).toBe(`orsted-${name}-gross`);
  });

  test('emails are not unique', async () => {
    const email = anEmail();
    expect([(await create({ email })).status, (await create({ email })).status]).toEqual([201, 201]);
  });

  test.each([0, 100, 0.000001, 33.333333])('the rate may be %d', async (rate) => {
    const { json } = await create({ email: anEmail(), commission_percentage: rate });
    expect(json.data.attributes.commission_percentage).toBe(rate);
  });

  test('a rate of any size never causes a 5xx', async () => {
    for (const rate of ['1e-200', '5e-324', '0e999', '-0', '99.99999999999999999', '33.3333333333333333333']) {
      const { status } = await send({
        operation: 'createAdvocate',
        token,
        body: `{"email":"a@shop.example","commission_percentage":${rate}}`,
      });
      expect([rate, status]).toEqual([rate, 201]);
    }
    const infinite = await send({
      operation: 'createAdvocate',
      token,
      body: '{"email":"a@shop.example","commission_percentage":1e400}',
    });
    expect(outcomeOf(infinite)).toEqual([400, 'invalid_field', 'commission_percentage must be a number']);
  });

  test('a slug is derived from the names, and is a new one if it is taken', async () => {
    const name = aName();
    const names = { first_name: 'Zoë', last_name: `O'${name}` };
    const slugs = [await slugOf(names), await slugOf(names), await slugOf(names)];
    expect(slugs).toEqual([`zoe-o-${name}`, `zoe-o-${name}-2`, `zoe-o-${name}-3`]);
    expect(await slugOf({ last_name: name })).toBe(name);
    expect(await slugOf({ first_name: '李' })).toMatch(/^[0-9a-z]{8}$/);
  });

  test('a taken uid returns 409 before a taken slug, and nothing is stored', async () => {
    const taken = { slug: aName(), uid: newId() };
    await create({ email: anEmail(), ...taken });
    await expectUnchanged(table, async () => {
      expect(outcomeOf(await create({ email: anEmail(), ...taken }))).toEqual(UID_TAKEN);
      expect(outcomeOf(await create({ email: anEmail(), uid: taken.uid, first_name: aName() }))).toEqual(UID_TAKEN);
      expect(outcomeOf(await create({ email: anEmail(), uid: taken.uid, slug: aName() }))).toEqual(UID_TAKEN);
      const inOtherCase = { ...taken, slug: taken.slug.toUpperCase(), uid: newId() };
      expect(outcomeOf(await create({ email: anEmail(), ...inOtherCase }))).toEqual(SLUG_TAKEN);
    });
  });

  test('slugs and uids of another program are free', async () => {
    const taken = { slug: aName(), uid: newId() };
    await anAdvocate(table, await aProgram(table), taken);
    expect((await create({ email: anEmail(), ...taken })).status).toBe(201);
  });

  test.each(['slug', 'uid'] as const)('two simultaneous creations with the same %s return one 201', async (field) => {
    for (let round = 0; round < 5; round += 1) {
      const value = newId();
      const both = await Promise.all([1, 2].map(() => create({ email: anEmail(), [field]: value })));
      const outcomes = both.map(outcomeOf).toSorted(([one], [other]) => Number(one) - Number(other));
      expect(outcomes).toEqual([[201], field === 'slug' ? SLUG_TAKEN : UID_TAKEN]);
    }
  });

  test('simultaneous creations with equal names and without slug get different slugs', async () => {
    const name = aName();
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => create({ email: anEmail(), first_name: name, last_name: 'Doe' })),
    );
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    const slugs = responses.map(({ json }) => json.data.attributes.slug);
    expect(new Set(slugs).size).toBe(8);
    expect(slugs).toContain(`${name}-doe`);
  });

  test('a new advocate gets referrals immediately, at its own rate', async () => {
    const uid = newId();
    const slug = await slugOf({ commission_percentage: 7, uid });
    const body = { affiliate_slug: slug, uid: newId() };
    expect((await send({ operation: 'trackConversionV2', token, body })).status).toBe(201);
    const v1 = { email: anEmail(), pk: program.publicKey, uid };
    expect((await send({ operation: 'trackConversionV1', token, body: v1 })).status).toBe(201);
    const { json } = await send({ operation: 'listReferralsV2', token, query: `affiliate_slug=${slug}` });
    const rates = json.data.map(({ attributes }: { attributes: object }) => Object(attributes).commission_percentage);
    expect(rates).toEqual([7, 7]);
  });
});
