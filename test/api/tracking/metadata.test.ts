import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { DRIVERS } from '../../support/drivers.ts';
import { anAdvocate, aProgram, aToken, newId } from '../../support/program.ts';
import { anEmail } from '../../support/table/track.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const ORIGIN = 'https://shop.example';
let program: Program;
let advocate: Advocate;
let token: string;
beforeAll(async () => {
  program = await aProgram(table, { allowedOrigins: [ORIGIN] });
  advocate = await anAdvocate(table, program);
  token = await aToken(table, program);
});

const longest = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key-${index + 10}`, 'x'.repeat(80)]));
// A request with the last one, `__proto__`, is refused before its fields are looked at.
const INHERITED = Object.fromEntries(
  Object.getOwnPropertyNames(Object.prototype).flatMap((name) => (name === '__proto__' ? [] : [[name, 'x']])),
);
const INVALID: [string, unknown][] = [
  ['a text', 'plan'],
  ['a list', ['plan']],
  ['a number as value', { plan: 1 }],
  ['null as value', { plan: null }],
  ['an empty value', { plan: '' }],
  ['a value of 201 characters', { plan: 'x'.repeat(201) }],
  ['a value with a control character', { plan: 'a\nb' }],
  ['a key with a space', { 'the plan': 'pro' }],
  ['a key of 41 characters', { ['k'.repeat(41)]: 'pro' }],
  ['21 keys', { ...longest, more: 'x' }],
  ['more than 2 KiB', Object.fromEntries(Object.keys(longest).map((key) => [key, 'x'.repeat(100)]))],
];

describe.each(DRIVERS)('metadata through %s', (_, connect) => {
  const send = connect(table);
  const convert = (fields: object, headers: Record<string, string> = {}) =>
    send({
      operation: 'trackConversionV2',
      token,
      body: { affiliate_slug: advocate.slug, email: anEmail(), ...fields },
      headers,
    });

  test('metadata of a customer is returned by conversion, state and lookup, not by lists', async () => {
    const email = anEmail();
    const metadata = { b: '2', B: '1', a: 'é' };
    const converted = await convert({ email, metadata });
    const changed = await send({ operation: 'setState', token, body: { email, state: 'paid' } });
    const found = await send({ operation: 'lookUpReferral', token, body: { email } });
    for (const { json } of [converted, changed, found]) expect(json.data.attributes.metadata).toEqual(metadata);
    const affiliate = await send({ operation: 'listReferrals', token: await aToken(table, program, advocate) });
    const merchant = await send({ operation: 'listReferralsV2', token, query: `affiliate_slug=${advocate.slug}` });
    for (const { json } of [affiliate, merchant]) expect(json.data[0].attributes).not.toHaveProperty('metadata');
  });

  test.each([[undefined], [null], [{}], ['']])('metadata is {} if a conversion sends %p', async (metadata) => {
    const { status, json } = await convert({ metadata });
    expect([status, json.data.attributes.metadata]).toEqual([201, {}]);
  });

  test.each([
    ['20 keys', longest],
    ['the names that every object of JavaScript has', INHERITED],
  ])('metadata may have %s', async (_, metadata) => {
    const { json } = await convert({ metadata });
    const created = await send({ operation: 'createAdvocate', token, body: { email: anEmail(), metadata } });
    const found = await send({ operation: 'lookUpReferral', token, body: { id: json.data.id } });
    const advocate = await send({ operation: 'getAdvocate', token, slug: created.json.data.attributes.slug });
    for (const { json } of [found, advocate]) {
      expect(Object.entries(json.data.attributes.metadata).sort()).toEqual(Object.entries(metadata).sort());
    }
  });

  test.each(INVALID)('metadata is refused if it is %s, and the error contains the field', async (_, metadata) => {
    for (const { status, json } of [
      await convert({ metadata }),
      await send({ operation: 'createAdvocate', token, body: { email: anEmail(), metadata } }),
      await send({ operation: 'updateAdvocate', token, slug: advocate.slug, body: { metadata } }),
    ])
      expect([status, json.error]).toEqual([400, expect.stringMatching(/^metadata must /)]);
  });

  test('metadata is part of the fingerprint of an Idempotency-Key, in any order of its keys', async () => {
    const key = { 'idempotency-key': newId() };
    const email = anEmail();
    const first = await convert({ email, metadata: { a: '1', b: '2', 10: '3', 9: '4' } }, key);
    const again = await convert({ email, metadata: { 9: '4', b: '2', 10: '3', a: '1' } }, key);
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect((await convert({ email, metadata: { a: '1' } }, key)).status).toBe(422);
  });

  test('metadata from a page is ignored, valid or not', async () => {
    for (const metadata of [{ plan: 'free' }, 7]) {
      const email = anEmail();
      const body = { pk: program.publicKey, affiliate_slug: advocate.slug, email, metadata };
      const sent = await send({ operation: 'trackConversionV2', body, headers: { origin: ORIGIN } });
      const { json } = await send({ operation: 'lookUpReferral', token, body: { email } });
      expect([sent.status, json.data.attributes.metadata]).toEqual([204, {}]);
    }
  });

  test('metadata of a customer is erased with the person', async () => {
    const email = anEmail();
    const secret = newId();
    const { json } = await convert({ email, metadata: { secret } });
    expect(JSON.stringify(await allItems(table))).toContain(secret);
    await send({ operation: 'eraseCustomer', token, body: { email } });
    expect(JSON.stringify(await allItems(table))).not.toContain(secret);
    const found = await send({ operation: 'lookUpReferral', token, body: { id: json.data.id } });
    expect(found.json.data.attributes.metadata).toEqual({});
  });

  test('metadata of an advocate is replaced as a whole, cleared by null, and not in the list', async () => {
    const body = { email: anEmail(), metadata: { tier: 'gold', team: 'north' } };
    const created = await send({ operation: 'createAdvocate', token, body });
    const { slug, metadata } = created.json.data.attributes;
    expect(metadata).toEqual(body.metadata);
    const update = async (metadata: unknown) => {
      const { json } = await send({ operation: 'updateAdvocate', token, slug, body: { metadata } });
      return json.data.attributes.metadata;
    };
    expect(await update({ tier: 'silver' })).toEqual({ tier: 'silver' });
    const { json } = await send({ operation: 'listAdvocatesV2', token });
    expect(json.data[0].attributes).not.toHaveProperty('metadata');
    expect(await update(null)).toEqual({});
  });
});
