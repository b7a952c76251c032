import { describe, expect, test } from '@jest/globals';
import { demoShop } from '../../../bin/local/demo/site.ts';
import { DAY } from '../../../functions/domain/time.ts';
import { hashToken } from '../../../functions/domain/token.ts';
import { tokenKey } from '../../../functions/table/keys.ts';
import { useDemoShop } from '../../support/demo-shop.ts';
import { aReferral, newId } from '../../support/program.ts';
import { itemAt } from '../../support/table.ts';

const shop = useDemoShop();
const { table, url, send } = shop;

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
async function pageFor(cookie?: string): Promise<string> {
  const [headers, port] = [cookie === undefined ? {} : { cookie }, Number(new URL(url()).port)];
  const request = { method: 'GET', path: '/demo', search: '', headers, body: Buffer.of(), port };
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

  test('an advocate sees its own page in the frame after a reload', async () => {
    const page = await pageFor(await joined());
    expect(page).toMatch(OWN);
    expect(await statusWith(tokenIn(page), '/v2/affiliate')).toBe(200);
    expect(tokenIn(page)).not.toBe(shop.demo().affiliateToken);
  });

  test('an advocate leaves with the cookie', async () => {
    const { status, cookie } = await send('sign-out', {});
    expect([status, cookie]).toEqual([204, 'advocate=; Path=/demo; HttpOnly; SameSite=Lax; Max-Age=0']);
  });

  test.each([
    [{ first_name: '' }, 'first_name must be a string of 1 to 300 characters.'],
    [{ last_name: null }, 'last_name must be a string of 0 to 300 characters.'],
    [{ email: 1 }, 'email must be a string of 1 to 300 characters.'],
    [{ attempt: undefined }, 'attempt must be a string of 1 to 300 characters.'],
    [{ email: 'no email' }, expect.stringContaining('email')],
    [{ first_name: 'x'.repeat(201) }, expect.stringContaining('first_name')],
  ])('a join with %j is refused', async (fields, error) => {
    const result = await send('join', { ...ADA, attempt: newId(), ...fields });
    expect(result).toEqual({ status: 400, json: { error }, cookie: undefined });
  });
});

describe('visitors who are not advocates', () => {
  test("a visitor who is not an advocate sees the page of the demo's advocate", async () => {
    const page = await pageFor();
    const { slug } = shop.advocate();
    expect([page.includes(`data-slug="${slug}"`), tokenIn(page)]).toEqual([true, shop.demo().affiliateToken]);
  });

  test('a visitor who is not an advocate cannot sign in with a cookie that the shop did not sign', async () => {
    const cookie = await joined();
    const [name, signature = ''] = cookie.split('.');
    const changed = `${signature.slice(0, -1)}${signature.endsWith('0') ? 1 : 0}`;
    for (const forged of [`${name}.${changed}`, `${name}.`, `${name}`, `${name}x.${signature}`, 'advocate=.']) {
      const page = await pageFor(forged);
      expect([page.includes('data-own="false"'), tokenIn(page)]).toEqual([true, shop.demo().affiliateToken]);
    }
    expect(await pageFor(`other=1; ${cookie}; more=2`)).toMatch(OWN);
  });

  test("a page shows the demo's advocate if the service rejects the token of the shop", async () => {
    const cookie = await joined();
    const rejected = { ...shop.demo(), programToken: 'rtp_revoked' };
    const [headers, port] = [{ cookie }, Number(new URL(url()).port)];
    const request = { method: 'GET', path: '/demo', search: '', headers, body: Buffer.of(), port };
    expect((await demoShop(rejected)(request))?.body).toContain('data-own="false"');
  });
});
