import { describe, expect, test } from '@jest/globals';
import { MAX_SUB_ID } from '../../functions/domain/fields.ts';
import { FakeBrowser, type Visit } from '../support/browser/fake-browser.ts';

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

test('the cookie is set before the click has its response', async () => {
  const browser = new FakeBrowser();
  let seen: string | undefined;
  browser.respond = () => {
    seen = browser.grId();
    return 204;
  };
  await browser.visit('https://shop.test/?via=jane');
  expect(seen).toBe(browser.clicks()[0]?.['gr_id']);
});

describe('the slug', () => {
  test.each([
    ['?via=jane', 'jane'],
    ['?ref=jane', 'jane'],
    ['?red=jane', 'jane'],
    ['?red=c&ref=b&via=a', 'a'],
    ['?refby=d&red=c', 'c'],
    ['?red=c&ref=b', 'b'],
    ['?refby=jane', 'jane'],
    ['?via=_Jane_Doe_', '_jane_doe_'],
    ['?via=JANE-Doe-9', 'jane-doe-9'],
    ['?a=b&via=jane&c=d#via=other', 'jane'],
    ['?via=j%61ne', 'jane'],
    ['?via=&ref=jane', 'jane'],
    ['?via=no+slug&ref=jane', 'jane'],
    ['?via=a&via=b', 'a'],
    [`?via=${'x'.repeat(64)}`, 'x'.repeat(64)],
  ])('the slug in %s is %s', async (query, slug) => {
    expect(await slugsOf(query)).toEqual([slug]);
  });

  test.each([
    '',
    '?via',
    '?via=',
    '?via=jane.doe',
    '?via=jane%20doe',
    '?via=%20jane',
    '?via=jane%0A',
    '?via=z%C3%B6',
    // The Kelvin sign, whose lower case is "k".
    '?via=%E2%84%AA',
    `?via=${'x'.repeat(65)}`,
    '?Via=jane',
    '?other=jane',
    '#via=jane',
  ])('the slug is missing in %j', async (query) => {
    expect(await slugsOf(query)).toEqual([]);
  });

  test.each([
    ['partner', '?partner=jane', 'jane'],
    ['partner, Aff', '?Aff=b&partner=a', 'a'],
    [' Aff  partner ', '?Aff=b&partner=a', 'b'],
    ['', '?via=jane', 'jane'],
  ])('the slug with data-parameters="%s" comes from %s', async (parameters, query, slug) => {
    expect(await slugsOf(query, { parameters })).toEqual([slug]);
  });

  test('the slug is only read from the parameters in data-parameters', async () => {
    expect(await slugsOf('?via=jane', { parameters: 'partner' })).toEqual([]);
  });
});

describe('the sub id', () => {
  test.each([
    ['gr_sub=a', 'a'],
    ['sub_id=b', 'b'],
    ['sub_id=b&gr_sub=a', 'a'],
    ['sid=c&sub_id=b', 'b'],
    ['sid=c', 'c'],
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
    'gr_sub=a%00b',
    'gr_sub=a%0Ab',
    'gr_sub=%C2%85',
    'gr_sub=%E2%80%A8',
    'gr_sub=%E2%80%8B',
    'gr_sub=a%E2%80%AEb',
    'gr_sub=%E2%81%A9',
    `gr_sub=${'x'.repeat(MAX_SUB_ID + 1)}`,
    `sub_id=${encodeURIComponent('💶'.repeat(MAX_SUB_ID + 1))}`,
  ])('the sub id in %s is dropped, but the click is sent', async (query) => {
    expect((await clicksOf(`?via=jane&${query}`)).map(Object.keys)).toEqual([['pk', 'gr_id']]);
  });

  test('a sub id without a slug sends no click', async () => {
    expect(await clicksOf('?gr_sub=a')).toEqual([]);
  });
});

describe('second slugs', () => {
  test.each([
    [undefined, 'john', ['jane', 'john']],
    ['last', 'john', ['jane', 'john']],
    ['first', 'jane', ['jane']],
    ['nonsense', 'john', ['jane', 'john']],
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

  test('the first slug after a different one sends another click', async () => {
    const browser = new FakeBrowser();
    for (const slug of ['jane', 'john', 'jane']) await browser.visit(`https://shop.test/?via=${slug}`);
    expect(new Set(browser.clicks().map(({ gr_id }) => gr_id)).size).toBe(3);
  });
});
