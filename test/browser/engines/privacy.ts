import { expect } from '@jest/globals';
import { openChromium } from '../../support/browser/chromium.ts';
import { until } from '../../support/engines/engine.ts';
import {
  CLICK,
  clicksSent,
  grIdOf,
  NO_TRACES,
  referred,
  type Scenarios,
  settledOn,
  tracesOf,
  type World,
} from '../../support/engines/scenario.ts';

/** The days that the cookie of an arrival lasts. In WebKit, tracking prevention ends it earlier. */
const DAYS = { Chromium: 60, Firefox: 60, WebKit: 7 };

/** Expects the domain of the cookie after an arrival on a host. */
async function expectDomain({ engine, network, shop }: World, host: string, domain: string): Promise<void> {
  const { tab, cookies } = await engine.newVisitor();
  const click = network.next(CLICK);
  await tab.goto(shop.url(host, '/?via=jane'));
  await click;
  await settledOn(tab, 'jane');
  expect(await cookies()).toMatchObject([{ name: 'gr_id', value: await grIdOf(tab), domain }]);
}

/** A page of shop.test contains a frame with the landing page of a host. Resolves to what `gr('id')` passes in the frame. */
async function grIdInFrame({ engine, shop }: World, host: string): Promise<unknown> {
  shop.setContent({ head: "<script>gr('id', (id) => top.postMessage({ id }, '*'))</script>" }, host);
  shop.setContent({ attributes: { 'data-consent': 'required' } }, 'shop.test');
  const { tab } = await engine.newVisitor();
  await tab.goto(shop.url('shop.test'));
  await tab.evaluate(`(() => {
  addEventListener('message', ({ data }) => { received = [data.id]; });
  const frame = document.createElement('iframe');
  frame.src = '${shop.url(host, '/?via=jane')}';
  document.body.append(frame);
})()`);
  await until(tab, 'window.received');
  return tab.evaluate('received[0]');
}

/**
 * The first page prerenders the landing page, and navigates there when `/navigate` responds. The landing page reports its
 * state on load, and again when the script calls back.
 */
const PRERENDER = `<script>
const report = (id) => fetch('/report?' + new URLSearchParams({ id, prerendering: document.prerendering, cookie: document.cookie }));
if (location.search) {
  addEventListener('load', () => report('loaded'));
  gr('id', report);
} else {
  const text = '{"prerender":[{"source":"list","urls":["/?via=jane"],"eagerness":"immediate"}]}';
  document.head.append(Object.assign(document.createElement('script'), { type: 'speculationrules', text }));
  fetch('/navigate').then(() => { location.href = '/?via=jane'; });
}
</script>`;

/** What the visitor and the browser permit. */
export const PRIVACY: Scenarios = {
  'The cookie lasts 60 days, or as long as the engine permits': async ({ engine, network, shop }) => {
    let days: number | undefined;
    // WebKit switches its prevention on a moment after its start: a visit may come before that.
    for (let visits = 0; visits < 5 && days !== DAYS[engine.name]; visits += 1) {
      const settled = network.next(CLICK).then(({ response }) => response);
      const cookies = await engine.cookiesOfVisit(shop.url('www.shop.test', '/?via=jane'), settled);
      const { domain, expires = 0 } = cookies.find(({ name }) => name === 'gr_id') ?? {};
      expect(domain).toBe('.shop.test');
      // Engines round the expiry, and the page has stored the cookie a moment ago.
      days = Math.round((expires - Date.now() / 1000) / 86_400);
    }
    expect(days).toBe(DAYS[engine.name]);
  },
  'The cookie has the widest domain that is not a public suffix': async (world) => {
    await expectDomain(world, 'www.example.co.uk', '.example.co.uk');
    await expectDomain(world, 'intranet', 'intranet');
  },
  'On an IP address, the cookie belongs to the address alone': (world) => expectDomain(world, '192.0.2.1', '192.0.2.1'),
  'Nothing is stored or sent before required consent, and nothing remains after its withdrawal': async (world) => {
    const { engine, network, shop } = world;
    shop.setContent({ attributes: { 'data-consent': 'required' } });
    const { tab, cookies } = await engine.newVisitor();
    await tab.goto(shop.url('shop.test', '/?via=jane'));
    expect(await tracesOf(world, tab)).toEqual(NO_TRACES);
    const click = network.next(CLICK);
    await tab.evaluate("[history.pushState(null, '', '/pricing'), gr('consent', true)]");
    expect((await (await click).response).headers?.['x-click']).toBe('recorded');
    expect(await shop.stored(await grIdOf(tab))).toMatchObject({ advocateSlug: 'jane' });
    // Browsers write cookies asynchronously, but before a page reads them.
    expect(await tab.evaluate("(gr('consent', false), document.cookie)")).toBe('');
    expect([await cookies(), await grIdOf(tab)]).toEqual([[], null]);
  },
  'Nothing is stored or sent under Global Privacy Control': async (world) => {
    const { engine, shop } = world;
    // Other browsers have no such setting. There, extensions set this property in every page.
    const extension = "<script>Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })</script>";
    shop.setContent(engine.name === 'Firefox' ? {} : { head: extension });
    const { tab } = await engine.newVisitor({ globalPrivacyControl: true });
    await tab.goto(shop.url('shop.test', '/?via=jane'));
    expect(await tracesOf(world, tab)).toEqual(NO_TRACES);
  },
  'Without cookies, nothing is sent and the page works': async (world) => {
    const { engine, shop } = world;
    const { tab } = await engine.newVisitor({ refusesCookies: true });
    await tab.goto(shop.url('shop.test', '/?via=jane'));
    expect(await tracesOf(world, tab)).toEqual(NO_TRACES);
  },
  'Nothing is stored or sent in a frame of another origin': async (world) => {
    expect(await grIdInFrame(world, 'elsewhere.test')).toBe(null);
    expect(world.network.count(CLICK)).toBe(0);
  },
  'An arrival in a frame of the same origin is stored in the cookie': async (world) => {
    const { engine, shop } = world;
    shop.setContent({ body: '<iframe></iframe>' });
    const { tab } = await engine.newVisitor();
    await tab.goto(shop.url('shop.test'));
    await tab.evaluate(`document.querySelector('iframe').src = '/?via=jane'`);
    await until(tab, "document.cookie.startsWith('gr_id=jane.')");
  },
  'A prerendered page stores and sends nothing until it is shown': async ({ network, shop }) => {
    shop.setContent({ head: PRERENDER });
    const loaded = network.next('/report');
    const navigate = network.hold('/navigate');
    // A connected debugger hinders prerendering.
    const close = await openChromium(shop.url('shop.test'), `--proxy-server=127.0.0.1:${network.port()}`);
    try {
      const before = Object.fromEntries((await loaded).query);
      expect(before).toEqual({ id: 'loaded', prerendering: 'true', cookie: '' });
      expect(network.count(CLICK)).toBe(0);
      const [shown, click] = [network.next('/report'), network.next(CLICK)];
      navigate();
      const { id = '', ...after } = Object.fromEntries((await shown).query);
      // The click has just been sent.
      expect(after).toEqual({ prerendering: 'false', cookie: `gr_id=${id}; gr_unsent=&sid=//` });
      // The service ignores clicks of prerendering pages.
      expect((await (await click).response).headers?.['x-click']).toBe('recorded');
      expect(await shop.stored(id)).toMatchObject({ advocateSlug: 'jane' });
    } finally {
      await close();
    }
  },
  'A page from the back-forward cache keeps the gr_id, and sends no click': async (world) => {
    const { shop } = world;
    shop.setContent({
      head: "<script>addEventListener('pageshow', (event) => { persisted = event.persisted })</script>",
    });
    const { tab, grId } = await referred(world);
    await tab.goto(shop.url('www.shop.test', '/pricing'));
    await tab.evaluate('void setTimeout(() => history.back())');
    await until(tab, "location.pathname === '/' && window.persisted");
    expect([await grIdOf(tab), await clicksSent(world, tab)]).toEqual([grId, 1]);
  },
};
