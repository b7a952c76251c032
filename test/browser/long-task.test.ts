import { isDeepStrictEqual } from 'node:util';
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

const busy = () => shop.url('www.shop.test', '/busy.js');

/** Keeps the names of the files whose code made a task of a page a long one. */
const OBSERVE = `window.blamed = [];
new PerformanceObserver((list) => {
  for (const { scripts } of list.getEntries())
    for (const { sourceURL, duration } of scripts)
      if (duration >= ${LONG}) blamed.push(sourceURL);
}).observe({ type: 'long-animation-frame', buffered: true });`;

/** The files whose code made a task long during one visit. */
async function blamedInOneVisit(): Promise<unknown> {
  const page = await shop.newPage();
  await page.addInitScript(OBSERVE);
  await page.goto(shop.url('www.shop.test', '/?via=jane'));
  await grIdOn(page);
  for (const path of ['/a', '/b?via=john']) await page.evaluate(`history.pushState(null, '', '${path}')`);
  await page.evaluate("gr('consent', false), gr('consent', true)");
  await page.waitForFunction(`blamed.includes('${busy()}')`);
  const blamed = await page.evaluate('blamed');
  await page.close();
  return blamed;
}

// A task also counts as long while the machine is busy with other work. A script that makes a long task makes it in
// every visit; one that does not has some visits without.
test('the script makes no long task, while another script is seen to make one', async () => {
  shop.hold({ body: '<script async src="/busy.js"></script>' });
  const visits = 20;
  let blamed: unknown;
  for (let visit = 0; visit < visits && !isDeepStrictEqual(blamed, [busy()]); visit += 1) {
    blamed = await blamedInOneVisit();
  }
  expect(blamed).toEqual([busy()]);
});
