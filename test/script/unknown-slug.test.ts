import { describe, expect, test } from '@jest/globals';
import {
  FakeBrowser,
  type FakeResponse,
  referred,
  settled,
  UNKNOWN,
  type Visit,
} from '../support/browser/fake-browser.ts';

const BLOCKED = new Error('Failed to fetch');
const SHOP = 'https://shop.test/';
const FIRST: Visit = { attributes: { attribution: 'first' } };

describe('unknown slugs', () => {
  test('an unknown slug after a known one restores the previous gr_id for a full lifetime', async () => {
    const { browser, jane } = await referred();
    browser.knows('jane');
    const page = await browser.visit(`https://www.shop.test/?ref=producthunt`);
    expect(browser.cookies.at('shop.test')).toMatchObject([
      { name: 'gr_id', value: jane, domain: 'shop.test', attributes: { 'max-age': String(60 * 86_400) } },
    ]);
    expect([page.id(), browser.clickedSlugs(), page.logged]).toEqual([[jane], ['jane', 'producthunt'], []]);
  });

  test.each(['last', 'first'])('an unknown slug before a known one is forgotten: %s', async (attribution) => {
    const browser = new FakeBrowser();
    browser.knows('jane', 'john');
    await browser.visit(`${SHOP}?via=nobody`, { attributes: { attribution } });
    expect(browser.cookieNames()).toEqual([]);
    await browser.visit(`${SHOP}?via=jane`, { attributes: { attribution } });
    expect([browser.slug(), browser.clickedSlugs(), browser.cookieNames()]).toEqual([
      'jane',
      ['nobody', 'jane'],
      ['gr_id'],
    ]);
  });

  test('an unknown slug is used until the response', async () => {
    const { browser, jane } = await referred();
    const respond = browser.hold();
    const page = await browser.visit(`${SHOP}?via=nobody`);
    expect([browser.slug(), browser.cookieNames()]).toEqual(['nobody', ['gr_id', 'gr_unsent']]);
    await respond(1, UNKNOWN);
    expect([page.id(), browser.cookieNames()]).toEqual([[jane], ['gr_id']]);
  });

  test('an unknown slug that a page keeps in its address is refused once on this page', async () => {
    const { browser, jane } = await referred();
    browser.knows('jane');
    const page = await browser.visit(`${SHOP}?via=nobody`);
    for (const tab of ['a', 'b']) {
      page.history.pushState(null, '', `?via=nobody&tab=${tab}`);
      await page.pass(1000);
    }
    expect([browser.grId(), browser.clickedSlugs()]).toEqual([jane, ['jane', 'nobody']]);
  });
});

test.each<[FakeResponse]>([[204], [[400, 'invalid_field']], [[404, 'invalid_affiliate_slug']], [403], [413]])(
  'the response %j keeps the new gr_id and ends the retries',
  async (response) => {
    const { browser } = await referred();
    browser.respond = () => response;
    await browser.visit(`${SHOP}?via=john`);
    expect([browser.slug(), browser.cookieNames()]).toEqual(['john', ['gr_id']]);
  },
);

describe.each<[string, FakeResponse | 'pending']>([
  ['blocked, or its response may not be read', BLOCKED],
  ['failed with 503', 503],
  ['answered with 429', 429],
  ['not answered before the visitor leaves', 'pending'],
])('clicks without an answer: %s', (_, failure) => {
  /** Fails the next click. */
  function fail(browser: FakeBrowser): void {
    if (failure === 'pending') browser.hold();
    else browser.respond = () => failure;
  }

  test('the new gr_id stays, and the refused retry restores the previous gr_id', async () => {
    const { browser, jane } = await referred();
    fail(browser);
    await browser.visit(`${SHOP}?via=nobody&gr_sub=a+%2F+b`);
    expect(browser.slug()).toBe('nobody');
    browser.knows('jane');
    const page = await browser.visit(`https://app.shop.test/pricing`);
    expect([page.id(), browser.cookieNames(), browser.clickedSlugs()]).toEqual([
      [jane],
      ['gr_id'],
      ['jane', 'nobody', 'nobody'],
    ]);
    expect(browser.clicks().map(({ sub_id }) => sub_id)).toEqual([undefined, 'a / b', 'a / b']);
  });

  test('another slug that is refused on the next page restores the gr_id before both', async () => {
    const { browser, jane } = await referred();
    fail(browser);
    await browser.visit(`${SHOP}?via=nobody`);
    browser.knows('jane');
    await browser.visit(`${SHOP}?via=noone`);
    expect([browser.grId(), browser.cookieNames()]).toEqual([jane, ['gr_id']]);
  });

  test('a slug on the next page counts once the first one, which stays, is refused', async () => {
    const browser = new FakeBrowser();
    fail(browser);
    await browser.visit(`${SHOP}?via=nobody`, FIRST);
    browser.knows('jane', 'john');
    const page = await browser.visit(`${SHOP}?via=jane&gr_sub=spring`, FIRST);
    await page.pass(1000);
    expect([page.id(), browser.slug(), browser.cookieNames()]).toEqual([[browser.grId()], 'jane', ['gr_id']]);
    expect(browser.clickedSlugs()).toEqual(['nobody', 'nobody', 'jane']);
    expect(browser.clicks()[2]).toMatchObject({ sub_id: 'spring' });
    await browser.visit(`${SHOP}?via=john`, FIRST);
    expect(browser.slug()).toBe('jane');
  });
});

describe('several clicks without a response', () => {
  /** Follows jane's link, then other links on one page. Returns the `gr_id` of each. */
  async function followed(...slugs: string[]) {
    const { browser, jane } = await referred();
    const respond = browser.hold();
    const page = await browser.visit(SHOP);
    const grIds = [jane];
    for (const slug of slugs) {
      page.history.pushState(null, '', `?via=${slug}`);
      grIds.push(browser.grId());
      await page.pass(1000);
    }
    return { browser, page, respond, grIds };
  }

  test.each([[[1, 2]], [[2, 1]]])('the gr_id before all clicks is restored if all are refused: %j', async (order) => {
    const { browser, respond, grIds } = await followed('nobody', 'noone');
    for (const request of order) await respond(request, UNKNOWN);
    expect([browser.grId(), browser.cookieNames()]).toEqual([grIds[0], ['gr_id']]);
  });

  test('the last click stays if an earlier one is refused', async () => {
    const { browser, respond, grIds } = await followed('nobody', 'john');
    await respond(1, UNKNOWN);
    expect(browser.grId()).toBe(grIds[2]);
    await respond(2, 204);
    expect([browser.grId(), browser.cookieNames()]).toEqual([grIds[2], ['gr_id']]);
  });

  test.each([[[1, 2]], [[2, 1]]])('the accepted click counts if only the last one is refused: %j', async (order) => {
    const { browser, respond, grIds } = await followed('john', 'nobody');
    for (const request of order) await respond(request, request === 1 ? 204 : UNKNOWN);
    expect(browser.grId()).toBe(grIds[1]);
  });

  test('the next slug of a page counts if the first one, which stays, is refused', async () => {
    const browser = new FakeBrowser();
    const respond = browser.hold();
    const page = await browser.visit(`${SHOP}?via=nobody`, FIRST);
    for (const query of ['?via=noone', '?via=jane', '?via=john', '?']) page.history.pushState(null, '', query);
    await respond(0, UNKNOWN);
    await page.pass(1000);
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['noone', ['nobody', 'noone']]);
    await respond(1, UNKNOWN);
    await page.pass(1000);
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['jane', ['nobody', 'noone', 'jane']]);
    await respond(2, 204);
    expect([browser.slug(), browser.clickedSlugs().length]).toEqual(['jane', 3]);
  });
});

describe('refused clicks without effect', () => {
  /** A page whose click for an unknown slug waits for its response, after a visit by jane's link. */
  async function pending() {
    const { browser } = await referred();
    const respond = browser.hold();
    const page = await browser.visit(`${SHOP}?via=nobody`);
    return { browser, page, refuse: () => respond(1, UNKNOWN) };
  }

  test('a refused click restores nothing if another tab has stored another gr_id since', async () => {
    const { browser, refuse } = await pending();
    const respond = browser.hold();
    await browser.visit(`${SHOP}?via=john`);
    const john = browser.grId();
    await refuse();
    expect(browser.grId()).toBe(john);
    await respond(2, 204);
    expect([browser.grId(), browser.cookieNames()]).toEqual([john, ['gr_id']]);
  });

  test('a refused click restores nothing after consent was withdrawn, even if it was given again', async () => {
    const { browser, page, refuse } = await pending();
    page.gr('consent', false);
    await refuse();
    expect([browser.cookieNames(), page.id()]).toEqual([[], [null]]);
    page.history.pushState(null, '', '/');
    page.gr('consent', true);
    await settled();
    expect(browser.cookieNames()).toEqual([]);
  });
});
