import { expect, test } from '@jest/globals';
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
  ['a.b.shop.test', '.shop.test'],
  ['localhost', 'localhost'],
  ['127.0.0.1', '127.0.0.1'],
])('on %s the cookie has the domain %s, the widest that Chromium accepts', async (host, domain) => {
  const page = await shop.newPage();
  await page.goto(shop.url(host, '/?via=jane'));
  const cookies = await cookiesAfterClick(page);
  expect(cookies).toMatchObject([{ name: 'gr_id', value: await grIdOf(page), domain }]);
});

test.each([
  ['last', 'john'],
  ['first', 'jane'],
])('with the attribution "%s", two slugs result in %s', async (attribution, slug) => {
  shop.setContent({ attributes: { 'data-attribution': attribution } });
  const page = await shop.newPage();
  for (const query of ['?via=jane', '?via=john', '']) await page.goto(shop.url('shop.test', `/${query}`));
  expect(await grIdOf(page)).toMatch(new RegExp(`^${slug}\\.`));
});

test('an invalid cookie is ignored', async () => {
  const page = await shop.newPage();
  const url = shop.url('shop.test');
  await page.context().addCookies([{ name: 'gr_id', value: 'garbage', url }]);
  await page.goto(url);
  expect(await grIdOf(page)).toBeNull();
  const result = nextClickResult(page.context());
  await page.goto(`${url}?via=jane`);
  expect(await result).toBe('recorded');
  expect(await cookiesAfterClick(page)).toMatchObject([{ name: 'gr_id', value: await grIdOf(page) }]);
});

test('a cookie with a deeper path, which the script cannot delete, does not hide a click', async () => {
  const page = await shop.newPage();
  const value = 'john.019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071';
  await page.context().addCookies([{ name: 'gr_id', value, domain: 'shop.test', path: '/shop' }]);
  const clicks = countRequests(page);
  const result = nextClickResult(page.context());
  await page.goto(shop.url('shop.test', '/shop/shoes?via=jane'));
  expect(await result).toBe('recorded');
  expect(await shop.stored(await grIdOf(page))).toMatchObject({ advocateSlug: 'jane' });
  await cookiesAfterClick(page);
  await page.goto(shop.url('shop.test', '/shop/hats?via=jane'));
  expect(await clicks()).toBe(1);
});

test('a script that is included twice runs once', async () => {
  shop.setContent({
    body: `<script>
const [script] = document.querySelectorAll('script[src]');
const again = document.createElement('script');
again.dataset.pk = script.dataset.pk;
again.src = script.src;
document.body.append(again);
</script>`,
  });
  const page = await shop.newPage();
  const clicks = countRequests(page);
  const errors: unknown[] = [];
  page.on('pageerror', (error) => errors.push(error));
  page.on('console', (message) => errors.push(message.text()));
  await page.goto(shop.url('shop.test', '/?via=jane'));
  expect([await clicks(), errors]).toEqual([1, []]);
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
