import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { countRequests, grIdOf, nextClickResult, useShop } from '../support/browser/shop.ts';

const shop = useShop();

const slugOn = async (page: Page) => (await grIdOf(page))?.split('.')[0];

test('a slug that the visitor enters counts like an arrival by the link', async () => {
  shop.setContent({ body: `<input onchange="gr('follow', value, 'coupon field')" aria-label="Coupon">` });
  const page = await shop.newPage();
  await page.goto(shop.url('shop.test'));
  const result = nextClickResult(page.context());
  await page.getByLabel('Coupon').fill('Jane');
  await page.getByLabel('Coupon').press('Enter');
  expect(await result).toBe('recorded');
  expect(await shop.stored(await grIdOf(page))).toMatchObject({ advocateSlug: 'jane', subId: 'coupon field' });
});

test.each([
  ['last', 'john'],
  ['first', 'jane'],
])(
  'a call before the script has loaded runs after the arrival, with the attribution "%s"',
  async (attribution, slug) => {
    shop.setContent({
      attributes: { 'data-attribution': attribution },
      head: "<script>gr('follow', 'john', 'vanity page')</script>",
    });
    const page = await shop.newPage();
    await page.goto(shop.url('shop.test', '/?via=jane'));
    expect(await slugOn(page)).toBe(slug);
  },
);

test.each([
  ['last', 'john'],
  ['first', 'jane'],
])('a call waits for consent behind the arrival, with the attribution "%s"', async (attribution, slug) => {
  shop.setContent({
    attributes: { 'data-attribution': attribution, 'data-consent': 'required' },
    head: "<script>gr('follow', 'john')</script>",
  });
  const page = await shop.newPage();
  const clicks = countRequests(page);
  await page.goto(shop.url('shop.test', '/?via=jane'));
  expect([await grIdOf(page), await clicks(), await page.context().cookies()]).toEqual([null, 0, []]);
  await page.evaluate("gr('consent', true)");
  expect([await slugOn(page), await clicks()]).toEqual([slug, 1]);
  while (!(await shop.stored(await grIdOf(page))));
});

test('an unknown slug does not displace the previous slug', async () => {
  const page = await shop.newPage();
  const result = nextClickResult(page.context());
  await page.goto(shop.url('shop.test', '/?via=jane'));
  await result;
  const jane = await grIdOf(page);
  const refusal = page.waitForResponse('**/v2/tracking/click');
  await page.evaluate("gr('follow', 'SPRING24')");
  expect((await refusal).request().postDataJSON()).toMatchObject({ gr_id: expect.stringMatching(/^spring24\./) });
  await page.waitForFunction(`document.cookie === 'gr_id=${jane}'`);
});
