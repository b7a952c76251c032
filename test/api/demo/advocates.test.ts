import { describe, expect, test } from '@jest/globals';
import { demoShop } from '../../../bin/local/demo/site.ts';
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

/** Requests a token as the page of the signed-in advocate does. */
const tokenOf = async (cookie?: string) => (await send('token', {}, cookie === undefined ? {} : { cookie })).json;

/** The address and status of a request with a token. */
const statusWith = async (token: string, path: string) =>
  (await fetch(`${url()}${path}`, { headers: { authorization: `Bearer ${token}` } })).status;

/** The page that the shop sends to a browser with this cookie. */
async function pageFor(cookie: string): Promise<string> {
  const [headers, port] = [{ cookie }, Number(new URL(url()).port)];
  const request = { method: 'GET', path: '/demo', search: '', headers, body: Buffer.of(), port };
  return (await demoShop(shop.demo())(request))?.body ?? '';
}

describe('an advocate who joins', () => {
  test('a new advocate gets a token for only its own referrals that expires within a quarter of an hour', async () => {
    await aReferral(table, shop.program(), shop.advocate());
    const { token, ...advocate } = await tokenOf(await joined());
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
    expect(Number(stored?.['expires_at']) - Date.now() / 1000).toBeLessThanOrEqual(900);
  });

  test('an advocate is created once, even if the first response is lost', async () => {
    const form = { ...ADA, first_name: 'Grace', attempt: newId() };
    const [first, second] = [await send('join', form), await send('join', form)];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.cookie).toBe(first.cookie);
  });

  test('an advocate changes its own name, and clears its last name', async () => {
    const cookie = await joined();
    expect((await send('rename', { first_name: 'Ada', last_name: 'King' }, { cookie })).status).toBe(200);
    expect(await tokenOf(cookie)).toMatchObject({ first_name: 'Ada', last_name: 'King' });
    expect((await send('rename', { first_name: 'Augusta', last_name: '' }, { cookie })).status).toBe(200);
    expect(await tokenOf(cookie)).toMatchObject({ first_name: 'Augusta', last_name: '' });
  });

  test('an advocate sees its own dashboard in the page, which contains no token', async () => {
    const page = await pageFor(await joined());
    expect(page).toContain('data-first-name="Ada" data-last-name="Lovelace" data-own="true"');
    expect(page).not.toMatch(/rt[ap]_/);
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
  test("a visitor who is not an advocate gets a token of the demo's advocate", async () => {
    const { token, ...advocate } = await tokenOf();
    const { slug, firstName: first_name, lastName: last_name } = shop.advocate();
    expect(advocate).toEqual({ slug, first_name, last_name, is_own: false });
    expect(await statusWith(token, '/v1/affiliate/referrals')).toBe(200);
  });

  test('a visitor who is not an advocate cannot change a name', async () => {
    const { status, json } = await send('rename', { first_name: 'Mallory', last_name: '' });
    expect([status, json.error]).toEqual([401, expect.stringContaining('no longer signed in')]);
  });

  test('a visitor who is not an advocate cannot sign in with a cookie that the shop did not sign', async () => {
    const cookie = await joined();
    const [name, signature = ''] = cookie.split('.');
    const changed = `${signature.slice(0, -1)}${signature.endsWith('0') ? 1 : 0}`;
    for (const forged of [`${name}.${changed}`, `${name}.`, `${name}`, `${name}x.${signature}`, 'advocate=.']) {
      expect(await tokenOf(forged)).toMatchObject({ is_own: false });
      expect((await send('rename', { first_name: 'Mallory', last_name: '' }, { cookie: forged })).status).toBe(401);
      expect(await pageFor(forged)).toContain('data-own="false"');
    }
    expect(await tokenOf(`other=1; ${cookie}; more=2`)).toMatchObject({ is_own: true });
  });

  test('a visitor gets no token if the service rejects the token of the shop', async () => {
    const { status } = await shop.withDemo({ programToken: 'rtp_revoked' }, () => send('token', {}));
    expect(status).toBe(401);
  });
});
