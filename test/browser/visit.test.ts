import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { cookiesAfterClick, countRequests, grIdOf, nextClickResult, useShop } from '../support/browser/shop.ts';

const shop = useShop();

test('a click is stored in a cookie that www. and app. share, and is recorded once', async () => {
  const page = await shop.newPage();
  const clicks = countRequests(page);
  const result = nextClickResult(page.context());
  await page.goto(shop.url('www.shop.test', '/?via=Jane&gr_sub=spring'));
  expect(await result).toBe('recorded');
  const [cookie, ...others] = await cookiesAfterClick(page);
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({ name: 'gr_id', domain: '.shop.test', path: '/', sameSite: 'Lax' });
  const grId = cookie?.value ?? '';
  expect(await shop.stored(grId)).toMatchObject({ advocateSlug: 'jane', state: 'clicked', subId: 'spring' });
  await page.goto(shop.url('app.shop.test', '/sign-up?via=jane'));
  expect([await grIdOf(page), await clicks()]).toEqual([grId, 1]);
});

test.each([
  ['www.example.co.uk', '.example.co.uk'],
  ['localhost', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
])('on %s the cookie has the domain %s, the widest that Chromium accepts', async (host, domain) => {
  const page = await shop.newPage();
  await page.goto(shop.url(host, '/?via=jane'));
  const cookies = await cookiesAfterClick(page);
  expect(cookies).toMatchObject([{ name: 'gr_id', value: await grIdOf(page), domain }]);
});

test('navigation without a page load reads the slug again, and history behaves as before', async () => {
  const page = await shop.newPage();
  await page.goto(shop.url('shop.test'));
  const result = nextClickResult(page.context());
  await page.evaluate(
    "new Promise((done) => gr('ready', done)).then(() => history.pushState({ n: 1 }, '', '/pricing?via=jane'))",
  );
  expect(await result).toBe('recorded');
  expect(await page.evaluate('[location.pathname, history.state, history.length]')).toEqual(['/pricing', { n: 1 }, 3]);
  expect(await page.evaluate("history.pushState.call({}, 0, '').catch").catch(String)).toMatch('TypeError');
  const back = nextClickResult(page.context());
  await page.evaluate("history.pushState(null, '', '/?via=john')");
  expect([await back, (await grIdOf(page))?.split('.')[0]]).toEqual(['recorded', 'john']);
  await page.goBack();
  await page.waitForFunction("document.cookie.startsWith('gr_id=jane.')");
  expect(await page.evaluate('history.state')).toEqual({ n: 1 });
});

test('a conversion from an allowed origin converts the click', async () => {
  const page = await shop.newPage();
  const result = nextClickResult(page.context());
  await page.goto(shop.url('www.shop.test', '/?via=jane'));
  await result;
  const convert =
    "new Promise((done) => gr('track', 'conversion', { email: 'visitor@example.com', uid: 'c-1' }, done))";
  expect(await page.evaluate(convert)).toBe(false);
  await page.goto(shop.url('app.shop.test', '/welcome'));
  expect(await page.evaluate(convert)).toBe(true);
  const email = 'visitor@example.com';
  expect(await shop.stored(await grIdOf(page))).toMatchObject({
    state: 'converted',
    email,
    customerUid: 'c-1',
  });
});

test('a conversion with a promotion code is accepted from a visitor who followed no link', async () => {
  const page = await shop.newPage();
  await page.goto(shop.url('app.shop.test', '/welcome'));
  const fields = "{ email: 'listener@example.com', code: 'JANE20' }";
  expect(await page.evaluate(`new Promise((done) => gr('track', 'conversion', ${fields}, done))`)).toBe(true);
  expect([await grIdOf(page), await page.context().cookies()]).toEqual([null, []]);
});

/** Opens a landing page. Returns what it has stored and sent. */
async function tracesOn(page: Page, url = shop.url('shop.test', '/?via=jane')) {
  const clicks = countRequests(page);
  await page.goto(url);
  return { id: await grIdOf(page), clicks: await clicks(), cookies: await page.context().cookies() };
}

const NO_TRACES = { id: null, clicks: 0, cookies: [] };

test('nothing is stored or sent before required consent, and nothing remains after it is withdrawn', async () => {
  shop.setContent({ attributes: { 'data-consent': 'required' } });
  const page = await shop.newPage();
  expect(await tracesOn(page)).toEqual(NO_TRACES);
  const result = nextClickResult(page.context());
  await page.evaluate("history.pushState(null, '', '/pricing'), gr('consent', true)");
  expect(await result).toBe('recorded');
  expect(await shop.stored(await grIdOf(page))).toMatchObject({ advocateSlug: 'jane' });
  // Chromium writes cookies asynchronously, but before a page reads them.
  expect(await page.evaluate("gr('consent', false), document.cookie")).toBe('');
  expect([await page.context().cookies(), await grIdOf(page)]).toEqual([[], null]);
});

test.each([
  ['another origin', 'app.shop.test', null],
  ['the same origin', 'shop.test', expect.stringMatching(/^jane\./)],
])('a page in a frame of %s: %s', async (_, host, grId) => {
  const page = await shop.newPage();
  await page.goto(shop.url(host));
  const landing = shop.url('shop.test', '/?via=jane');
  await page.evaluate(`document.body.append(Object.assign(document.createElement('iframe'), { src: '${landing}' }))`);
  const frame = await page.waitForSelector('iframe').then((element) => element.contentFrame());
  await frame?.waitForURL(landing);
  expect(await frame?.evaluate("new Promise((done) => gr('id', done))")).toEqual(grId);
});

describe('links to another domain of the merchant', () => {
  /** The address of the link to the other domain. */
  const join = () => shop.url('www.pay.test', '/join?plan=a%20b#top');

  beforeEach(() => {
    shop.setContent({
      attributes: { 'data-domains': 'pay.test' },
      body: `<a href="${join()}">Join</a>`,
    });
    shop.setContent({ attributes: { 'data-domains': 'shop.test' }, body: 'Pay here' }, 'www.pay.test');
  });

  /** Opens the shop through jane's link. */
  async function referred(): Promise<{ page: Page; grId: string | null }> {
    const page = await shop.newPage();
    const result = nextClickResult(page.context());
    await page.goto(shop.url('shop.test', '/?via=jane'));
    await result;
    return { page, grId: await grIdOf(page) };
  }

  test.each([
    ['click', (page: Page) => page.getByText('Join').click()],
    ['Enter', (page: Page) => page.getByText('Join').press('Enter')],
  ])('a link followed by %s carries the gr_id, and the address bar does not show it', async (_, follow) => {
    const { page, grId } = await referred();
    await follow(page);
    await page.getByText('Pay here').waitFor();
    expect(await grIdOf(page)).toBe(grId);
    expect(page.url()).toBe(join());
    // While the adopted gr_id is checked, the page also has the cookie of a click that was not sent.
    const cookies = (await page.context().cookies(page.url())).filter(({ name }) => name === 'gr_id');
    expect(cookies).toMatchObject([{ value: grId, domain: '.pay.test' }]);
  });

  test('the click of an adopted gr_id is checked once, and a known one stays unchanged', async () => {
    const { page, grId } = await referred();
    const items = await shop.items();
    const clicks = countRequests(page);
    const result = nextClickResult(page.context());
    await page.getByText('Join').click();
    expect(await result).toBe('known');
    await cookiesAfterClick(page);
    await page.reload();
    await page.goBack();
    await page.goForward();
    expect([await grIdOf(page), await clicks(), page.url()]).toEqual([grId, 1, join()]);
    expect(await shop.items()).toEqual(items);
  });
});
