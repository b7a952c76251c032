import { describe, expect, test } from '@jest/globals';
import { FakeBrowser, settled } from '../../support/fake-browser.ts';

const BLOCKED = new Error('Failed to fetch');
const namesAt = (browser: FakeBrowser) => browser.cookies.at('shop.test').map(({ name }) => name);

/** A browser that has just failed to send a click. */
async function afterFailure(failure: number | Error = BLOCKED, query = '?via=jane&gr_sub=spring') {
  const browser = new FakeBrowser();
  browser.answer = () => failure;
  const page = await browser.visit(`https://www.shop.test/${query}`);
  return { browser, page };
}

describe('a click that cannot be sent', () => {
  test.each([
    ['network', BLOCKED],
    ['500', 500],
    ['503', 503],
    ['429', 429],
  ])('(%s) is sent once more on the next page, whatever becomes of it', async (_, failure) => {
    const { browser } = await afterFailure(failure);
    const [first] = browser.clicks();
    await browser.visit('https://app.shop.test/pricing');
    expect(browser.clicks()).toEqual([first, first]);
    await browser.visit('https://app.shop.test/sign-up');
    await browser.visit('https://www.shop.test/');
    expect(browser.clicks()).toEqual([first, first]);
  });

  test('loses nothing of the attribution, and shows nothing in the console', async () => {
    const { browser, page } = await afterFailure();
    expect([browser.slug(), page.id(), page.shown]).toEqual(['jane', [browser.grId()], []]);
  });

  test('leaves a note for as long as it takes, and none after that', async () => {
    const { browser } = await afterFailure();
    expect(namesAt(browser)).toEqual(['gr_id', 'gr_unsent']);
    browser.answer = () => 204;
    await browser.visit('https://shop.test/pricing');
    expect(namesAt(browser)).toEqual(['gr_id']);
  });

  test('leaves the note for a day, on all hosts of the shop', async () => {
    const { browser } = await afterFailure();
    const [, note] = browser.cookies.at('shop.test');
    expect(note).toMatchObject({ domain: 'shop.test', attributes: { path: '/', 'max-age': '86400' } });
  });

  test('keeps a sub id of any characters', async () => {
    const subId = 'a; b=c, "d" 💶 %';
    const { browser } = await afterFailure(BLOCKED, `?via=jane&gr_sub=${encodeURIComponent(subId)}`);
    await browser.visit('https://shop.test/');
    expect(browser.clicks().map(({ sub_id }) => sub_id)).toEqual([subId, subId]);
  });

  test('without a sub id is sent again without one', async () => {
    const { browser } = await afterFailure(BLOCKED, '?via=jane');
    await browser.visit('https://shop.test/');
    expect(browser.clicks().map(Object.keys)).toEqual([
      ['pk', 'gr_id'],
      ['pk', 'gr_id'],
    ]);
  });

  test('is sent again after a navigation that loads no page', async () => {
    const { browser, page } = await afterFailure();
    page.history.pushState(null, '', '/pricing');
    page.history.pushState(null, '', '/sign-up');
    await settled();
    expect(browser.clicks()).toHaveLength(2);
  });

  test('is not sent again when the next page brings another slug', async () => {
    const { browser } = await afterFailure();
    browser.answer = () => 204;
    await browser.visit('https://shop.test/?via=john');
    await browser.visit('https://shop.test/');
    expect(browser.clicks().map(({ gr_id = '' }) => gr_id.split('.')[0])).toEqual(['jane', 'john']);
  });

  test('is forgotten where the answer comes after another slug', async () => {
    const browser = new FakeBrowser();
    browser.answer = () => BLOCKED;
    const page = await browser.visit('https://shop.test/');
    page.history.pushState(null, '', '?via=jane');
    browser.answer = () => 204;
    page.history.pushState(null, '', '?via=john');
    await settled();
    expect([browser.slug(), namesAt(browser)]).toEqual(['john', ['gr_id']]);
  });

  test('is forgotten with the cookie when consent is withdrawn', async () => {
    const { browser, page } = await afterFailure();
    page.gr('consent', false);
    expect(namesAt(browser)).toEqual([]);
  });
});

describe('a click that is not answered so far', () => {
  /** Answers for requests, in their order, that come when they are told to. */
  function answersOf(browser: FakeBrowser) {
    const answers: ((status: number) => void)[] = [];
    browser.answer = () => new Promise((resolve) => answers.push(resolve));
    return async (request: number, status: number) => {
      answers[request]?.(status);
      await settled();
    };
  }

  test('is sent once more on the next page, whatever becomes of it', async () => {
    const browser = new FakeBrowser();
    answersOf(browser);
    await browser.visit('https://www.shop.test/?via=jane&gr_sub=spring');
    expect(namesAt(browser)).toEqual(['gr_id', 'gr_unsent']);
    const [first] = browser.clicks();
    for (const path of ['pricing', 'sign-up']) await browser.visit(`https://app.shop.test/${path}`);
    expect(browser.clicks()).toEqual([first, first]);
    expect(namesAt(browser)).toEqual(['gr_id']);
  });

  test('is not sent again by a navigation that loads no page, unless it fails then', async () => {
    const browser = new FakeBrowser();
    const answer = answersOf(browser);
    const page = await browser.visit('https://shop.test/?via=jane');
    page.history.pushState(null, '', '/pricing');
    expect(browser.clicks()).toHaveLength(1);
    await answer(0, 503);
    page.history.pushState(null, '', '/sign-up');
    page.history.pushState(null, '', '/welcome');
    expect(browser.clicks()).toHaveLength(2);
  });

  test('leaves the note of another one that followed it', async () => {
    const browser = new FakeBrowser();
    const answer = answersOf(browser);
    const page = await browser.visit('https://shop.test/?via=jane');
    page.history.pushState(null, '', '?via=john');
    await answer(0, 204);
    expect([browser.slug(), namesAt(browser)]).toEqual(['john', ['gr_id', 'gr_unsent']]);
    await answer(1, 204);
    expect(namesAt(browser)).toEqual(['gr_id']);
  });

  test('keeps nothing when it is answered after consent was withdrawn', async () => {
    const browser = new FakeBrowser();
    const answer = answersOf(browser);
    const page = await browser.visit('https://shop.test/?via=jane');
    page.gr('consent', false);
    await answer(0, 503);
    expect(namesAt(browser)).toEqual([]);
  });
});

test.each([204, 400, 401, 403, 404, 413])('a click that is answered with %i is never sent again', async (status) => {
  const { browser } = await afterFailure(status);
  expect(namesAt(browser)).toEqual(['gr_id']);
  await browser.visit('https://shop.test/');
  expect(browser.clicks()).toHaveLength(1);
});

test('a note that is junk is taken away and does no harm', async () => {
  const { browser } = await afterFailure(204);
  browser.cookies.write(new URL('https://shop.test/'), 'gr_unsent=%;domain=shop.test');
  const page = await browser.visit('https://shop.test/');
  expect(page.id()).toEqual([browser.grId()]);
  expect([browser.clicks().length, namesAt(browser)]).toEqual([1, ['gr_id']]);
});
