import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { cookiesAfterClick, countRequests, grIdOf, nextClickResult, useShop } from '../support/browser/shop.ts';
import { newId } from '../support/program.ts';

const shop = useShop();

/** The address of the link to the other domain. */
const join = () => shop.url('www.pay.test', '/join?plan=a%20b#top');

beforeEach(() => {
  shop.setContent({
    attributes: { 'data-domains': 'pay.test' },
    body: `<a href="${join()}">Join</a> <a href="${shop.url('elsewhere.test')}">Elsewhere</a>
<map name="map"><area href="${shop.url('www.pay.test')}"></map>`,
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

test('a click that was blocked on one domain is stored by the other', async () => {
  const page = await shop.newPage();
  await page.route('**/v2/tracking/click', (route) =>
    route.request().headers()['origin'] === shop.url('shop.test', '') ? route.abort() : route.continue(),
  );
  const blocked = page.waitForEvent('requestfailed');
  await page.goto(shop.url('shop.test', '/?via=jane'));
  const grId = await grIdOf(page);
  await blocked;
  const result = nextClickResult(page.context());
  await page.getByText('Join').click();
  expect(await result).toBe('recorded');
  expect(await shop.stored(grId)).toMatchObject({ advocateSlug: 'jane', state: 'clicked' });
  expect(await cookiesAfterClick(page)).toContainEqual(expect.objectContaining({ domain: '.pay.test', value: grId }));
});

test('an adopted gr_id whose slug does not exist restores the previous gr_id', async () => {
  const page = await shop.newPage();
  const result = nextClickResult(page.context());
  await page.goto(shop.url('www.pay.test', '/?via=john'));
  expect(await result).toBe('recorded');
  await cookiesAfterClick(page);
  const john = await grIdOf(page);
  const refusal = page.waitForResponse('**/v2/tracking/click');
  await page.goto(shop.url('www.pay.test', `/join?gr_id=nobody.${newId()}`));
  expect((await refusal).status()).toBe(400);
  await page.waitForFunction(`document.cookie === 'gr_id=${john}'`);
  expect(page.url()).toBe(shop.url('www.pay.test', '/join'));
});

test.each(['', 'junk'])('an address with gr_id=%s is cleaned, and nothing is stored', async (value) => {
  const page = await shop.newPage();
  await page.goto(shop.url('www.pay.test', `/paid?gr_id=${value}&plan=a#top`));
  expect([await grIdOf(page), page.url()]).toEqual([null, shop.url('www.pay.test', '/paid?plan=a#top')]);
});

test('a gr_id that a payment provider returns with an underscore is adopted', async () => {
  const page = await shop.newPage();
  const id = newId();
  const result = nextClickResult(page.context());
  await page.goto(shop.url('www.pay.test', `/paid?gr_id=mary_ann_${id}`));
  expect(await result).toBe('recorded');
  expect([await grIdOf(page), page.url()]).toEqual([`mary_ann.${id}`, shop.url('www.pay.test', '/paid')]);
});

test('a link opened in another tab by the middle button carries the gr_id', async () => {
  const { page, grId } = await referred();
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByText('Join').click({ button: 'middle' }),
  ]);
  await tab.getByText('Pay here').waitFor();
  expect(await grIdOf(tab)).toBe(grId);
});

test.each([
  ['a link of an image map', "document.querySelector('area').click()"],
  [
    'a link that stops the propagation of its events',
    `for (const type of ['pointerdown', 'click'])
       document.links[0].addEventListener(type, (event) => event.stopImmediatePropagation());
     document.links[0].click()`,
  ],
])('%s carries the gr_id', async (_, follow) => {
  const { page, grId } = await referred();
  await page.evaluate(follow);
  await page.getByText('Pay here').waitFor();
  expect(await grIdOf(page)).toBe(grId);
});

test('a link whose context menu is opened carries the gr_id', async () => {
  const { page, grId } = await referred();
  const link = page.getByText('Join');
  await link.dispatchEvent('contextmenu');
  expect(await link.getAttribute('href')).toContain(`gr_id=${grId}`);
});

test('a link to an unlisted domain is not changed', async () => {
  const { page } = await referred();
  await page.getByText('Elsewhere').click();
  await page.waitForURL(shop.url('elsewhere.test'));
});
