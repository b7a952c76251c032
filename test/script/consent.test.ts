import { describe, expect, test } from '@jest/globals';
import { FakeBrowser, settled, type Visit } from '../support/browser/fake-browser.ts';

const REQUIRED = { attributes: { consent: 'required' } };

/** Returns how often a browser has written cookies, and what it has sent. */
const tracesOf = (browser: FakeBrowser) => ({ writes: browser.cookies.writes, sent: browser.sent });
const NO_TRACES = { writes: 0, sent: [] };

describe('required consent', () => {
  test('nothing is stored, sent or returned before consent', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/?via=jane', REQUIRED);
    const results: unknown[] = [];
    page.gr('track', 'pageview');
    page.gr('track', 'conversion', { email: 'a@b.test', code: 'JANE20' }, (sent: unknown) => results.push(sent));
    page.gr('ready', () => results.push('ready'));
    page.history.pushState(null, '', '/pricing');
    await settled();
    expect({ ...tracesOf(browser), id: page.id(), results }).toEqual({
      ...NO_TRACES,
      id: [null],
      results: ['ready', false],
    });
  });

  test('the slug waits in memory, across navigation without a page load', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/?via=jane&gr_sub=spring', REQUIRED);
    page.history.pushState(null, '', '/pricing');
    page.gr('consent', true);
    await settled();
    expect(browser.clicks()).toEqual([{ pk: 'pk_1', gr_id: browser.grId(), sub_id: 'spring' }]);
    expect(page.id()).toEqual([browser.grId()]);
  });

  test.each([
    ['last', 'john'],
    ['first', 'jane'],
  ])('the %s of two waiting slugs wins', async (attribution, slug) => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/?via=jane', {
      attributes: { ...REQUIRED.attributes, attribution },
    });
    page.history.pushState(null, '', '?via=john');
    page.gr('consent', true);
    expect(browser.slug()).toBe(slug);
  });

  test('the cookie of an earlier page is used only with consent', async () => {
    const browser = new FakeBrowser();
    await browser.visit('https://shop.test/?via=jane');
    const page = await browser.visit('https://shop.test/', REQUIRED);
    expect(page.id()).toEqual([null]);
    page.gr('consent', true);
    expect(page.id()).toEqual([browser.grId()]);
    expect(browser.sent).toHaveLength(1);
  });
});

describe('withdrawn consent', () => {
  test('withdrawn consent deletes the cookie from every domain', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://www.shop.test/?via=jane');
    browser.cookies.write(new URL('https://www.shop.test/'), `gr_id=${browser.grId()}`);
    page.gr('consent', false);
    expect([browser.cookies.at('www.shop.test'), page.id()]).toEqual([[], [null]]);
  });

  test('withdrawn consent stops tracking on this page until it is given again', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/');
    page.gr('consent', false);
    page.history.pushState(null, '', '?via=jane');
    await settled();
    expect([browser.grId(), browser.sent]).toEqual([undefined, []]);
    page.gr('consent', true);
    await settled();
    expect([browser.slug(), browser.clickedSlugs()]).toEqual(['jane', ['jane']]);
  });

  test.each([[undefined], [false], ['true'], ['denied'], [0], [null]])(
    'withdrawn consent before the script loads (%j) prevents every cookie and request',
    async (given) => {
      const browser = new FakeBrowser();
      const page = await browser.visit('https://shop.test/?via=jane', { calls: [['consent', given]] });
      expect([browser.grId(), browser.sent, page.id()]).toEqual([undefined, [], [null]]);
    },
  );
});

test.each<[string, Visit]>([
  ['under Global Privacy Control', { globalPrivacyControl: true }],
  ['in a frame of another origin', { frameOf: 'another origin' }],
])('nothing is stored, sent or returned, but callbacks fire: %s, with or without consent', async (_, visit) => {
  const browser = new FakeBrowser();
  await browser.visit('https://shop.test/?via=kept');
  const { writes } = browser.cookies;
  const results: unknown[] = [];
  const page = await browser.visit('https://shop.test/?via=jane', {
    ...visit,
    calls: [
      ['id', (id: unknown) => results.push(id)],
      ['ready', () => results.push('ready')],
      ['track', 'conversion', { email: 'a@b.test', code: 'JANE20' }, (sent: unknown) => results.push(sent)],
      ['consent', true],
    ],
  });
  page.history.pushState(null, '', '?via=john');
  await settled();
  expect([results, browser.cookies.writes, browser.sent.length, page.logged]).toEqual([
    [null, 'ready', false],
    writes,
    1,
    [],
  ]);
});

test.each<[string, Visit]>([
  ['Global Privacy Control set to false', { globalPrivacyControl: false }],
  ['a frame of the same origin', { frameOf: 'the same origin' }],
])('%s changes nothing', async (_, visit) => {
  const browser = new FakeBrowser();
  await browser.visit('https://shop.test/?via=jane', visit);
  expect([browser.slug(), browser.clickedSlugs()]).toEqual(['jane', ['jane']]);
});

test('a prerendered page does nothing until it is activated, and then everything once', async () => {
  const browser = new FakeBrowser();
  const ids: unknown[] = [];
  const page = await browser.visit('https://shop.test/?via=jane', {
    isPrerendered: true,
    calls: [['id', (id: unknown) => ids.push(id)]],
  });
  expect({ ...tracesOf(browser), ids }).toEqual({ ...NO_TRACES, ids: [] });
  page.activate();
  await settled();
  expect(ids).toEqual([browser.grId()]);
  expect(browser.clickedSlugs()).toEqual(['jane']);
});
