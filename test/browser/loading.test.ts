import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import { useChromium } from '../support/browser/chromium.ts';
import { grIdOf, useShop } from '../support/browser/shop.ts';

/** Minimum duration of a long task in milliseconds: https://w3c.github.io/longtasks/. */
const LONG = 50;

const BUSY = `for (const end = performance.now() + ${2 * LONG}; performance.now() < end; );
busyEnd = performance.now();`;
const chromium = useChromium();
const shop = useShop(async ({ path }) =>
  path === '/busy.js' ? { headers: { 'content-type': 'text/javascript' }, body: BUSY } : undefined,
);

const busy = () => shop.url('www.shop.test', '/busy.js');

/** Collects the files whose code caused a long task. */
const OBSERVE = `window.blamed = [];
new PerformanceObserver((list) => {
  for (const { scripts } of list.getEntries())
    for (const { sourceURL, duration } of scripts)
      if (duration >= ${LONG}) blamed.push(sourceURL);
}).observe({ type: 'long-animation-frame', buffered: true });`;

/** Resolves to the files whose code caused a long task during one visit. */
async function blamedInOneVisit(): Promise<unknown> {
  const page = await chromium.newPage();
  await page.addInitScript(OBSERVE);
  await page.goto(shop.url('www.shop.test', '/?via=jane'));
  await grIdOf(page);
  for (const path of ['/a', '/b?via=john']) await page.evaluate(`history.pushState(null, '', '${path}')`);
  await page.evaluate("gr('consent', false), gr('consent', true)");
  // Chromium does not report the frames of a page that it does not draw.
  await page.waitForFunction(`blamed.includes('${busy()}') || performance.now() > window.busyEnd + 1000`, null, {
    polling: 50,
  });
  const blamed = await page.evaluate('blamed');
  await page.close();
  return blamed;
}

// On a busy machine any task may become long. A script that causes long tasks does so in every visit; a harmless script
// has some visits without. The busy script proves that long tasks are detected.
test('the script causes no long task', async () => {
  shop.setContent({ body: '<script async src="/busy.js"></script>' });
  const visits = 20;
  let blamed: unknown;
  for (let visit = 0; visit < visits && !isDeepStrictEqual(blamed, [busy()]); visit += 1) {
    blamed = await blamedInOneVisit();
  }
  expect(blamed).toEqual([busy()]);
});
