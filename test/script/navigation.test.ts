import { describe, expect, test } from '@jest/globals';
import { FakeBrowser, settled } from '../support/browser/fake-browser.ts';

describe('navigation without a page load', () => {
  test.each(['pushState', 'replaceState'] as const)('navigation by %s reads the slug again', async (method) => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/');
    page.history[method](null, '', '?via=jane');
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['jane', ['jane']]);
  });

  test('navigation back to an earlier page reads the slug again', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/?via=jane');
    await page.pass(1000);
    page.history.pushState(null, '', '?via=john');
    await page.pass(1000);
    page.back();
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['jane', ['jane', 'john', 'jane']]);
  });

  test('navigation to the same address is ignored', async () => {
    const browser = new FakeBrowser();
    browser.respond = () => 500;
    const page = await browser.visit('https://shop.test/?via=jane');
    page.history.replaceState({ scroll: 100 }, '');
    page.history.pushState(null, '', page.history.url.href);
    await settled();
    expect(browser.sent).toHaveLength(1);
  });

  test('navigation that the page reports with a pageview reads the slug again', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/');
    // A router may have saved the method before the script wrapped it.
    Reflect.apply(Object.getPrototypeOf(page.history).pushState, page.history, [null, '', '?via=jane']);
    page.gr('track', 'pageview');
    expect(browser.slug()).toBe('jane');
  });
});

describe('methods of history', () => {
  test('the methods of history behave as before, with the same arguments and results', async () => {
    const page = await new FakeBrowser().visit('https://shop.test/');
    const state = { of: 'a router' };
    expect(page.history.pushState(state, '', '/pricing')).toBeUndefined();
    expect([page.history.state, page.history.url.pathname, page.history.length]).toEqual([state, '/pricing', 2]);
    page.history.replaceState(state, '');
    expect([page.history.url.pathname, page.history.length]).toEqual(['/pricing', 2]);
  });

  test('the methods of history throw the same errors to their callers', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/?via=jane');
    expect(() => page.history.pushState(null, '', 'https://:99999')).toThrow('Invalid URL');
    expect(() => Reflect.apply(page.history.pushState, {}, [null, '', '/'])).toThrow(TypeError);
    expect([page.logged, browser.sent.length]).toEqual([[], 1]);
  });
});
