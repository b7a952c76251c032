import { isDeepStrictEqual } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import { openChromium } from '../support/browser/chromium.ts';
import { grIdOf, useShop } from '../support/browser/shop.ts';

/** Minimum duration of a long task in milliseconds: https://w3c.github.io/longtasks/. */
const LONG = 50;

const BUSY = `for (const end = performance.now() + ${2 * LONG}; performance.now() < end; );
busyEnd = performance.now();`;
/** A page that prerenders the landing page and navigates there when `/navigate` responds. */
const START = `<!doctype html><title>Start</title>
<script type="speculationrules">{"prerender":[{"source":"list","urls":["/?via=jane"],"eagerness":"immediate"}]}</script>
<script>fetch('/navigate').then(() => { location.href = '/?via=jane'; })</script>`;

/** The landing page reports its state on load, and again when the script calls back. */
const REPORTS = `<script>
const report = (id) => fetch('/report?' + new URLSearchParams({ id, prerendering: document.prerendering, cookie: document.cookie }));
addEventListener('load', () => report('loaded'));
gr('id', report);
</script>`;

let onReport: (report: Record<string, string>) => void;
let navigate: () => void;
const nextReport = () =>
  new Promise<Record<string, string>>((resolve) => {
    onReport = resolve;
  });
const released = new Promise<void>((resolve) => {
  navigate = resolve;
});

const shop = useShop(async ({ path, search }) => {
  const respond = (body: string, type = 'text/html') => ({ headers: { 'content-type': type }, body });
  if (path === '/busy.js') return respond(BUSY, 'text/javascript');
  if (path === '/start') return respond(START);
  if (path === '/navigate') await released;
  else if (path === '/report') onReport(Object.fromEntries(new URLSearchParams(search)));
  else return undefined;
  return respond('');
});

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
  const page = await shop.newPage();
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

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

// Without Playwright: a connected debugger disables prerendering.
test('a prerendered page stores and sends nothing until it is activated', async () => {
  shop.setContent({ head: REPORTS });
  const before = await shop.items();
  const loaded = nextReport();
  close = await openChromium(shop.url('localhost', '/start'));
  expect(await loaded).toEqual({ id: 'loaded', prerendering: 'true', cookie: '' });
  expect(await shop.items()).toEqual(before);

  const shown = nextReport();
  navigate();
  const { id = '', ...rest } = await shown;
  expect({ slug: id.split('.')[0], ...rest }).toEqual({
    slug: 'jane',
    prerendering: 'false',
    // The click has just been sent.
    cookie: `gr_id=${id}; gr_unsent=&sid=//`,
  });
  // The service ignores clicks of prerendering pages. If it never stores this one, the test times out.
  while (!(await shop.stored(id)));
});
