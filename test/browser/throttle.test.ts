import { beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import {
  cookiesAfterClick,
  countRequests,
  grIdOf,
  nextClickResult,
  stopTime,
  useShop,
} from '../support/browser/shop.ts';

const shop = useShop();

let page: Page;
let clicks: () => Promise<number>;

/** Opens the shop through jane's link. The time of the page passes only with `page.clock`. */
beforeEach(async () => {
  page = await shop.newPage();
  await stopTime(page);
  clicks = countRequests(page);
  const result = nextClickResult(page.context());
  await page.goto(shop.url('www.shop.test', '/?via=jane'));
  expect(await result).toBe('recorded');
  await cookiesAfterClick(page);
});

const follow = (...slugs: string[]) =>
  page.evaluate(
    `for (const slug of ${JSON.stringify(slugs)}) history.pushState(null, '', '?gr_sub=spring&via=' + slug)`,
  );

test('of several slugs within a second, the last one is sent when it is over', async () => {
  await follow('mary_ann', 'nobody', 'john');
  await page.clock.runFor(999);
  const grId = await grIdOf(page);
  expect([grId, await clicks()]).toEqual([expect.stringMatching(/^john\./), 1]);
  const result = nextClickResult(page.context());
  await page.clock.runFor(1);
  expect(await result).toBe('recorded');
  expect(await shop.stored(grId)).toMatchObject({ advocateSlug: 'john', subId: 'spring' });
  await cookiesAfterClick(page);
  await page.clock.runFor(10_000);
  expect([await grIdOf(page), await clicks()]).toEqual([grId, 2]);
});

test('a history that navigates in a loop sends one click a second', async () => {
  for (let second = 0; second < 3; second += 1) {
    await follow(...Array.from({ length: 25 }, () => ['john', 'jane']).flat());
    const result = nextClickResult(page.context());
    await page.clock.runFor(1000);
    expect(await result).toBe('recorded');
  }
  expect(await clicks()).toBe(4);
});

test('a click that waits when the visitor leaves is sent by the next page', async () => {
  await follow('john');
  const grId = await grIdOf(page);
  expect(await shop.stored(grId)).toBeUndefined();
  const result = nextClickResult(page.context());
  await page.goto(shop.url('app.shop.test', '/pricing'));
  expect(await result).toBe('recorded');
  expect(await shop.stored(grId)).toMatchObject({ advocateSlug: 'john', subId: 'spring' });
  expect(await cookiesAfterClick(page)).toMatchObject([{ name: 'gr_id', value: grId }]);
});
