import { expect } from '@jest/globals';
import { codeBlocks } from '../../support/documents/documents.ts';
import { until, type Visitor } from '../../support/engines/engine.ts';
import {
  CLICK,
  clickAt,
  clicksSent,
  conversion,
  grIdOf,
  referred,
  type Scenarios,
  SERVICE,
  settledOn,
  slugOn,
  type World,
} from '../../support/engines/scenario.ts';

const JOIN = '/join?plan=a%20b#top';

/** A link of the shop leads to another domain of the merchant. Opens the shop through jane's link. */
async function beforeJoining(world: World): Promise<Visitor & { grId: string; join: string }> {
  const { shop } = world;
  const join = shop.url('www.pay.test', JOIN);
  shop.setContent({ attributes: { 'data-domains': 'pay.test' }, body: `<a href="${join}">Join</a>` });
  shop.setContent({ attributes: { 'data-domains': 'shop.test' }, body: 'Pay here' }, 'www.pay.test');
  return { ...(await referred(world, shop.url('shop.test', '/?via=jane'))), join };
}

/** How pages hand the `gr_id` on, and report conversions. */
export const CALLS: Scenarios = {
  'Navigation without a page load reads the slug again, and history behaves as before': async (world) => {
    const { engine, network, shop } = world;
    const { tab } = await engine.newVisitor();
    await tab.goto(shop.url('shop.test'));
    await grIdOf(tab);
    const before = await tab.evaluate<number>('history.length');
    const click = network.next(CLICK);
    await tab.evaluate("history.pushState({ n: 1 }, '', '/pricing?via=jane')");
    expect((await (await click).response).headers?.['x-click']).toBe('recorded');
    const state = await tab.evaluate('[location.pathname, history.state, history.length]');
    expect(state).toEqual(['/pricing', { n: 1 }, before + 1]);
    const thrown = '(() => { try { history.pushState.call({}, 0, "") } catch (error) { return error.name } })()';
    expect(await tab.evaluate(thrown)).toBe('TypeError');
    const next = network.next(CLICK);
    await tab.evaluate("history.pushState(null, '', '/?via=john')");
    expect((await (await next).response).headers?.['x-click']).toBe('recorded');
    expect(await slugOn(tab)).toBe('john');
    await tab.evaluate('void setTimeout(() => history.back())');
    await until(tab, "document.cookie.startsWith('gr_id=jane.')");
    expect(await tab.evaluate('history.state')).toEqual({ n: 1 });
  },
  'A link to another domain carries the gr_id, and the address bar does not show it': async (world) => {
    const { grId, tab, join } = await beforeJoining(world);
    const items = await world.shop.items();
    const click = world.network.next(CLICK);
    await tab.click('a');
    expect((await (await click).response).headers?.['x-click']).toBe('known');
    await settledOn(tab, 'jane');
    expect([await grIdOf(tab), await tab.evaluate('location.href')]).toEqual([grId, join]);
    // The adopted click is checked once.
    await tab.evaluate('void setTimeout(() => location.reload())');
    await until(tab, "performance.getEntriesByType('navigation')[0].type === 'reload'");
    expect([await grIdOf(tab), await clicksSent(world, tab)]).toEqual([grId, 2]);
    expect(await world.shop.items()).toEqual(items);
  },
  'A link to another domain that is followed with the keyboard carries the gr_id': async (world) => {
    const { grId, tab, join } = await beforeJoining(world);
    await tab.type('a', '\n');
    await until(tab, "document.body.textContent.includes('Pay here')");
    expect([await grIdOf(tab), await tab.evaluate('location.href')]).toEqual([grId, join]);
  },
  'A gr_id in the address of another domain is adopted, and removed from the address': async (world) => {
    const { grId, tab, shop } = { ...(await beforeJoining(world)), ...world };
    const { tab: other, cookies } = await world.engine.newVisitor();
    const address = shop.url('www.pay.test', `/?gr_id=${grId.replace('.', '_')}`);
    expect([tab === other, await clickAt(world, other, address)]).toEqual([false, 'known']);
    await settledOn(other, 'jane');
    expect(await cookies()).toMatchObject([{ name: 'gr_id', value: grId, domain: '.pay.test' }]);
    expect(await other.evaluate('location.search')).toBe('');
  },
  'A tag manager inserts the script, and the click of the arrival is recorded': async (world) => {
    const { engine, shop } = world;
    const tag = codeBlocks('docs/recipes.md', 'html')
      .find((code) => code.includes('script.dataset.pk'))
      ?.replace('$BASE_URL', shop.url(SERVICE, ''))
      .replace('$PUBLIC_KEY', shop.program().publicKey);
    // Tag Manager's own code is not loaded here. It makes new script elements, without unknown attributes.
    const tagManager = `for (const { text, src } of new DOMParser().parseFromString(tag, 'text/html').scripts) {
  const script = document.createElement('script');
  if (src) script.src = src;
  script.text = text;
  document.body.append(script);
}`;
    const page = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><body><script>
const tag = ${JSON.stringify(tag).replaceAll('</', '<\\/')};
${tagManager}
</script>`;
    shop.setContent({ page });
    const { tab } = await engine.newVisitor();
    expect(await clickAt(world, tab, shop.url('shop.test', '/?via=jane'))).toBe('recorded');
    await settledOn(tab, 'jane');
    expect(await shop.stored(await grIdOf(tab))).toMatchObject({ advocateSlug: 'jane', state: 'clicked' });
  },
  'A page of an allowed origin reports a conversion, which converts the click': async (world) => {
    const { shop, engine } = world;
    const { tab, grId } = await referred(world);
    const fields = { email: `${engine.name}-1@example.com`, uid: `${engine.name}-1` };
    expect(await tab.evaluate(conversion(fields))).toBe(false);
    await tab.goto(shop.url('app.shop.test', '/welcome'));
    expect(await tab.evaluate(conversion(fields))).toBe(true);
    const { email, uid: customerUid } = { ...fields, email: fields.email.toLowerCase() };
    expect(await shop.stored(grId)).toMatchObject({ state: 'converted', email, customerUid });
  },
  'A conversion with a promotion code is accepted from a visitor who followed no link': async ({ engine, shop }) => {
    const { tab, cookies } = await engine.newVisitor();
    await tab.goto(shop.url('app.shop.test', '/welcome'));
    expect(await tab.evaluate(conversion({ email: 'listener@example.com', code: 'JANE20' }))).toBe(true);
    expect([await grIdOf(tab), await cookies()]).toEqual([null, []]);
  },
};
