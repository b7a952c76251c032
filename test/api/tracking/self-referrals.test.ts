import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aToken, newId } from '../../support/program.ts';
import { anEmail } from '../../support/table/track.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const ORIGIN = 'https://www.shop.example';
let program: Program;
let token: string;
beforeAll(async () => {
  program = await aProgram(table, { allowedOrigins: [ORIGIN] });
  token = await aToken(table, program);
});
/** A local part that no other test uses. */
const aName = () => `j.doe-${newId().slice(-12)}`;

describe.each(DRIVERS)('a self-referral through %s', (_, connect) => {
  const send = connect(table);
  const convert = (advocate: Advocate, customer: object) =>
    send({ operation: 'trackConversionV2', token, body: { affiliate_slug: advocate.slug, ...customer } });
  const lookUp = async (body: object) =>
    (await send({ operation: 'lookUpReferral', token, body })).json.data.attributes;

  test.each<[advocate: (name: string) => string, customer: (name: string) => string, flags: string[]]>([
    [(name) => `${name}@shop.example`, (name) => ` ${name.toUpperCase()}@Shop.example `, ['self_referral']],
    [(name) => `${name}@shop.example`, (name) => `${name}+test@shop.example`, ['self_referral']],
    [(name) => `${name}+a@shop.example`, (name) => `${name}+b+c@shop.example`, ['self_referral']],
    [(name) => `${name}@gmail.com`, (name) => `${name.replace('.', '')}+x@googlemail.com`, ['self_referral']],
    [(name) => `${name}@shop.example`, (name) => `${name.replace('.', '')}@shop.example`, []],
    [(name) => `${name}@shop.example`, (name) => `${name}@gmail.com`, []],
    [(name) => `${name}@shop.example`, (name) => `x${name}@shop.example`, []],
  ])('a self-referral is recognized by its email: %#', async (advocateEmail, customerEmail, flags) => {
    const name = aName();
    const advocate = await anAdvocate(table, program, { email: advocateEmail(name) });
    const email = customerEmail(name);
    const { status, json } = await convert(advocate, { email });
    expect([status, json.data.attributes.state]).toEqual([201, 'converted']);
    expect((await lookUp({ email })).flags).toEqual(flags);
  });

  test('a self-referral is recognized by the uid, which is case-sensitive', async () => {
    const uid = `U${newId()}`;
    const advocate = await anAdvocate(table, program, { uid });
    await convert(advocate, { uid });
    await convert(advocate, { uid: uid.toLowerCase() });
    expect([(await lookUp({ uid })).flags, (await lookUp({ uid: uid.toLowerCase() })).flags]).toEqual([
      ['self_referral'],
      [],
    ]);
  });

  test('a self-referral is recognized in V1, by its click, and from a page', async () => {
    const advocate = await anAdvocate(table, program, { uid: newId() });
    const { id } = await aClick(table, program, advocate);
    const ids = [`a+${newId()}`, `b+${newId()}`, `c+${newId()}`];
    const emails = ids.map((tag) => String(advocate.email).replace('@', `+${tag}@`));
    const [email1, email2, email3] = emails;
    await send({
      operation: 'trackConversionV1',
      token,
      body: { email: email1, pk: program.publicKey, uid: advocate.uid },
    });
    await send({ operation: 'trackConversionV1', token, body: { email: email2, gr_id: `${advocate.slug}_${id}` } });
    await send({
      operation: 'trackConversionV2',
      headers: { origin: ORIGIN },
      body: { email: email3, pk: program.publicKey, affiliate_slug: advocate.slug },
    });
    for (const email of emails) expect((await lookUp({ email })).flags).toEqual(['self_referral']);
  });

  test('the flag is about that advocate only, as its email was at the conversion', async () => {
    const [advocate, other] = [await anAdvocate(table, program), await anAdvocate(table, program)];
    const customer = { email: advocate.email };
    await convert(other, customer);
    expect((await lookUp(customer)).flags).toEqual([]);
    const body = { email: customer.email };
    await send({ operation: 'updateAdvocate', token, slug: other.slug, body });
    expect((await lookUp(customer)).flags).toEqual([]);
    const own = { email: other.email };
    await convert(other, own);
    expect((await lookUp(own)).flags).toEqual([]);
  });

  test('the flag is in no response to the affiliate, to V1, or to a conversion or a state', async () => {
    const advocate = await anAdvocate(table, program);
    const affiliate = await aToken(table, program, advocate);
    const { id } = await aClick(table, program, advocate);
    const { email } = advocate;
    const texts = [
      await send({ operation: 'trackConversionV1', token, body: { email, gr_id: `${advocate.slug}.${id}` } }),
      await send({ operation: 'setState', token, body: { email, state: 'paid' } }),
      await send({ operation: 'listReferrals', token: affiliate }),
      await send({ operation: 'countOwnReferrals', token: affiliate, query: 'group_by=sub_id' }),
      await convert(advocate, { uid: newId(), email: String(email).replace('@', '+x@') }),
    ].map(({ text }) => text);
    for (const text of texts) expect(text).not.toMatch(/flags|self_referral/);
    const { json } = await send({ operation: 'listReferralsV2', token, query: `affiliate_slug=${advocate.slug}` });
    const flags = json.data.map(({ attributes }: { attributes: { flags: string[] } }) => attributes.flags);
    expect(flags).toEqual([['self_referral'], ['self_referral']]);
  });

  test('the customer notices no flag: it changes no state, and the conversion counts', async () => {
    const advocate = await anAdvocate(table, program);
    const { json } = await convert(advocate, { email: advocate.email });
    const { id } = json.data;
    for (const state of ['paid', 'churned', 'paid']) {
      const response = await send({ operation: 'setState', token, body: { id, state } });
      expect([response.status, response.json.data.attributes.state]).toEqual([200, state]);
    }
    expect((await lookUp({ id })).flags).toEqual(['self_referral']);
    expect((await convert(advocate, { email: anEmail() })).status).toBe(201);
  });
});
