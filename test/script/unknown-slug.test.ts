import { describe, expect, test } from '@jest/globals';
import { FakeBrowser, type FakeResponse, settled, UNKNOWN, type Visit } from '../support/browser/fake-browser.ts';

const BLOCKED = new Error('Failed to fetch');
const SHOP = 'https://shop.test/';
const FIRST: Visit = { attributes: { attribution: 'first' } };

const namesAt = (browser: FakeBrowser) => browser.cookies.at('shop.test').map(({ name }) => name);

/** Responds as the service does: only these slugs exist. */
function knows(browser: FakeBrowser, ...slugs: string[]): void {
  browser.respond = ({ body: { gr_id = '' } }) => (slugs.includes(gr_id.split('.')[0] ?? '') ? 204 : UNKNOWN);
}

/** A browser whose visitor came by jane's link. Also returns its `gr_id`. */
async function referred() {
  const browser = new FakeBrowser();
  await browser.visit(`${SHOP}?via=jane`);
  return { browser, jane: browser.grId() };
}

describe('unknown slugs', () => {
  test('an unknown slug after a known one restores the previous gr_id for a full lifetime', async () => {
    const { browser, jane } = await referred();
    knows(browser, 'jane');
    const page = await browser.visit(`https://www.shop.test/?ref=producthunt`);
    expect(browser.cookies.at('shop.test')).toMatchObject([
      { name: 'gr_id', value: jane, domain: 'shop.test', attributes: { 'max-age': String(60 * 86_400) } },
    ]);
    expect([page.id(), browser.clickedSlugs(), page.logged]).toEqual([[jane], ['jane', 'producthunt'], []]);
  });

  test.each(['last', 'first'])('an unknown slug before a known one is forgotten: %s', async (attribution) => {
    const browser = new FakeBrowser();
    knows(browser, 'jane', 'john');
    await browser.visit(`${SHOP}?via=nobody`, { attributes: { attribution } });
    expect(namesAt(browser)).toEqual([]);
    await browser.visit(`${SHOP}?via=jane`, { attributes: { attribution } });
    expect([browser.slug(), browser.clickedSlugs(), namesAt(browser)]).toEqual(['jane', ['nobody', 'jane'], ['gr_id']]);
  });

  test('an unknown slug is used until the response', async () => {
    const { browser, jane } = await referred();
    const respond = browser.hold();
    const page = await browser.visit(`${SHOP}?via=nobody`);
    expect([browser.slug(), namesAt(browser)]).toEqual(['nobody', ['gr_id', 'gr_unsent']]);
    await respond(1, UNKNOWN);
    expect([page.id(), namesAt(browser)]).toEqual([[jane], ['gr_id']]);
  });

  test('an unknown slug that a page keeps in its address is refused once on this page', async () => {
    const { browser, jane } = await referred();
    knows(browser, 'jane');
    const page = await browser.visit(`${SHOP}?via=nobody`);
    for (const tab of ['a', 'b']) {
      page.history.pushState(null, '', `?via=nobody&tab=${tab}`);
      await page.pass(1000);
    }
    expect([browser.grId(), browser.clickedSlugs()]).toEqual([jane, ['jane', 'nobody']]);
  });

  test('an unknown slug is not sent at all if the first slug is known and stays', async () => {
    const { browser, jane } = await referred();
    await browser.visit(`${SHOP}?via=nobody`, FIRST);
    expect([browser.grId(), browser.clickedSlugs()]).toEqual([jane, ['jane']]);
  });

  test('a second visit by the same link after an unknown slug counts', async () => {
    const { browser, jane } = await referred();
    const respond = browser.hold();
    const page = await browser.visit(`${SHOP}?via=nobody`);
    page.history.pushState(null, '', '?via=jane');
    const again = browser.grId();
    await page.pass(1000);
    await respond(2, 204);
    await respond(1, UNKNOWN);
    expect([browser.slug(), again === jane, browser.grId() === again]).toEqual(['jane', false, true]);
  });
});

test.each<[FakeResponse]>([
  [204],
  [200],
  [[400, 'invalid_field']],
  [[404, 'invalid_affiliate_slug']],
  [400],
  [401],
  [403],
  [413],
])('the response %j keeps the new gr_id and ends the retries', async (response) => {
  const { browser } = await referred();
  browser.respond = () => response;
  await browser.visit(`${SHOP}?via=john`);
  expect([browser.slug(), namesAt(browser)]).toEqual(['john', ['gr_id']]);
});

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
    knows(browser, 'jane');
    const page = await browser.visit(`https://app.shop.test/pricing`);
    expect([page.id(), namesAt(browser), browser.clickedSlugs()]).toEqual([
      [jane],
      ['gr_id'],
      ['jane', 'nobody', 'nobody'],
    ]);
    expect(browser.clicks().map(({ sub_id }) => sub_id)).toEqual([undefined, 'a / b', 'a / b']);
  });

  test('the refused retry deletes the cookie if there was no gr_id before', async () => {
    const browser = new FakeBrowser();
    fail(browser);
    await browser.visit(`${SHOP}?via=nobody`);
    knows(browser);
    await browser.visit(SHOP);
    expect(namesAt(browser)).toEqual([]);
  });

  test('a failed retry keeps the new gr_id, which is restored after the next unknown slug', async () => {
    const { browser } = await referred();
    fail(browser);
    await browser.visit(`${SHOP}?via=john`);
    const john = browser.grId();
    for (const path of ['pricing', 'sign-up']) await browser.visit(`${SHOP}${path}`);
    expect([browser.grId(), namesAt(browser), browser.clickedSlugs()]).toEqual([
      john,
      ['gr_id'],
      ['jane', 'john', 'john'],
    ]);
    knows(browser);
    await browser.visit(`${SHOP}?via=nobody`);
    expect(browser.grId()).toBe(john);
  });

  test('another slug that is refused on the next page restores the gr_id before both', async () => {
    const { browser, jane } = await referred();
    fail(browser);
    await browser.visit(`${SHOP}?via=nobody`);
    knows(browser, 'jane');
    await browser.visit(`${SHOP}?via=noone`);
    expect([browser.grId(), namesAt(browser)]).toEqual([jane, ['gr_id']]);
  });

  test('another slug that is refused after a failed retry restores the gr_id before both', async () => {
    const { browser, jane } = await referred();
    fail(browser);
    await browser.visit(`${SHOP}?via=nobody`);
    await browser.visit(SHOP);
    knows(browser, 'jane');
    await browser.visit(`${SHOP}?via=noone`);
    expect([browser.grId(), namesAt(browser)]).toEqual([jane, ['gr_id']]);
  });

  test('a slug on the next page counts once the first one, which stays, is refused', async () => {
    const browser = new FakeBrowser();
    fail(browser);
    await browser.visit(`${SHOP}?via=nobody`, FIRST);
    knows(browser, 'jane', 'john');
    const page = await browser.visit(`${SHOP}?via=jane&gr_sub=spring`, FIRST);
    await page.pass(1000);
    expect([page.id(), browser.slug(), namesAt(browser)]).toEqual([[browser.grId()], 'jane', ['gr_id']]);
    expect(browser.clickedSlugs()).toEqual(['nobody', 'nobody', 'jane']);
    expect(browser.clicks()[2]).toMatchObject({ sub_id: 'spring' });
    await browser.visit(`${SHOP}?via=john`, FIRST);
    expect(browser.slug()).toBe('jane');
  });

  test('a slug on the next page does not count if the first one, which stays, is known', async () => {
    const browser = new FakeBrowser();
    fail(browser);
    await browser.visit(`${SHOP}?via=jane`, FIRST);
    knows(browser, 'jane', 'john');
    const page = await browser.visit(`${SHOP}?via=john`, FIRST);
    page.history.pushState(null, '', '/pricing');
    await settled();
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['jane', ['jane', 'jane']]);
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
    expect([browser.grId(), namesAt(browser)]).toEqual([grIds[0], ['gr_id']]);
  });

  test('the gr_id before all clicks is restored immediately if the last one is refused', async () => {
    const { browser, respond, grIds } = await followed('nobody', 'noone');
    await respond(2, UNKNOWN);
    expect(browser.grId()).toBe(grIds[0]);
  });

  test('the last click stays if an earlier one is refused', async () => {
    const { browser, respond, grIds } = await followed('nobody', 'john');
    await respond(1, UNKNOWN);
    expect(browser.grId()).toBe(grIds[2]);
    await respond(2, 204);
    expect([browser.grId(), namesAt(browser)]).toEqual([grIds[2], ['gr_id']]);
  });

  test.each([[[1, 2]], [[2, 1]]])('the accepted click counts if only the last one is refused: %j', async (order) => {
    const { browser, respond, grIds } = await followed('john', 'nobody');
    for (const request of order) await respond(request, request === 1 ? 204 : UNKNOWN);
    expect(browser.grId()).toBe(grIds[1]);
  });

  test('a late response does not replace a gr_id that came later', async () => {
    const { browser, page, respond } = await followed('john', 'jane');
    await respond(2, 204);
    const jane = browser.grId();
    page.history.pushState(null, '', '?via=nobody');
    await respond(1, 204);
    await page.pass(1000);
    await respond(3, UNKNOWN);
    expect(browser.grId()).toBe(jane);
  });

  test('a retry belongs to the clicks without a response', async () => {
    const { browser, jane } = await referred();
    browser.respond = () => BLOCKED;
    await browser.visit(`${SHOP}?via=nobody`);
    const respond = browser.hold();
    const page = await browser.visit(SHOP);
    page.history.pushState(null, '', '?via=noone');
    await page.pass(1000);
    await respond(2, UNKNOWN);
    await respond(3, UNKNOWN);
    expect(browser.grId()).toBe(jane);
  });

  test('a late response does not replace the gr_id of another tab', async () => {
    const { browser, respond } = await followed('john', 'nobody');
    await respond(2, UNKNOWN);
    browser.respond = () => 204;
    await browser.visit(`${SHOP}?via=mary`);
    await respond(1, 204);
    expect([browser.slug(), namesAt(browser)]).toEqual(['mary', ['gr_id']]);
  });

  test('an accepted click counts without a previous gr_id, although a later one is refused first', async () => {
    const browser = new FakeBrowser();
    const respond = browser.hold();
    const page = await browser.visit(`${SHOP}?via=jane`);
    page.history.pushState(null, '', '?via=nobody');
    await page.pass(1000);
    await respond(1, UNKNOWN);
    expect(namesAt(browser)).toEqual([]);
    await respond(0, 204);
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['jane', ['jane', 'nobody']]);
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

describe('accepted clicks without effect', () => {
  test('an accepted click stores nothing after consent was withdrawn, even if a later one was refused', async () => {
    const browser = new FakeBrowser();
    const respond = browser.hold();
    const page = await browser.visit(`${SHOP}?via=jane`);
    page.history.pushState(null, '', '?via=nobody');
    await page.pass(1000);
    await respond(1, UNKNOWN);
    page.gr('consent', false);
    await respond(0, 204);
    expect(namesAt(browser)).toEqual([]);
  });

  test('an accepted click stores nothing after consent was withdrawn in another tab', async () => {
    const browser = new FakeBrowser();
    const respond = browser.hold();
    await browser.visit(`${SHOP}?via=jane`);
    const tab = await browser.visit(`${SHOP}pricing`);
    tab.gr('consent', false);
    for (const request of [0, 1]) await respond(request, 204);
    expect(namesAt(browser)).toEqual([]);
  });
});

describe('refused clicks without effect', () => {
  /** A page whose click for an unknown slug waits for its response, after a visit by jane's link. */
  async function pending(visit: Visit = {}) {
    const { browser, jane } = await referred();
    const respond = browser.hold();
    const page = await browser.visit(`${SHOP}?via=nobody`, visit);
    return { browser, page, jane, refuse: () => respond(1, UNKNOWN), respond };
  }

  test('a refused click restores nothing if another tab has stored another gr_id since', async () => {
    const { browser, refuse } = await pending();
    const respond = browser.hold();
    await browser.visit(`${SHOP}?via=john`);
    const john = browser.grId();
    await refuse();
    expect(browser.grId()).toBe(john);
    await respond(2, 204);
    expect([browser.grId(), namesAt(browser)]).toEqual([john, ['gr_id']]);
  });

  test('a refused click restores nothing if another tab has restored it already', async () => {
    const { browser, jane, refuse } = await pending();
    knows(browser, 'jane');
    await browser.visit(SHOP);
    expect(browser.grId()).toBe(jane);
    const { writes } = browser.cookies;
    await refuse();
    expect([browser.grId(), browser.cookies.writes]).toEqual([jane, writes]);
  });

  test('a refused click restores nothing after consent was withdrawn, even if it was given again', async () => {
    const { browser, page, refuse } = await pending();
    page.gr('consent', false);
    await refuse();
    expect([namesAt(browser), page.id()]).toEqual([[], [null]]);
    page.history.pushState(null, '', '/');
    page.gr('consent', true);
    await settled();
    expect(namesAt(browser)).toEqual([]);
  });

  test('a refused click restores nothing after consent was withdrawn in another tab', async () => {
    const { browser, refuse } = await pending();
    const tab = await browser.visit(`${SHOP}pricing`);
    tab.gr('consent', false);
    await refuse();
    expect(namesAt(browser)).toEqual([]);
  });
});

test('a refused click restores the gr_id even if its mark was deleted, as by some consent managers', async () => {
  const { browser, jane } = await referred();
  const respond = browser.hold();
  await browser.visit(`${SHOP}?via=nobody`);
  browser.cookies.write(new URL(SHOP), 'gr_unsent=;domain=shop.test;max-age=0');
  await respond(1, UNKNOWN);
  expect(browser.grId()).toBe(jane);
});
