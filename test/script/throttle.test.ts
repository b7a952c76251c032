import { describe, expect, test } from '@jest/globals';
import { FakeBrowser, settled, UNKNOWN } from '../support/browser/fake-browser.ts';

const SHOP = 'https://shop.test/';
const namesAt = (browser: FakeBrowser) => browser.cookies.at('shop.test').map(({ name }) => name);

/** Opens a page by jane's link, and follows other links there within the second after its click. */
async function followed(...slugs: string[]) {
  const browser = new FakeBrowser();
  const page = await browser.visit(`${SHOP}?via=jane`);
  const jane = browser.grId();
  for (const slug of slugs) page.history.pushState(null, '', `?via=${slug}&gr_sub=for-${slug}`);
  return { browser, page, jane };
}

describe('the second after a click', () => {
  test('a page sends no other click within a second, but the gr_id is used immediately', async () => {
    const { browser, page } = await followed('john');
    await page.pass(999);
    expect([browser.slug(), page.id(), browser.clickedSlugs()]).toEqual(['john', [browser.grId()], ['jane']]);
    await page.pass(1);
    expect([browser.clickedSlugs(), namesAt(browser)]).toEqual([['jane', 'john'], ['gr_id']]);
    expect(browser.clicks()[1]).toEqual({ pk: 'pk_1', gr_id: browser.grId(), sub_id: 'for-john' });
  });

  test('the last of several slugs within a second counts', async () => {
    const { browser, page } = await followed('john', 'mary', 'ada');
    for (let second = 1; second <= 3; second += 1) await page.pass(1000);
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['ada', ['jane', 'ada']]);
  });

  test('the first slug again is another click after the second', async () => {
    const { browser, page, jane } = await followed('john', 'jane');
    await page.pass(1000);
    expect([browser.clickedSlugs(), browser.grId() === jane]).toEqual([['jane', 'jane'], false]);
  });

  test("gr('follow') waits like a link", async () => {
    const { browser, page } = await followed();
    page.gr('follow', 'john');
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['john', ['jane']]);
    await page.pass(1000);
    expect(browser.clickedSlugs()).toEqual(['jane', 'john']);
  });

  test('a failed click is not retried within the second, neither by navigation nor at its end', async () => {
    const browser = new FakeBrowser();
    browser.respond = () => 503;
    const page = await browser.visit(`${SHOP}?via=jane`);
    page.history.pushState(null, '', '/pricing');
    await page.pass(1000);
    expect(browser.clicks()).toHaveLength(1);
    page.history.pushState(null, '', '/sign-up');
    expect(browser.clicks()).toHaveLength(2);
  });

  test('another page may send a click within the second', async () => {
    const { browser } = await followed();
    await browser.visit(`${SHOP}?via=john`);
    expect(browser.clickedSlugs()).toEqual(['jane', 'john']);
  });
});

test('a page whose history navigates in a loop sends one click a second', async () => {
  const { browser, page } = await followed();
  for (let tenth = 0; tenth < 50; tenth += 1) {
    page.history.pushState(null, '', tenth % 2 ? '?via=jane' : '?via=john');
    await page.pass(100);
  }
  expect([browser.clicks().length, page.logged]).toEqual([6, []]);
});

describe('waiting clicks', () => {
  test('a waiting click is sent by the next page if the visitor leaves, and retried once if it fails', async () => {
    const { browser } = await followed('john');
    browser.respond = () => 503;
    for (const path of ['pricing', 'sign-up', 'welcome']) await browser.visit(`${SHOP}${path}`);
    const john = { pk: 'pk_1', gr_id: browser.grId(), sub_id: 'for-john' };
    expect(browser.clicks().slice(1)).toEqual([john, john]);
    expect(namesAt(browser)).toEqual(['gr_id']);
  });

  test('a waiting click is not sent again by a page in the back/forward cache', async () => {
    const { browser, page } = await followed('john');
    await browser.visit(`${SHOP}pricing`);
    await page.pass(1000);
    expect([browser.clickedSlugs(), namesAt(browser)]).toEqual([['jane', 'john'], ['gr_id']]);
  });

  test('a waiting click is not sent after consent was withdrawn', async () => {
    const { browser, page } = await followed('john');
    page.gr('consent', false);
    await page.pass(1000);
    expect([browser.clickedSlugs(), namesAt(browser)]).toEqual([['jane'], []]);
  });

  test('a waiting click logs the error if cookies can no longer be written when the second is over', async () => {
    const { browser, page } = await followed('john');
    browser.cookies.write = () => {
      throw new Error('oops');
    };
    await page.pass(1000);
    expect(page.logged).toEqual([[new Error('oops')]]);
  });
});

describe('unknown slugs within a second', () => {
  /** Refuses these slugs from now on. */
  const refuse = (browser: FakeBrowser, ...slugs: string[]) => {
    browser.respond = ({ body: { gr_id = '' } }) => (slugs.includes(gr_id.split('.')[0] ?? '') ? UNKNOWN : 204);
  };

  test('the previous slug is sent after another second if the last slug is refused', async () => {
    const { browser, page } = await followed('john', 'nobody');
    refuse(browser, 'nobody');
    await page.pass(1000);
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['john', ['jane', 'nobody']]);
    await page.pass(1000);
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['john', ['jane', 'nobody', 'john']]);
    expect(namesAt(browser)).toEqual(['gr_id']);
  });

  test('the gr_id before two refused slugs is restored', async () => {
    const { browser, page, jane } = await followed('noone', 'nobody');
    refuse(browser, 'noone', 'nobody');
    for (let second = 1; second <= 3; second += 1) await page.pass(1000);
    expect([browser.grId(), namesAt(browser)]).toEqual([jane, ['gr_id']]);
    expect(browser.clickedSlugs()).toEqual(['jane', 'nobody', 'noone']);
  });

  test('the last slug stays if the first one is refused late', async () => {
    const browser = new FakeBrowser();
    const respond = browser.hold();
    const page = await browser.visit(`${SHOP}?via=nobody`);
    page.history.pushState(null, '', '?via=john');
    await respond(0, UNKNOWN);
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['john', ['nobody']]);
    await page.pass(1000);
    await respond(1, 204);
    expect([browser.slug(), namesAt(browser)]).toEqual(['john', ['gr_id']]);
  });

  test('the next slug is sent after the second if the first one stays', async () => {
    const browser = new FakeBrowser();
    refuse(browser, 'nobody');
    const page = await browser.visit(`${SHOP}?via=nobody`, { attributes: { attribution: 'first' } });
    page.history.pushState(null, '', '?via=jane');
    await settled();
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['jane', ['nobody']]);
    await page.pass(1000);
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['jane', ['nobody', 'jane']]);
  });
});

test('slugs that waited for consent together send one click, for the last one', async () => {
  const browser = new FakeBrowser();
  const page = await browser.visit(`${SHOP}?via=jane`, { attributes: { consent: 'required' } });
  page.gr('follow', 'john');
  page.gr('consent', true);
  await page.pass(1000);
  expect([browser.slug(), browser.clickedSlugs()]).toEqual(['john', ['john']]);
});
