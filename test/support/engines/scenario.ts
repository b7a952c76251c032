import { expect } from '@jest/globals';
import { ROUTES } from '../../../functions/routes.ts';
import type { useShop } from '../browser/shop.ts';
import { type Engine, type Tab, until } from './engine.ts';
import type { Network } from './network.ts';

export const CLICK = ROUTES.trackClick.path;
export const SCRIPT = '/gr.js';
/** The host of the service. */
export const SERVICE = 'api.service.test';

/** What a scenario runs in. */
export interface World {
  readonly engine: Engine;
  readonly shop: ReturnType<typeof useShop>;
  readonly network: Network;
}

/** What visitors do and what happens, by the sentence that says it. The same in every engine. */
export type Scenarios = Readonly<Record<string, (world: World) => Promise<void>>>;

/** Resolves to the `gr_id` on a page, or null, as soon as the script runs. */
export const grIdOf = (tab: Tab): Promise<string | null> => tab.evaluate("new Promise((done) => gr('id', done))");

/** The slug of the `gr_id` on a page. */
export const slugOn = async (tab: Tab): Promise<string | undefined> => (await grIdOf(tab))?.split('.')[0];

/** Waits until the page has a `gr_id` of a slug, and no click without a response. */
export const settledOn = (tab: Tab, slug: string): Promise<void> =>
  until(tab, `/^gr_id=${slug}\\.[^;]*$/.test(document.cookie)`);

/** Opens an address, and waits for the response to the click. Returns its `x-click`, for example `recorded` or `known`. */
export async function clickAt({ network }: World, tab: Tab, url: string): Promise<unknown> {
  const [click] = await Promise.all([network.next(CLICK), tab.goto(url)]);
  const { headers } = await click.response;
  return headers?.['x-click'];
}

/** Opens a page of the shop through an advocate's link, in a new visit. Returns the stored `gr_id`. */
export async function referred(world: World, url = world.shop.url('www.shop.test', '/?via=jane')) {
  const visitor = await world.engine.newVisitor();
  expect(await clickAt(world, visitor.tab, url)).toBe('recorded');
  await settledOn(visitor.tab, new URL(url).searchParams.get('via')?.toLowerCase() ?? '');
  return { ...visitor, grId: (await grIdOf(visitor.tab)) ?? '' };
}

/** Returns the number of clicks in this test. The tab's page has sent all of its own. */
export async function clicksSent({ network }: World, tab: Tab): Promise<number> {
  // The script's requests start before this one.
  const last = "fetch('/', { cache: 'no-store' }).then((response) => response.text())";
  await tab.evaluate(`new Promise((done) => gr('ready', done)).then(() => ${last})`);
  return network.count(CLICK);
}

/** What a page has stored and sent. */
export async function tracesOf(world: World, tab: Tab) {
  const id = await grIdOf(tab);
  return { id, clicks: await clicksSent(world, tab), cookies: await tab.evaluate('document.cookie') };
}
export const NO_TRACES = { id: null, clicks: 0, cookies: '' };

/** An expression that reports a conversion, and resolves to what the page gets. */
export const conversion = (fields: object): string =>
  `new Promise((done) => gr('track', 'conversion', ${JSON.stringify(fields)}, done))`;
