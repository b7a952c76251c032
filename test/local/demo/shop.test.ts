import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { demoShop } from '../../../bin/local/demo/site.ts';
import { useDemoShop } from '../../support/demo-shop.ts';
import { aClick, newId } from '../../support/program.ts';
import { allItems } from '../../support/table.ts';

const shop = useDemoShop();
const { table, url, send } = shop;
const grId = () => `${shop.advocate().slug}.${newId()}`;
const anEmail = () => `customer-${newId().slice(-12)}@shop.example`;

describe('the demo shop', () => {
  test('the demo shop turns a sign-up into the conversion of its click', async () => {
    const click = await aClick(table, shop.program(), shop.advocate());
    const { status, json } = await send('sign-up', {
      email: anEmail(),
      gr_id: `${shop.advocate().slug}.${click.id}`,
    });
    expect([status, json.data.id, json.data.attributes.state]).toEqual([201, click.id, 'converted']);
  });

  test('the demo shop returns the errors of the service unchanged', async () => {
    const form = { email: anEmail(), gr_id: grId() };
    expect((await send('sign-up', form)).status).toBe(201);
    expect(await send('sign-up', form)).toMatchObject({ status: 409, json: { error: 'Referral already exists' } });
    expect((await send('sign-up', { ...form, email: 'no email' })).status).toBe(400);
  });

  test('the demo shop accepts a repeated sign-up with the same attempt', async () => {
    const form = { email: anEmail(), gr_id: grId(), attempt: newId() };
    const first = await send('sign-up', form);
    expect(first.status).toBe(201);
    expect(await send('sign-up', form)).toEqual(first);
    expect((await send('sign-up', { ...form, attempt: newId() })).status).toBe(409);
  });

  test('the demo shop does not report a customer without gr_id', async () => {
    const before = await allItems(table);
    for (const form of [{}, { gr_id: '' }, { gr_id: null }]) {
      expect(await send('sign-up', { email: anEmail(), ...form })).toMatchObject({ status: 204, json: undefined });
    }
    expect(await allItems(table)).toEqual(before);
  });

  test('the demo shop signs up a customer from a link with an unknown slug, without a referral', async () => {
    const before = await allItems(table);
    const form = { email: anEmail(), gr_id: `producthunt.${newId()}` };
    expect(await send('sign-up', form)).toMatchObject({ status: 204, json: undefined });
    expect(await allItems(table)).toEqual(before);
    expect((await send('sign-up', { ...form, email: 'no email' })).status).toBe(400);
  });

  const EMAIL = 'email must be a string of 1 to 300 characters.';
  test.each([
    ['{', 'The form must be a JSON object.'],
    ['null', 'The form must be a JSON object.'],
    ['[]', 'The form must be a JSON object.'],
    [{ email: '' }, EMAIL],
    [{ email: null }, EMAIL],
    [{ email: 1 }, EMAIL],
    [{ email: ['a@b.example'] }, EMAIL],
    [{ email: 'a@b.example', gr_id: {} }, 'gr_id must be a string of 0 to 300 characters.'],
  ])('the demo shop rejects the form %j', async (form, error) => {
    expect(await send('sign-up', form)).toMatchObject({ status: 400, json: { error } });
  });

  test('the demo shop rejects a form that is too long', async () => {
    expect((await send('sign-up', { email: anEmail(), more: 'x'.repeat(4096) })).status).toBe(413);
    expect((await send('sign-up', { email: 'a'.repeat(301) })).status).toBe(400);
  });

  describe('the demo shop without a response of the service', () => {
    const respond = (method: string, path: string, form: object) =>
      demoShop(shop.demo())({
        method,
        path,
        search: '',
        headers: { host: 'localhost:1' },
        body: Buffer.from(JSON.stringify(form)),
        port: 1,
      });
    const names = { first_name: 'Ada', last_name: '', attempt: newId() };
    const form = { email: 'customer@shop.example', gr_id: `jane.${newId()}`, plan: 'House', ...names };

    test.each([
      ['POST', '/demo/payment'],
      ['POST', '/demo/cancellation'],
      ['POST', '/demo/join'],
    ])('%s %s says that the service does not respond', async (method, path) => {
      const result = await respond(method, path, form);
      expect(result?.statusCode).toBe(502);
      expect(result?.body).toContain('does not respond');
    });

    test('a customer is signed up although the service does not respond', async () => {
      expect(await respond('POST', '/demo/sign-up', form)).toEqual({ statusCode: 202 });
    });
  });

  test('a customer is signed up although the service rejects the token', async () => {
    const form = { email: anEmail(), gr_id: grId() };
    const result = await shop.withDemo({ programToken: 'rtp_revoked' }, () => send('sign-up', form));
    expect(result).toMatchObject({ status: 202, json: undefined });
  });
});

describe('requests of pages', () => {
  const statusOf = (method: string, path: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const outgoing = request(`${url()}${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
      });
      outgoing.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      outgoing.end(method === 'POST' ? JSON.stringify({ email: anEmail() }) : undefined);
    });
  const statuses = async (headers: Record<string, string>) => [
    await statusOf('POST', '/demo/sign-up', headers),
    await statusOf('POST', '/demo/sign-out', headers),
  ];

  test.each([
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: 'http://localhost:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    // The name resolves to this machine, but the page belongs to another site (DNS rebinding).
    { host: 'elsewhere.example', origin: 'http://elsewhere.example', 'sec-fetch-site': 'same-origin' },
    { host: 'localhost.elsewhere.example' },
  ])('a request of a page of another site is rejected: %j', async (headers) => {
    expect(await statuses(headers)).toEqual([403, 403]);
  });

  test('a request of a page of the demo site is accepted', async () => {
    const host = new URL(url()).host;
    expect(await statuses({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).toEqual([204, 204]);
    expect(await statuses({ host: 'localhost:8080', origin: 'http://localhost:8080' })).toEqual([204, 204]);
  });
});
