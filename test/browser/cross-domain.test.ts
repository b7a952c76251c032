import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { countRequests, grIdOf, nextClickResult, useShop } from '../support/browser/shop.ts';

const shop = useShop();

beforeEach(() => {
  shop.setContent({
    attributes: { 'data-domains': 'pay.test' },
    body: `<a href="${shop.url('www.pay.test', '/join?plan=a%20b#top')}">Join</a> <a href="${shop.url('elsewhere.test')}">Elsewhere</a>
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
  const clicks = countRequests(page);
  await follow(page);
  await page.getByText('Pay here').waitFor();
  expect([await grIdOf(page), await clicks()]).toEqual([grId, 0]);
  expect(page.url()).toBe(shop.url('www.pay.test', '/join?plan=a%20b#top'));
  expect(await page.context().cookies(page.url())).toMatchObject([{ value: grId, domain: '.pay.test' }]);
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
