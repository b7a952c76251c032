import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { outcomeOf } from '../../support/responses.ts';
import { anEmail } from '../../support/table/track.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
let token: string;
let advocate: Advocate;
beforeAll(async () => {
  program = await aProgram(table, { commissionPercentage: 20 });
  token = await aToken(table, program);
});
beforeEach(async () => {
  advocate = await anAdvocate(table, program, {
    uid: newId(),
    companyId: 'c-1',
    company: 'Doe Media',
    commissionPercentage: 10,
  });
});

const UID_TAKEN = [409, 'uid_taken', 'uid is already in use. If you are retrying, the first request succeeded.'];

describe.each(DRIVERS)('PATCH /v2/advocates/{slug} through %s', (_, connect) => {
  const send = connect(table);
  const change = (body: unknown, slug = advocate.slug) => send({ operation: 'updateAdvocate', token, slug, body });
  const get = async () => (await send({ operation: 'getAdvocate', token, slug: advocate.slug })).json.data;
  const convert = (body: object) => send({ operation: 'trackConversionV2', token, body });

  test('an update changes every field but the slug, and returns the advocate as GET does', async () => {
    const before = await get();
    const body = {
      email: ' NEW@Partners.Example ',
      first_name: 'Zoë',
      last_name: "O'Neil",
      uid: newId(),
      company_id: 'c-2',
      company: 'Neil Media',
      commission_percentage: 0,
      active: false,
    };
    const { status, json } = await change(body, advocate.slug.toUpperCase());
    const attributes = { ...before.attributes, ...body, email: 'new@partners.example' };
    expect([status, json.data]).toEqual([200, { ...before, attributes }]);
    expect(await get()).toEqual(json.data);
  });

  test.each([
    ['first_name', null],
    ['last_name', null],
    ['uid', null],
    ['commission_percentage', null],
    ['company_id', null],
    ['first_name', 'Ana'],
    ['active', false],
  ])('an update changes only %s to %j: absent fields stay', async (field, value) => {
    const before = await get();
    const { json } = await change({ [field]: value });
    expect(json.data).toEqual({ ...before, attributes: { ...before.attributes, [field]: value } });
  });

  test('an advocate without id and name of a company has the id and name of its program', async () => {
    const { json } = await change({ company_id: null, company: null });
    expect(json.data.attributes).toMatchObject({ company_id: program.id, company: program.name });
  });

  test('an update without fields, or with the current values, changes nothing', async () => {
    const { email, uid } = advocate;
    await expectUnchanged(table, async () => {
      const responses = [
        await change({}),
        await change({ unknown: 1, id: newId(), created_at: 1, referral_link: 'https://evil.example' }),
        await change({ email: String(email).toUpperCase(), uid, commission_percentage: 10, active: true }),
      ];
      for (const { status, json } of responses) expect([status, json.data]).toEqual([200, await get()]);
    });
  });

  test.each([
    [{ slug: 'other' }, 'slug cannot be changed, because links contain it: remove it'],
    [{ slug: null, email: 1 }, 'slug cannot be changed, because links contain it: remove it'],
    [{ email: null }, 'email must be a string'],
    [{ email: '' }, 'email must be an email address such as name@example.com'],
    [{ active: null }, 'active must be true or false'],
    [{ active: '' }, 'active must be true or false'],
    [{ first_name: '' }, 'first_name must be 1 to 200 characters long'],
    [{ uid: '' }, 'uid must be 1 to 128 characters long'],
    [{ commission_percentage: '' }, 'commission_percentage must be a number or null'],
    [{ commission_percentage: 101 }, 'commission_percentage must be at most 100'],
    [[], 'The body must be a JSON object'],
  ])('the body %j returns 400, also for an unknown advocate: "%s"', async (body, sentence) => {
    await expectUnchanged(table, async () => {
      expect(outcomeOf(await change(body))).toEqual([400, 'invalid_field', sentence]);
      expect(outcomeOf(await change(body, 'nobody'))).toEqual([400, 'invalid_field', sentence]);
    });
  });

  test('an update with its own slug returns 400', async () => {
    expect((await change({ slug: advocate.slug })).status).toBe(400);
  });

  test('a uid of another advocate returns 409, and nothing changes', async () => {
    const { uid } = await anAdvocate(table, program, { uid: newId() });
    await expectUnchanged(table, async () => {
      expect(outcomeOf(await change({ uid, first_name: 'Ana' }))).toEqual(UID_TAKEN);
    });
  });

  test('a uid that was given up can be used again', async () => {
    const { uid } = advocate;
    await change({ uid: newId() });
    const other = await anAdvocate(table, program);
    expect((await change({ uid }, other.slug)).status).toBe(200);
    expect(outcomeOf(await change({ uid }))).toEqual(UID_TAKEN);
  });

  test('two simultaneous updates to the same uid give it to one advocate', async () => {
    for (let round = 0; round < 5; round += 1) {
      const uid = newId();
      const two = [advocate, await anAdvocate(table, program)];
      const responses = await Promise.all(two.map(({ slug }) => change({ uid }, slug)));
      expect(responses.map(outcomeOf).toSorted()).toEqual([[200], UID_TAKEN]);
    }
  });

  test('simultaneous updates of different fields are all made', async () => {
    const changes = { first_name: 'Ana', company: 'Ana Media', uid: newId(), commission_percentage: 5, active: false };
    const fields = Object.entries(changes).map(([name, value]) => ({ [name]: value }));
    const responses = await Promise.all(fields.map((field) => change(field)));
    expect(responses.map(({ status }) => status)).toEqual(fields.map(() => 200));
    expect((await get()).attributes).toMatchObject(changes);
  });

  test('a new rate applies to referrals created from then on', async () => {
    const { slug: affiliate_slug } = advocate;
    const before = newId();
    await convert({ affiliate_slug, uid: before });
    const rates = [];
    for (const commission_percentage of [33, null]) {
      await change({ commission_percentage });
      const uid = newId();
      await convert({ affiliate_slug, uid });
      for (const each of [before, uid]) {
        const { json } = await send({ operation: 'lookUpReferral', token, body: { uid: each } });
        rates.push(json.data.attributes.commission_percentage);
      }
    }
    expect(rates).toEqual([10, 33, 10, 20]);
  });

  test('a deactivated advocate gets no new referrals, and lists its referrals', async () => {
    const referral = await aReferral(table, program, advocate);
    await change({ active: false });
    const byUid = { email: anEmail(), pk: program.publicKey, uid: advocate.uid };
    const responses = [
      await convert({ affiliate_slug: advocate.slug, email: anEmail() }),
      await send({ operation: 'trackConversionV1', token, body: byUid }),
    ];
    for (const response of responses) {
      expect(outcomeOf(response)).toEqual([400, 'invalid_affiliate_slug', 'Invalid affiliate slug']);
    }
    const affiliate = await aToken(table, program, advocate);
    const { json } = await send({ operation: 'listReferrals', token: affiliate });
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([referral.id]);
    await change({ active: true });
    expect((await convert({ affiliate_slug: advocate.slug, email: anEmail() })).status).toBe(201);
  });
});
