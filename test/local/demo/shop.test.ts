import { request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { Webhook as Signer } from 'standardwebhooks';
import { demoShop } from '../../../bin/local/demo/site.ts';
import { putCode } from '../../../functions/codes/table/put-code.ts';
import { hashToken, SCOPES } from '../../../functions/kernel/accounts/rules/token.ts';
import { tokenKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { DAY } from '../../../functions/kernel/time.ts';
import { useDemoShop } from '../../support/demo-shop.ts';
import { aClick, aReferral, newId, now } from '../../support/program.ts';
import { allItems, itemAt } from '../../support/table.ts';

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

  test('the demo shop accepts a repeated sign-up with the same attempt', async () => {
    const form = { email: anEmail(), gr_id: grId(), attempt: newId() };
    const first = await send('sign-up', form);
    expect(first.status).toBe(201);
    expect(await send('sign-up', form)).toEqual(first);
    expect((await send('sign-up', { ...form, attempt: newId() })).status).toBe(409);
  });

  test('the demo shop signs up a customer from a link with an unknown slug, without a referral', async () => {
    const before = await allItems(table);
    const form = { email: anEmail(), gr_id: `producthunt.${newId()}` };
    expect(await send('sign-up', form)).toMatchObject({ status: 204, json: undefined });
    expect(await allItems(table)).toEqual(before);
    expect((await send('sign-up', { ...form, email: 'no email' })).status).toBe(400);
  });

  test('the demo shop credits the advocate of a promotion code, and says that a code is unknown', async () => {
    await putCode(table, shop.program().id, { code: 'BEANS10', slug: shop.advocate().slug });
    const { status, json } = await send('sign-up', { email: anEmail(), gr_id: '', code: 'beans10' });
    expect([status, json.data.attributes.state]).toEqual([201, 'converted']);
    const unknown = await send('sign-up', { email: anEmail(), gr_id: '', code: 'BEANS11' });
    expect(unknown).toMatchObject({ status: 400, json: { error: 'Invalid promotion code' } });
  });

  test.each([
    ['sign-up', '{', 'The form must be a JSON object.'],
    ['sign-up', { email: 1 }, 'email must be a string of 1 to 300 characters.'],
    ['sign-up', { email: 'a@b.example', gr_id: {} }, 'gr_id must be a string of 0 to 300 characters.'],
    ['join', { first_name: '' }, 'first_name must be a string of 1 to 300 characters.'],
  ])('the demo shop rejects the form of a %s: %j', async (action, form, error) => {
    expect(await send(action, form)).toEqual({ status: 400, json: { error }, cookie: undefined });
  });

  test('a customer is signed up although the service does not respond, but a payment says so', async () => {
    const form = { email: anEmail(), gr_id: grId(), plan: 'House' };
    const body = Buffer.from(JSON.stringify(form));
    const [signUp, payment] = await Promise.all(
      ['sign-up', 'payment'].map((action) =>
        demoShop(shop.demo())({
          ...{ method: 'POST', path: `/demo/${action}`, search: '', headers: { host: 'localhost:1' }, body, port: 1 },
        }),
      ),
    );
    expect(signUp).toEqual({ statusCode: 202 });
    expect(payment).toMatchObject({ statusCode: 502, body: expect.stringContaining('does not respond') });
  });
});

describe('requests of pages', () => {
  const statusOf = (path: string, headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const outgoing = request(`${url()}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
      });
      outgoing.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      outgoing.end(JSON.stringify({ email: anEmail() }));
    });
  const statuses = async (headers: Record<string, string>) => [
    await statusOf('/demo/sign-up', headers),
    await statusOf('/demo/sign-out', headers),
  ];

  test.each([
    { origin: 'https://elsewhere.example' },
    { 'sec-fetch-site': 'cross-site' },
    // The name resolves to this machine, but the page belongs to another site (DNS rebinding).
    { host: 'elsewhere.example', origin: 'http://elsewhere.example', 'sec-fetch-site': 'same-origin' },
  ])('a request of a page of another site is rejected: %j', async (headers) => {
    expect(await statuses(headers)).toEqual([403, 403]);
  });

  test('a request of a page of the demo site is accepted', async () => {
    const host = new URL(url()).host;
    expect(await statuses({ host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' })).toEqual([204, 204]);
    expect(await statuses({ host: 'localhost:8080', origin: 'http://localhost:8080' })).toEqual([204, 204]);
  });
});

describe('the dashboard of the demo', () => {
  const open = (headers: Record<string, string> = {}) =>
    fetch(`${url()}/demo/dashboard`, { headers, redirect: 'manual' });

  test('each visit leads to the dashboard with another token, which has all scopes and ends within a day', async () => {
    const visits = await Promise.all([open(), open({ 'sec-fetch-site': 'same-origin' })]);
    const tokens = visits.map(
      ({ headers }) => /^\/dashboard#token=(rtp_\w+)$/.exec(headers.get('location') ?? '')?.[1],
    );
    expect(visits.map(({ status }) => status)).toEqual([303, 303]);
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) {
      const headers = { authorization: `Bearer ${token}` };
      const { meta } = Object(await (await fetch(`${url()}/v2/program`, { headers })).json());
      expect(meta.token).toMatchObject({ name: 'dashboard', scopes: SCOPES });
      expect(meta.token.expires_at).toBeLessThanOrEqual(now() + DAY);
    }
  });

  test('a page of another site cannot create a token of the dashboard', async () => {
    const before = await allItems(table);
    expect((await open({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect(await allItems(table)).toEqual(before);
  });
});

const ADA = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@shop.example' };

/** Joins as a new advocate. Resolves to the cookie as a browser sends it. */
async function joined(form: object = ADA): Promise<string> {
  const { status, cookie = '' } = await send('join', { ...form, attempt: newId() });
  expect(status).toBe(201);
  expect(cookie).toContain('; Path=/demo; HttpOnly; SameSite=Lax');
  return cookie.split(';')[0] ?? '';
}

/** The address and status of a request with a token. */
const statusWith = async (token: string, path: string) =>
  (await fetch(`${url()}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;

/** The page that the shop sends to a browser with this cookie. */
async function pageFor(cookie: string): Promise<string> {
  const port = Number(new URL(url()).port);
  const request = { method: 'GET', path: '/demo', search: '', headers: { cookie }, body: Buffer.of(), port };
  return (await demoShop(shop.demo())(request))?.body ?? '';
}

const OWN = /data-first-name="Ada" data-last-name="Lovelace" data-own="true"/;
/** The token with which a page opens the advocate's page. */
const tokenIn = (page: string) => /\/portal#token=(\w+)/.exec(page)?.[1] ?? '';

describe('an advocate who joins', () => {
  test('a new advocate gets a token for only its own referrals that expires within a day', async () => {
    await aReferral(table, shop.program(), shop.advocate());
    const { json } = await send('join', { ...ADA, attempt: newId() });
    const { token, ...advocate } = json;
    expect(advocate).toEqual({
      slug: expect.stringMatching(/^ada-lovelace/),
      first_name: 'Ada',
      last_name: 'Lovelace',
      is_own: true,
    });
    expect(token).toMatch(/^rta_/);
    const counts = await fetch(`${url()}/v2/affiliate/referrals/counts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await counts.json()).toMatchObject({ data: { id: advocate.slug, attributes: { total: { converted: 0 } } } });
    expect(await statusWith(token, '/v2/advocates')).toBe(403);
    const stored = await itemAt(table, tokenKey(hashToken(token)));
    expect(Number(stored?.['expires_at']) - Date.now() / 1000).toBeLessThanOrEqual(DAY);
  });

  test('an advocate is created once, even if the first response is lost', async () => {
    const form = { ...ADA, first_name: 'Grace', attempt: newId() };
    const [first, second] = [await send('join', form), await send('join', form)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.json.slug).toBe(first.json.slug);
    expect(second.cookie).toBe(first.cookie);
  });
});

test('a visitor who is not an advocate cannot sign in with a cookie that the shop did not sign', async () => {
  const cookie = await joined();
  const [name, signature = ''] = cookie.split('.');
  const changed = `${signature.slice(0, -1)}${signature.endsWith('0') ? 1 : 0}`;
  for (const forged of [`${name}.${changed}`, `${name}.`, `${name}`, `${name}x.${signature}`, 'advocate=.']) {
    const page = await pageFor(forged);
    expect([page.includes('data-own="false"'), tokenIn(page)]).toEqual([true, shop.demo().affiliateToken]);
  }
  const page = await pageFor(`other=1; ${cookie}; more=2`);
  expect(page).toMatch(OWN);
  expect(await statusWith(tokenIn(page), '/v2/affiliate')).toBe(200);
});

const BODY = '{"type":"referral.paid","data":{"id":"01900000-0000-7000-8000-000000000000"}}';

/** The headers of a delivery that is sent now, or a number of seconds ago. */
function signed(id: string, { body = BODY, secret = shop.demo().webhookSecret, age = 0 } = {}) {
  const time = Math.floor(Date.now() / 1000) - age;
  const signature = new Signer(secret).sign(id, new Date(time * 1000), body);
  return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': signature };
}

/** Delivers a body to the shop as the service does. Resolves to the status. */
async function deliver(headers: Record<string, string>, body = BODY): Promise<number> {
  const response = await fetch(`${shop.url()}/demo/webhook`, { method: 'POST', headers, body });
  expect(await response.text()).toBe('');
  return response.status;
}

describe('the receiver of the demo shop', () => {
  test('the receiver accepts a signed delivery', async () => {
    expect(await deliver(signed('a-referral.3'))).toBe(204);
  });

  test.each<[string, () => Promise<number>]>([
    ['with a changed body', () => deliver(signed('a'), BODY.replace('paid', 'churned'))],
    ['signed with another secret', () => deliver(signed('a', { secret: shop.demo().stripeSecret }))],
    ['sent more than five minutes ago', () => deliver(signed('a', { age: 600 }))],
    ['without JSON', () => deliver(signed('a', { body: 'paid' }), 'paid')],
  ])('the receiver refuses a delivery %s', async (_, send) => {
    expect(await send()).toBe(400);
  });
});

/** The states of a customer, oldest first, and who reported them. */
async function historyOf(email: string) {
  const response = await fetch(`${shop.url()}/v2/referrals/lookup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.demo().programToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  type Lookup = { data: { attributes: { history: { state: string; by: string }[] } } };
  const { data } = (await response.json()) as Lookup;
  return data.attributes.history.map(({ state, by }) => [state, by]);
}

describe('the simulation of Stripe', () => {
  test('the simulation reports payment, cancellation and the next payment, as fast as the visitor clicks', async () => {
    const email = anEmail();
    expect((await send('sign-up', { email, gr_id: grId() })).status).toBe(201);
    const [paid, churned] = [{ applied: 'paid', entry: expect.any(String) }, { applied: 'churned' }];
    const responses = [];
    for (const action of ['payment', 'cancellation', 'payment', 'cancellation']) {
      responses.push(await send(action, { email, plan: 'House' }));
    }
    expect(responses.map(({ json }) => json)).toEqual([paid, churned, paid, churned]);
    expect(await historyOf(email)).toEqual([
      ['converted', 'merchant'],
      ['paid', 'stripe'],
      ['churned', 'stripe'],
      ['paid', 'stripe'],
      ['churned', 'stripe'],
    ]);
  });
});
