import { describe, expect, test } from '@jest/globals';
import { FakeBrowser, settled } from '../support/browser/fake-browser.ts';

const BLOCKED = new Error('Failed to fetch');
/** Opens a page whose click fails. */
async function afterFailure(failure: number | Error = BLOCKED, query = '?via=jane&gr_sub=spring') {
  const browser = new FakeBrowser();
  browser.respond = () => failure;
  const page = await browser.visit(`https://www.shop.test/${query}`);
  return { browser, page };
}

describe('failed clicks', () => {
  test.each([
    ['network', BLOCKED],
    ['500', 500],
    ['503', 503],
    ['429', 429],
  ])('a click that failed (%s) is retried once, on the next page, even if the retry also fails', async (_, failure) => {
    const { browser } = await afterFailure(failure);
    const [first] = browser.clicks();
    await browser.visit('https://app.shop.test/pricing');
    expect(browser.clicks()).toEqual([first, first]);
    await browser.visit('https://app.shop.test/sign-up');
    await browser.visit('https://www.shop.test/');
    expect(browser.clicks()).toEqual([first, first]);
  });

  test('a failed click is marked for a day, on all hosts of the shop', async () => {
    const { browser } = await afterFailure();
    const [, mark] = browser.cookies.at('shop.test');
    expect(mark).toMatchObject({ domain: 'shop.test', attributes: { path: '/', 'max-age': '86400' } });
  });

  test('a failed click keeps the sub id, with any characters', async () => {
    const subId = 'a; b=c, "d" 💶 %';
    const { browser } = await afterFailure(BLOCKED, `?via=jane&gr_sub=${encodeURIComponent(subId)}`);
    await browser.visit('https://shop.test/');
    expect(browser.clicks().map(({ sub_id }) => sub_id)).toEqual([subId, subId]);
  });

  test('a failed click is retried after navigation without a page load', async () => {
    const { browser, page } = await afterFailure();
    await page.pass(1000);
    page.history.pushState(null, '', '/pricing');
    await page.pass(1000);
    page.history.pushState(null, '', '/sign-up');
    await settled();
    expect(browser.clicks()).toHaveLength(2);
  });
});

describe('pending clicks', () => {
  test('a pending click is retried once, on the next page, even if the retry also stays pending', async () => {
    const browser = new FakeBrowser();
    browser.hold();
    await browser.visit('https://www.shop.test/?via=jane&gr_sub=spring');
    expect(browser.cookieNames()).toEqual(['gr_id', 'gr_unsent']);
    const [first] = browser.clicks();
    for (const path of ['pricing', 'sign-up']) await browser.visit(`https://app.shop.test/${path}`);
    expect(browser.clicks()).toEqual([first, first]);
    expect(browser.cookieNames()).toEqual(['gr_id']);
  });

  test('a pending click does not remove the mark of a later click', async () => {
    const browser = new FakeBrowser();
    const respond = browser.hold();
    const page = await browser.visit('https://shop.test/?via=jane');
    page.history.pushState(null, '', '?via=john');
    await page.pass(1000);
    await respond(0, 204);
    page.history.pushState(null, '', '/pricing');
    expect([browser.slug(), browser.cookieNames(), browser.clicks().length]).toEqual([
      'john',
      ['gr_id', 'gr_unsent'],
      2,
    ]);
    await respond(1, 204);
    expect(browser.cookieNames()).toEqual(['gr_id']);
  });
});

/** Opens a page by jane's link, and follows other links there within the second after its click. */
async function followed(...slugs: string[]) {
  const browser = new FakeBrowser();
  const page = await browser.visit(`https://shop.test/?via=jane`);
  for (const slug of slugs) page.history.pushState(null, '', `?via=${slug}&gr_sub=for-${slug}`);
  return { browser, page };
}

describe('the second after a click', () => {
  test('a page sends no other click within a second, but the gr_id is used immediately', async () => {
    const { browser, page } = await followed('john');
    await page.pass(999);
    expect([browser.slug(), page.id(), browser.clickedSlugs()]).toEqual(['john', [browser.grId()], ['jane']]);
    await page.pass(1);
    expect([browser.clickedSlugs(), browser.cookieNames()]).toEqual([['jane', 'john'], ['gr_id']]);
    expect(browser.clicks()[1]).toEqual({ pk: 'pk_1', gr_id: browser.grId(), sub_id: 'for-john' });
  });

  test('the last of several slugs within a second counts', async () => {
    const { browser, page } = await followed('john', 'mary', 'ada');
    for (let second = 1; second <= 3; second += 1) await page.pass(1000);
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['ada', ['jane', 'ada']]);
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
    for (const path of ['pricing', 'sign-up', 'welcome']) await browser.visit(`https://shop.test/${path}`);
    const john = { pk: 'pk_1', gr_id: browser.grId(), sub_id: 'for-john' };
    expect(browser.clicks().slice(1)).toEqual([john, john]);
    expect(browser.cookieNames()).toEqual(['gr_id']);
  });

  test('a waiting click is not sent again by a page in the back/forward cache', async () => {
    const { browser, page } = await followed('john');
    await browser.visit(`https://shop.test/pricing`);
    await page.pass(1000);
    expect([browser.clickedSlugs(), browser.cookieNames()]).toEqual([['jane', 'john'], ['gr_id']]);
  });
});

test('the previous slug is sent after another second if the last slug is refused', async () => {
  const { browser, page } = await followed('john', 'nobody');
  browser.knows('jane', 'john');
  await page.pass(1000);
  expect([browser.slug(), browser.clickedSlugs()]).toEqual(['john', ['jane', 'nobody']]);
  await page.pass(1000);
  expect([browser.slug(), browser.clickedSlugs()]).toEqual(['john', ['jane', 'nobody', 'john']]);
  expect(browser.cookieNames()).toEqual(['gr_id']);
});
