import { expect, test } from '@jest/globals';
import { grIdOn, useShop } from '../support/shop.ts';

/** Milliseconds from which a task is a long one: https://w3c.github.io/longtasks/. */
const LONG = 50;

const shop = useShop(async ({ path }) =>
  path === '/busy.js'
    ? {
        headers: { 'content-type': 'text/javascript' },
        body: `for (const end = performance.now() + ${2 * LONG}; performance.now() < end; );`,
      }
    : undefined,
);

/** Keeps the names of the files whose code made a task of a page a long one. */
const OBSERVE = `window.blamed = [];
new PerformanceObserver((list) => {
  for (const { scripts } of list.getEntries())
    for (const { sourceURL, duration } of scripts)
      if (duration >= ${LONG}) blamed.push(sourceURL);
}).observe({ type: 'long-animation-frame', buffered: true });`;

test('the script makes no long task, where another script is seen to make one', async () => {
  shop.hold({ body: '<script async src="/busy.js"></script>' });
  const page = await shop.newPage();
  await page.addInitScript(OBSERVE);
  await page.goto(shop.url('www.shop.test', '/?via=jane'));
  await grIdOn(page);
  for (const path of ['/a', '/b?via=john']) await page.evaluate(`history.pushState(null, '', '${path}')`);
  await page.evaluate("gr('consent', false), gr('consent', true)");
  const busy = shop.url('www.shop.test', '/busy.js');
  await page.waitForFunction(`blamed.includes('${busy}')`);
  expect(await page.evaluate('blamed')).toEqual([busy]);
});
