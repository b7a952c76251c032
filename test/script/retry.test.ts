import { describe, expect, test } from '@jest/globals';
import { FakeBrowser, settled } from '../support/browser/fake-browser.ts';

const BLOCKED = new Error('Failed to fetch');
const namesAt = (browser: FakeBrowser) => browser.cookies.at('shop.test').map(({ name }) => name);

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

  test('a failed click keeps the attribution and logs nothing to the console', async () => {
    const { browser, page } = await afterFailure();
    expect([browser.slug(), page.id(), page.logged]).toEqual(['jane', [browser.grId()], []]);
  });

  test('a failed click stays marked as unsent until the retry', async () => {
    const { browser } = await afterFailure();
    expect(namesAt(browser)).toEqual(['gr_id', 'gr_unsent']);
    browser.respond = () => 204;
    await browser.visit('https://shop.test/pricing');
    expect(namesAt(browser)).toEqual(['gr_id']);
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

  test('a failed click without a sub id is retried without a sub id', async () => {
    const { browser } = await afterFailure(BLOCKED, '?via=jane');
    await browser.visit('https://shop.test/');
    expect(browser.clicks().map(Object.keys)).toEqual([
      ['pk', 'gr_id'],
      ['pk', 'gr_id'],
    ]);
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

  test('a failed click is not retried if the next page has another slug', async () => {
    const { browser } = await afterFailure();
    browser.respond = () => 204;
    await browser.visit('https://shop.test/?via=john');
    await browser.visit('https://shop.test/');
    expect(browser.clicks().map(({ gr_id = '' }) => gr_id.split('.')[0])).toEqual(['jane', 'john']);
  });

  test('a failed click is forgotten if another slug follows before its response', async () => {
    const browser = new FakeBrowser();
    browser.respond = () => BLOCKED;
    const page = await browser.visit('https://shop.test/');
    page.history.pushState(null, '', '?via=jane');
    browser.respond = () => 204;
    page.history.pushState(null, '', '?via=john');
    await page.pass(1000);
    expect([browser.slug(), namesAt(browser)]).toEqual(['john', ['gr_id']]);
  });

  test('a failed click is forgotten when consent is withdrawn', async () => {
    const { browser, page } = await afterFailure();
    page.gr('consent', false);
    expect(namesAt(browser)).toEqual([]);
  });
});

describe('pending clicks', () => {
  test('a pending click is retried once, on the next page, even if the retry also stays pending', async () => {
    const browser = new FakeBrowser();
    browser.hold();
    await browser.visit('https://www.shop.test/?via=jane&gr_sub=spring');
    expect(namesAt(browser)).toEqual(['gr_id', 'gr_unsent']);
    const [first] = browser.clicks();
    for (const path of ['pricing', 'sign-up']) await browser.visit(`https://app.shop.test/${path}`);
    expect(browser.clicks()).toEqual([first, first]);
    expect(namesAt(browser)).toEqual(['gr_id']);
  });

  test('a pending click is retried after navigation without a page load only if it has failed', async () => {
    const browser = new FakeBrowser();
    const respond = browser.hold();
    const page = await browser.visit('https://shop.test/?via=jane');
    await page.pass(1000);
    page.history.pushState(null, '', '/pricing');
    expect(browser.clicks()).toHaveLength(1);
    await respond(0, 503);
    page.history.pushState(null, '', '/sign-up');
    await page.pass(1000);
    page.history.pushState(null, '', '/welcome');
    expect(browser.clicks()).toHaveLength(2);
  });

  test('a pending click does not remove the mark of a later click', async () => {
    const browser = new FakeBrowser();
    const respond = browser.hold();
    const page = await browser.visit('https://shop.test/?via=jane');
    page.history.pushState(null, '', '?via=john');
    await page.pass(1000);
    await respond(0, 204);
    page.history.pushState(null, '', '/pricing');
    expect([browser.slug(), namesAt(browser), browser.clicks().length]).toEqual(['john', ['gr_id', 'gr_unsent'], 2]);
    await respond(1, 204);
    expect(namesAt(browser)).toEqual(['gr_id']);
  });

  test('a pending click stores nothing if its response arrives after consent was withdrawn', async () => {
    const browser = new FakeBrowser();
    const respond = browser.hold();
    const page = await browser.visit('https://shop.test/?via=jane');
    page.gr('consent', false);
    await respond(0, 503);
    expect(namesAt(browser)).toEqual([]);
  });
});

test.each([204, 400, 401, 403, 404, 413])('a click with the response %i is never retried', async (status) => {
  const { browser } = await afterFailure(status);
  expect(namesAt(browser)).toEqual(['gr_id']);
  await browser.visit('https://shop.test/');
  expect(browser.clicks()).toHaveLength(1);
});
