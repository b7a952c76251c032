import { request } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Demo } from '../../bin/local/demo/demo.ts';
import { demoShop } from '../../bin/local/demo/site.ts';
import { functionsOf } from '../../bin/local/gateway.ts';
import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import { useGateway } from '../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId } from '../support/program.ts';
import { allItems } from '../support/table.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
let demo: Demo;
const { url } = useGateway(functionsOf(table.connection), (pageRequest) => demoShop(demo)(pageRequest));
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  demo = {
    publicKey: program.publicKey,
    advocateSlug: advocate.slug,
    advocateName: 'Jane Doe',
    programToken: await aToken(table, program),
    affiliateToken: await aToken(table, program, advocate),
  };
});

const send = async (action: string, body: unknown, headers: Record<string, string> = {}) => {
  const response = await fetch(`${url()}/demo/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
};
const anEmail = () => `customer-${newId().slice(-12)}@shop.example`;

describe('the demo shop', () => {
  test('turns sign-up, payment and cancellation into the states of the referral', async () => {
    const click = await aClick(table, program, advocate);
    const email = anEmail();
    const responses = [
      await send('sign-up', { email, gr_id: `${advocate.slug}.${click.id}` }),
      await send('payment', { email }),
      await send('cancellation', { email }),
    ];
    expect(responses.map(({ status, json }) => [status, json.data.id, json.data.attributes.state])).toEqual([
      [201, click.id, 'converted'],
      [200, click.id, 'paid'],
      [200, click.id, 'churned'],
    ]);
  });

  test('returns the errors of the service unchanged', async () => {
    const form = { email: anEmail(), gr_id: `${advocate.slug}.${newId()}` };
    expect((await send('sign-up', form)).status).toBe(201);
    expect(await send('sign-up', form)).toEqual({ status: 409, json: { error: 'Referral already exists' } });
    expect((await send('payment', { email: anEmail() })).status).toBe(404);
    expect((await send('sign-up', { ...form, email: 'no email' })).status).toBe(400);
  });

  test('accepts a repeated sign-up with the same attempt', async () => {
    const form = { email: anEmail(), gr_id: `${advocate.slug}.${newId()}`, attempt: newId() };
    const first = await send('sign-up', form);
    expect(first.status).toBe(201);
    expect(await send('sign-up', form)).toEqual(first);
    expect((await send('sign-up', { ...form, attempt: newId() })).status).toBe(409);
  });

  test('does not report a customer without gr_id', async () => {
    const before = await allItems(table);
    for (const form of [{}, { gr_id: '' }, { gr_id: null }]) {
      expect(await send('sign-up', { email: anEmail(), ...form })).toEqual({ status: 204, json: undefined });
    }
    expect(await allItems(table)).toEqual(before);
  });

  test('signs up a customer from a link with an unknown slug, without a referral', async () => {
    const before = await allItems(table);
    const form = { email: anEmail(), gr_id: `producthunt.${newId()}` };
    expect(await send('sign-up', form)).toEqual({ status: 204, json: undefined });
    expect(await allItems(table)).toEqual(before);
    expect((await send('sign-up', { ...form, email: 'no email' })).status).toBe(400);
  });

  test('returns the list of the affiliate, page by page', async () => {
    await Promise.all(Array.from({ length: 3 }, () => aReferral(table, program, advocate)));
    const clicks = [await aClick(table, program, advocate), await aClick(table, program, advocate)];
    const first = await fetch(`${url()}/demo/referrals?state_eq=clicked&per_page=1`);
    const query = /\?[^>]*/.exec(first.headers.get('link') ?? '')?.[0];
    const second = await fetch(`${url()}/demo/referrals${query}`);
    const idsOf = async (response: Response) =>
      ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
    const listed = [await idsOf(first), await idsOf(second)];
    expect(listed.map(({ length }) => length)).toEqual([1, 1]);
    expect(new Set(listed.flat())).toEqual(new Set(clicks.map(({ id }) => id)));
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect((await fetch(`${url()}/demo/referrals?state_eq=lost`)).status).toBe(400);
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
  ])('rejects the form %j', async (form, error) => {
    expect(await send('sign-up', form)).toEqual({ status: 400, json: { error } });
  });

  test('rejects a form that is too long', async () => {
    expect((await send('sign-up', { email: anEmail(), more: 'x'.repeat(4096) })).status).toBe(413);
    expect((await send('sign-up', { email: 'a'.repeat(301) })).status).toBe(400);
  });

  describe('if the service does not respond', () => {
    const respond = (method: string, path: string, form: object) =>
      demoShop(demo)({
        method,
        path,
        search: '',
        headers: { host: 'localhost:1' },
        body: Buffer.from(JSON.stringify(form)),
        port: 1,
      });
    const form = { email: 'customer@shop.example', gr_id: `jane.${newId()}` };

    test('shows no referrals and changes no state', async () => {
      for (const result of [
        await respond('GET', '/demo/referrals', {}),
        await respond('POST', '/demo/payment', form),
      ]) {
        expect(result?.statusCode).toBe(502);
        expect(result?.body).toContain('does not respond');
      }
    });

    test('still signs the customer up', async () => {
      expect(await respond('POST', '/demo/sign-up', form)).toEqual({ statusCode: 202 });
    });
  });

  test('still signs the customer up if the service rejects the token', async () => {
    const { programToken } = demo;
    demo = { ...demo, programToken: 'rtp_revoked' };
    const form = { email: anEmail(), gr_id: `${advocate.slug}.${newId()}` };
    const result = await send('sign-up', form);
    demo = { ...demo, programToken };
    expect(result).toEqual({ status: 202, json: undefined });
  });
});

describe('a request of a page', () => {
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
    await statusOf('GET', '/demo/referrals', headers),
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
  ])('of another site is rejected: %j', async (headers) => {
    expect(await statuses(headers)).toEqual([403, 403]);
  });

  test('of the demo site is accepted', async () => {
    const host = new URL(url()).host;
    expect(await statuses({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).toEqual([204, 200]);
    expect(await statuses({ host: 'localhost:8080', origin: 'http://localhost:8080' })).toEqual([204, 200]);
  });
});
