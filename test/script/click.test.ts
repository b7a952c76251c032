import { describe, expect, test } from '@jest/globals';
import { MAX_SUB_ID } from '../../functions/kernel/fields/fields.ts';
import { FakeBrowser, settled, type Visit } from '../support/browser/fake-browser.ts';

/** Returns the clicks that a first visit to an address sends. */
async function clicksOf(query: string, attributes: Visit['attributes'] = {}) {
  const browser = new FakeBrowser();
  await browser.visit(`https://shop.test/${query}`, { attributes });
  return browser.clicks();
}

const slugsOf = async (query: string, attributes?: Visit['attributes']) =>
  (await clicksOf(query, attributes)).map(({ gr_id = '' }) => gr_id.split('.')[0]);

test('the click is one request without preflight or credentials, with keepalive', async () => {
  const browser = new FakeBrowser();
  await browser.visit('https://shop.test/?via=jane&gr_sub=spring');
  expect(browser.sent).toEqual([
    {
      url: 'https://api.service.test/referrals/v2/tracking/click',
      body: { pk: 'pk_1', gr_id: browser.grId(), sub_id: 'spring' },
      options: expect.objectContaining({ method: 'POST', headers: {}, keepalive: true, credentials: 'omit' }),
    },
  ]);
});

describe('the slug', () => {
  test.each([
    ['?via=jane', 'jane'],
    ['?red=c&ref=b&via=a', 'a'],
    ['?refby=d&red=c', 'c'],
    ['?via=_Jane_Doe_', '_jane_doe_'],
    ['?via=JANE-Doe-9', 'jane-doe-9'],
    ['?a=b&via=jane&c=d#via=other', 'jane'],
    ['?via=no+slug&ref=jane', 'jane'],
    ['?via=a&via=b', 'a'],
    [`?via=${'x'.repeat(64)}`, 'x'.repeat(64)],
  ])('the slug in %s is %s', async (query, slug) => {
    expect(await slugsOf(query)).toEqual([slug]);
  });

  test.each([
    '',
    '?via=',
    '?via=jane.doe',
    '?via=%20jane',
    '?via=jane%0A',
    // The Kelvin sign, whose lower case is "k".
    '?via=%E2%84%AA',
    `?via=${'x'.repeat(65)}`,
    '?Via=jane',
    '#via=jane',
  ])('the slug is missing in %j', async (query) => {
    expect(await slugsOf(query)).toEqual([]);
  });

  test.each([
    ['partner', '?partner=jane', 'jane'],
    ['partner, Aff', '?Aff=b&partner=a', 'a'],
    [' Aff  partner ', '?Aff=b&partner=a', 'b'],
  ])('the slug with data-parameters="%s" comes from %s', async (parameters, query, slug) => {
    expect(await slugsOf(query, { parameters })).toEqual([slug]);
  });
});

describe('the sub id', () => {
  test.each([
    ['sub_id=b&gr_sub=a', 'a'],
    ['sid=c&sub_id=b', 'b'],
    ['gr_sub=&sub_id=b', 'b'],
    ['gr_sub=a%0Ab&sub_id=&sid=c', 'c'],
    ['gr_sub=Gr%C3%BC%C3%9Fe+%3B+%F0%9F%92%B6', 'Grüße ; 💶'],
    [`gr_sub=${'x'.repeat(MAX_SUB_ID)}`, 'x'.repeat(MAX_SUB_ID)],
    [`gr_sub=${encodeURIComponent('💶'.repeat(MAX_SUB_ID))}`, '💶'.repeat(MAX_SUB_ID)],
  ])('the sub id in %s is sent', async (query, subId) => {
    expect(await clicksOf(`?via=jane&${query}`)).toMatchObject([{ sub_id: subId }]);
  });

  test.each([
    'gr_sub=',
    'gr_sub=a%0Ab',
    'gr_sub=%C2%85',
    'gr_sub=a%E2%80%AEb',
    `gr_sub=${'x'.repeat(MAX_SUB_ID + 1)}`,
    `sub_id=${encodeURIComponent('💶'.repeat(MAX_SUB_ID + 1))}`,
  ])('the sub id in %s is dropped, but the click is sent', async (query) => {
    expect((await clicksOf(`?via=jane&${query}`)).map(Object.keys)).toEqual([['pk', 'gr_id']]);
  });
});

describe('second slugs', () => {
  test.each([
    [undefined, 'john', ['jane', 'john']],
    ['last', 'john', ['jane', 'john']],
    ['first', 'jane', ['jane']],
  ])('a second slug with data-attribution="%s" results in %s', async (attribution, slug, clicked) => {
    const browser = new FakeBrowser();
    for (const query of ['?via=jane', '', '?via=john', '']) {
      await browser.visit(`https://shop.test/${query}`, { attributes: { attribution } });
    }
    expect(browser.slug()).toBe(slug);
    expect(browser.clicks().map(({ gr_id = '' }) => gr_id.split('.')[0])).toEqual(clicked);
  });

  test.each(['last', 'first'])(
    'a second slug equal to the first sends no click and keeps the cookie: %s',
    async (attribution) => {
      const browser = new FakeBrowser();
      await browser.visit('https://shop.test/?via=jane', { attributes: { attribution } });
      const { writes } = browser.cookies;
      const first = browser.grId();
      await browser.visit('https://www.shop.test/?ref=JANE&gr_sub=again', { attributes: { attribution } });
      expect([browser.grId(), browser.clicks().length, browser.cookies.writes]).toEqual([first, 1, writes]);
    },
  );
});

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
