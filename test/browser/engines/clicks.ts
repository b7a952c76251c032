import { expect } from '@jest/globals';
import { until } from '../../support/engines/engine.ts';
import type { Hindrance } from '../../support/engines/network.ts';
import {
  CLICK,
  clickAt,
  clicksSent,
  grIdOf,
  referred,
  SCRIPT,
  type Scenarios,
  settledOn,
  slugOn,
  type World,
} from '../../support/engines/scenario.ts';

/** A click fails, or has no response: it stays attributed, and the next page sends it again. */
async function retried(world: World, hindrance: Hindrance): Promise<void> {
  const { engine, network, shop } = world;
  network.hinder(CLICK, hindrance);
  const { tab } = await engine.newVisitor();
  const click = network.next(CLICK);
  await tab.goto(shop.url('www.shop.test', '/?via=jane&gr_sub=spring+%3B'));
  await click;
  await until(tab, "document.cookie.includes('gr_unsent=')");
  const grId = await grIdOf(tab);
  expect(grId).toMatch(/^jane\./);
  expect(await shop.stored(grId)).toBeUndefined();

  network.hinder(CLICK);
  const before = network.count(CLICK);
  expect(await clickAt(world, tab, shop.url('app.shop.test', '/pricing'))).toBe('recorded');
  expect(await shop.stored(grId)).toMatchObject({ advocateSlug: 'jane', subId: 'spring ;' });
  await settledOn(tab, 'jane');
  await tab.goto(shop.url('app.shop.test', '/sign-up'));
  expect([await grIdOf(tab), await clicksSent(world, tab)]).toEqual([grId, before + 1]);
}

const UNREADABLE = {
  status: 400,
  headers: { 'x-error-code': 'invalid_affiliate_slug', 'access-control-allow-origin': 'https://elsewhere.test' },
};
/** The response of the firewall (lib/operations/web-acl.ts). AWS's own 403 has no CORS header, as if the request were blocked. */
const LIMITED = {
  status: 429,
  headers: { 'access-control-allow-origin': '*', 'retry-after': '300' },
  body: '{"message":"Too Many Requests"}',
};

/** Arrivals by advocates' links, and their clicks. */
export const CLICKS: Scenarios = {
  'An arrival is stored in a cookie that www. and app. share, and its click is recorded once': async (world) => {
    const { shop } = world;
    const { tab, grId, cookies } = await referred(world, shop.url('www.shop.test', '/?via=Jane&gr_sub=spring'));
    expect(await cookies()).toMatchObject([{ name: 'gr_id', value: grId, domain: '.shop.test' }]);
    expect(await shop.stored(grId)).toMatchObject({ advocateSlug: 'jane', state: 'clicked', subId: 'spring' });
    await tab.goto(shop.url('app.shop.test', '/sign-up?via=jane'));
    expect([await grIdOf(tab), await clicksSent(world, tab)]).toEqual([grId, 1]);
  },
  'The last click wins': async (world) => {
    const { tab, grId } = await referred(world);
    expect(await clickAt(world, tab, world.shop.url('shop.test', '/?via=john'))).toBe('recorded');
    expect(await slugOn(tab)).toBe('john');
    expect(await world.shop.stored(grId)).toMatchObject({ advocateSlug: 'jane' });
  },
  'The first click wins with data-attribution="first"': async (world) => {
    world.shop.setContent({ attributes: { 'data-attribution': 'first' } });
    const { tab, grId } = await referred(world);
    await tab.goto(world.shop.url('shop.test', '/?via=john'));
    expect([await grIdOf(tab), await clicksSent(world, tab)]).toEqual([grId, 1]);
  },
  'An unknown slug restores the previous gr_id, and the sign-up is credited to its advocate': async (world) => {
    const { shop } = world;
    const { tab, grId } = await referred(world);
    // The visitor goes to the next page immediately.
    await tab.goto(shop.url('www.shop.test', '/?ref=producthunt'));
    await tab.goto(shop.url('app.shop.test', '/sign-up'));
    await settledOn(tab, 'jane');
    expect(await grIdOf(tab)).toBe(grId);
    const email = `${grId.slice(-12)}@example.com`;
    expect(await shop.reportConversion({ gr_id: grId, email })).toBe(201);
    expect(await shop.stored(grId)).toMatchObject({ advocateSlug: 'jane', state: 'converted', email });
  },
  'A blocked click stays attributed, and is retried on the next page': (world) => retried(world, 'break'),
  'A click that fails is retried on the next page': (world) => retried(world, { status: 503 }),
  'A click that exceeds a limit of the service is retried on the next page': (world) => retried(world, LIMITED),
  'A click whose error CORS hides from the page is retried on the next page': (world) => retried(world, UNREADABLE),
  'A click without a response before the visitor leaves is sent again from the next page': (world) =>
    retried(world, 'hang'),
  'A click is recorded although its page is closed before the response': async (world) => {
    const { engine, network, shop } = world;
    const { tab, newTab } = await engine.newVisitor();
    const other = await newTab();
    const release = network.hold(CLICK);
    const click = network.next(CLICK);
    await tab.goto(shop.url('shop.test', '/?via=jane'));
    await click;
    const grId = await grIdOf(tab);
    await tab.close();
    release();
    expect((await (await click).response).headers?.['x-click']).toBe('recorded');
    expect(await clickAt(world, other, shop.url('shop.test', '/pricing'))).toBe('known');
    expect(await grIdOf(other)).toBe(grId);
  },
  'Of clicks in two tabs, the last one wins in both': async (world) => {
    const { engine, network, shop } = world;
    const { tab, newTab } = await engine.newVisitor();
    const other = await newTab();
    const respondFirst = network.hold(CLICK);
    const first = network.next(CLICK);
    await tab.goto(shop.url('shop.test', '/?via=jane'));
    await first;
    const jane = await grIdOf(tab);
    const respondLast = network.hold(CLICK);
    const last = network.next(CLICK);
    await other.goto(shop.url('shop.test', '/?via=john'));
    await last;
    respondFirst();
    // The first click now counts as the previous one. If both responses came together, a tab could mark the other's click
    // as unsent again, and the next page would send it once more.
    await until(tab, `document.cookie.includes('/${jane}/')`);
    respondLast();
    for (const each of [tab, other]) {
      await settledOn(each, 'john');
      expect(await shop.stored(await grIdOf(each))).toMatchObject({ advocateSlug: 'john' });
    }
    expect(await shop.stored(jane)).toMatchObject({ advocateSlug: 'jane' });
  },
  'A page renders and works while the server of the script hangs': async ({ engine, network, shop }) => {
    shop.setContent({ body: '<button onclick="this.textContent = \'Pressed\'">Press</button>' });
    network.hinder(SCRIPT, 'hang');
    const { tab } = await engine.newVisitor();
    await tab.goto(shop.url('shop.test', '/?via=jane'));
    await until(tab, "performance.getEntriesByName('first-contentful-paint').length === 1");
    await tab.click('button');
    await until(tab, "document.querySelector('button').textContent === 'Pressed'");
    await tab.evaluate("[gr('track', 'conversion', { email: 'a@example.com' }), gr('ready', () => undefined)]");
  },
  'A page works without the script if it cannot be loaded': async ({ engine, network, shop }) => {
    shop.setContent({
      head: "<script>errors = []; addEventListener('error', (event) => errors.push(event.message))</script>",
    });
    network.hinder(SCRIPT, 'break');
    const { tab, cookies } = await engine.newVisitor();
    await tab.goto(shop.url('shop.test', '/?via=jane'));
    await tab.evaluate("gr('id', () => undefined)");
    expect([await tab.evaluate('errors'), await cookies()]).toEqual([[], []]);
  },
};
