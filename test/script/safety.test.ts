import { describe, expect, test } from '@jest/globals';
import { SCRIPT } from '../../functions/tracking/script.js';
import { FakeBrowser, settled } from '../support/browser/fake-browser.ts';

const LANDING = 'https://shop.test/?via=jane';

describe('errors of the script and the page', () => {
  const oops = () => {
    throw new Error('oops');
  };

  test('callbacks that throw only log the error, and the next call runs', async () => {
    const fired: string[] = [];
    const page = await new FakeBrowser().visit(LANDING, {
      calls: [
        ['id', oops],
        ['ready', oops],
        ['track', 'conversion', {}, oops],
        ['ready', () => fired.push('ready')],
      ],
    });
    expect(fired).toEqual(['ready']);
    expect(page.logged).toEqual([[new Error('oops')], [new Error('oops')], [new Error('oops')]]);
  });

  test.each([
    [],
    ['nonsense'],
    ['track'],
    ['track', 'nonsense'],
    [undefined],
    [null, null],
    [{}],
    ['id'],
    ['id', 'not a function'],
    ['ready'],
    ['track', 'conversion', { toJSON: oops }],
  ])('nothing is thrown into the page by the call %j', async (...call) => {
    const browser = new FakeBrowser();
    const page = await browser.visit('https://shop.test/', { calls: [call] });
    page.gr(...call);
    await settled();
    expect([page.logged, browser.sent]).toEqual([[], []]);
  });

  test.each(['undefined', 'null', '5', '{}'])(
    'a queue that contains %s only logs the error, and everything else runs',
    async (entry) => {
      const browser = new FakeBrowser();
      const page = await browser.visit(LANDING, {
        calls: [],
        script: `gr.q = [${entry}]; gr('ready', () => { fired = true; }); ${SCRIPT}; gr.q.push(${entry});`,
      });
      expect([browser.slug(), page.window['fired'], page.logged.length]).toEqual(['jane', true, 2]);
    },
  );

  test('nothing is thrown into the page if writing a cookie throws', async () => {
    const browser = new FakeBrowser();
    browser.cookies.write = oops;
    const fired: string[] = [];
    const page = await browser.visit(LANDING, { calls: [['ready', () => fired.push('ready')]] });
    page.gr('consent', false);
    page.gr('track', 'pageview');
    page.history.pushState(null, '', '/pricing');
    expect([fired, page.id(), browser.sent]).toEqual([['ready'], [null], []]);
    expect(page.logged[0]).toEqual([new Error('oops')]);
  });

  test('nothing is thrown into the page in a sandbox, where every access to cookies throws', async () => {
    const browser = new FakeBrowser();
    browser.cookies.read = oops;
    browser.cookies.write = oops;
    const page = await browser.visit(LANDING, { calls: [['consent', false]] });
    page.gr('consent', false);
    expect([page.id(), browser.sent]).toEqual([[null], []]);
  });

  test('nothing is thrown into the page if reading cookies throws', async () => {
    const browser = new FakeBrowser();
    browser.cookies.read = oops;
    const page = await browser.visit(LANDING, { calls: [['ready']] });
    expect([page.id(), page.logged, browser.sent]).toEqual([[null], [], []]);
  });
});

describe('scripts that are included twice', () => {
  test('a script that is included twice runs once', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(LANDING, { script: `${SCRIPT}${SCRIPT}` });
    browser.respond = () => 500;
    page.history.pushState(null, '', '?via=john');
    await page.pass(1000);
    expect(browser.clicks()).toHaveLength(2);
    expect(browser.cookies.at('shop.test').map(({ name }) => name)).toEqual(['gr_id', 'gr_unsent']);
    expect(page.logged).toEqual([]);
  });

  test('a script that is included twice runs each queued call once', async () => {
    const fired: string[] = [];
    await new FakeBrowser().visit(LANDING, {
      script: `${SCRIPT}${SCRIPT}`,
      calls: [['ready', () => fired.push('ready')]],
    });
    expect(fired).toEqual(['ready']);
  });

  test('a script that is included twice runs once on a prerendered page', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(LANDING, { script: `${SCRIPT}${SCRIPT}`, isPrerendered: true });
    page.activate();
    await settled();
    expect(browser.clicks()).toHaveLength(1);
  });
});
