import { describe, expect, test } from '@jest/globals';
import { FakeBrowser, settled, type Visit } from '../../support/fake-browser.ts';

const REQUIRED = { attributes: { consent: 'required' } };

/** What a browser keeps and has sent. */
const tracesOf = (browser: FakeBrowser) => ({ writes: browser.cookies.writes, sent: browser.sent });
const NO_TRACES = { writes: 0, sent: [] };

const slugsOf = (browser: FakeBrowser) => browser.clicks().map(({ gr_id = '' }) => gr_id.split('.')[0]);

describe('where consent is required', () => {
  test('nothing is kept, sent or told before it is given', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/?via=jane', REQUIRED);
    const answers: unknown[] = [];
    page.gr('track', 'pageview');
    page.gr('track', 'conversion', { email: 'a@b.test' }, (sent: unknown) => answers.push(sent));
    page.gr('ready', () => answers.push('ready'));
    page.history.pushState(null, '', '/pricing');
    await settled();
    expect({ ...tracesOf(browser), id: page.id(), answers }).toEqual({
      ...NO_TRACES,
      id: [null],
      answers: ['ready', false],
    });
  });

  test('the slug waits in memory, over navigation that loads no page', async () => {
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
  ])('of two slugs that wait the %s one stays', async (attribution, slug) => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/?via=jane', {
      attributes: { ...REQUIRED.attributes, attribution },
    });
    page.history.pushState(null, '', '?via=john');
    page.gr('consent', true);
    expect(browser.slug()).toBe(slug);
  });

  test('consent that is given twice makes one click', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/?via=jane', {
      ...REQUIRED,
      calls: [['consent', true]],
    });
    page.gr('consent', true);
    await settled();
    expect(slugsOf(browser)).toEqual(['jane']);
  });

  test('what was kept by a page before is told and used only with consent', async () => {
    const browser = new FakeBrowser();
    await browser.visit('https://shop.test/?via=jane');
    const page = await browser.visit('https://shop.test/', REQUIRED);
    expect(page.id()).toEqual([null]);
    page.gr('consent', true);
    expect(page.id()).toEqual([browser.grId()]);
    expect(browser.sent).toHaveLength(1);
  });

  test.each([[undefined], ['true'], [1], [null]])('only true gives it: not %j', async (given) => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/?via=jane', REQUIRED);
    page.gr('consent', given);
    await settled();
    expect([browser.grId(), browser.sent]).toEqual([undefined, []]);
  });
});

describe('consent that is withdrawn', () => {
  test('deletes the cookie wherever it was written', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://www.shop.test/?via=jane');
    browser.cookies.write(new URL('https://www.shop.test/'), `gr_id=${browser.grId()}`);
    page.gr('consent', false);
    expect([browser.cookies.at('www.shop.test'), page.id()]).toEqual([[], [null]]);
  });

  test('ends the tracking on this page, until it is given again', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/');
    page.gr('consent', false);
    page.history.pushState(null, '', '?via=jane');
    await settled();
    expect([browser.grId(), browser.sent]).toEqual([undefined, []]);
    page.gr('consent', true);
    await settled();
    expect([browser.slug(), slugsOf(browser)]).toEqual(['jane', ['jane']]);
  });

  test.each([[false], ['denied'], ['false'], [0], [null]])(
    'before the script loaded (%j) means that nothing is ever kept or sent',
    async (given) => {
      const browser = new FakeBrowser();
      const page = await browser.visit('https://shop.test/?via=jane', { calls: [['consent', given]] });
      expect([browser.grId(), browser.sent, page.id()]).toEqual([undefined, [], [null]]);
    },
  );
});

test('consent that was never asked for changes nothing when it is given', async () => {
  const browser = new FakeBrowser();
  browser.answer = () => 500;
  const page = await browser.visit('https://shop.test/?via=jane', { calls: [['consent', true]] });
  page.gr('consent', true);
  await settled();
  expect(browser.sent).toHaveLength(1);
});

describe('nothing is kept, sent or told, and callbacks still fire', () => {
  test.each<[string, Visit]>([
    ['under Global Privacy Control', { globalPrivacyControl: true }],
    ['in a frame of another origin', { frameOf: 'another origin' }],
  ])('%s, with consent or without', async (_, visit) => {
    const browser = new FakeBrowser();
    await browser.visit('https://shop.test/?via=kept');
    const { writes } = browser.cookies;
    const answers: unknown[] = [];
    const page = await browser.visit('https://shop.test/?via=jane', {
      ...visit,
      calls: [
        ['id', (id: unknown) => answers.push(id)],
        ['ready', () => answers.push('ready')],
        ['track', 'conversion', { email: 'a@b.test' }, (sent: unknown) => answers.push(sent)],
        ['consent', true],
      ],
    });
    page.history.pushState(null, '', '?via=john');
    await settled();
    expect([answers, browser.cookies.writes, browser.sent.length, page.shown]).toEqual([
      [null, 'ready', false],
      writes,
      1,
      [],
    ]);
  });
});

test.each<[string, Visit]>([
  ['Global Privacy Control that is off', { globalPrivacyControl: false }],
  ['a frame of its own origin', { frameOf: 'its own origin' }],
])('%s changes nothing', async (_, visit) => {
  const browser = new FakeBrowser();
  await browser.visit('https://shop.test/?via=jane', visit);
  expect([browser.slug(), slugsOf(browser)]).toEqual(['jane', ['jane']]);
});

describe('a page that is prerendered', () => {
  test('does nothing before it is shown, and then everything once', async () => {
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
    expect(slugsOf(browser)).toEqual(['jane']);
  });

  test('leaves no trace where it is never shown', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/?via=jane', {
      isPrerendered: true,
      calls: [['consent', true]],
    });
    page.gr('track', 'pageview');
    await settled();
    expect(tracesOf(browser)).toEqual(NO_TRACES);
  });
});
