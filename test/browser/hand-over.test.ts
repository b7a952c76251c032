import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { answeredClick, countAsked, grIdOn, useShop } from '../support/shop.ts';

const shop = useShop();

beforeEach(() => {
  shop.hold({
    attributes: { 'data-domains': 'pay.test' },
    body: `<a href="${shop.url('www.pay.test', '/join?plan=a%20b#top')}">Join</a> <a href="${shop.url('elsewhere.test')}">Elsewhere</a>
<map name="map"><area href="${shop.url('www.pay.test')}"></map>`,
  });
  shop.hold({ attributes: { 'data-domains': 'shop.test' }, body: 'Pay here' }, 'www.pay.test');
});

/** A page of a visitor who followed jane to the shop. */
async function referred(): Promise<{ page: Page; grId: string | null }> {
  const page = await shop.newPage();
  const answer = answeredClick(page.context());
  await page.goto(shop.url('shop.test', '/?via=jane'));
  await answer;
  return { page, grId: await grIdOn(page) };
}

test.each([
  ['click', (page: Page) => page.getByText('Join').click()],
  ['Enter', (page: Page) => page.getByText('Join').press('Enter')],
])('a link that is followed by %s hands the gr_id over, and the address bar does not show it', async (_, follow) => {
  const { page, grId } = await referred();
  const clicks = countAsked(page);
  await follow(page);
  await page.getByText('Pay here').waitFor();
  expect([await grIdOn(page), await clicks()]).toEqual([grId, 0]);
  expect(page.url()).toBe(shop.url('www.pay.test', '/join?plan=a%20b#top'));
  expect(await page.context().cookies(page.url())).toMatchObject([{ value: grId, domain: '.pay.test' }]);
});

test('a link that is opened in another tab by the middle button hands it over too', async () => {
  const { page, grId } = await referred();
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByText('Join').click({ button: 'middle' }),
  ]);
  await tab.getByText('Pay here').waitFor();
  expect(await grIdOn(tab)).toBe(grId);
});

test.each([
  ['a link of an image map', "document.querySelector('area').click()"],
  [
    'a link that keeps its events to itself',
    `for (const type of ['pointerdown', 'click'])
       document.links[0].addEventListener(type, (event) => event.stopImmediatePropagation());
     document.links[0].click()`,
  ],
])('%s hands it over too', async (_, follow) => {
  const { page, grId } = await referred();
  await page.evaluate(follow);
  await page.getByText('Pay here').waitFor();
  expect(await grIdOn(page)).toBe(grId);
});

test('a link whose menu is opened by the keyboard is prepared', async () => {
  const { page, grId } = await referred();
  const link = page.getByText('Join');
  await link.dispatchEvent('contextmenu');
  expect(await link.getAttribute('href')).toContain(`gr_id=${grId}`);
});

test('a link to anywhere else carries nothing', async () => {
  const { page } = await referred();
  await page.getByText('Elsewhere').click();
  await page.waitForURL(shop.url('elsewhere.test'));
});
