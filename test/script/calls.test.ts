import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { SCRIPT } from '../../functions/pages/script.js';
import { FakeBrowser, settled } from '../support/browser/fake-browser.ts';
import { openPage } from '../support/browser/fake-page.ts';

const LANDING = 'https://shop.test/?via=jane';

describe('calls made before the script loaded', () => {
  test('calls before the script loaded run in order, after the first page view', async () => {
    const browser = new FakeBrowser();
    const results: unknown[] = [];
    await browser.visit(LANDING, {
      calls: [
        ['ready', () => results.push('ready')],
        ['id', (id: unknown) => results.push(id)],
        ['consent', true],
        ['ready', () => results.push('again')],
      ],
    });
    expect(results).toEqual(['ready', browser.grId(), 'again']);
  });

  test('calls run immediately once the script loaded, even through an old reference to the snippet', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(LANDING, { calls: [['ready']], script: `held = gr; ${SCRIPT}` });
    const ids: unknown[] = [];
    Reflect.apply(page.window['held'] as () => void, undefined, ['id', (id: unknown) => ids.push(id)]);
    expect(ids).toEqual([browser.grId()]);
  });
});

test.each([
  ['a referral', LANDING, 204],
  ['no referral', 'https://shop.test/', 204],
  ['a failing network', LANDING, new Error('Failed to fetch')],
])("gr('ready') fires with %s", async (_, url, response) => {
  const browser = new FakeBrowser();
  browser.respond = () => response;
  const fired: unknown[][] = [];
  await browser.visit(url, { calls: [['ready', (...args: unknown[]) => fired.push(args)]] });
  expect(fired.map(([first]) => first)).toEqual([undefined]);
});

describe('conversions', () => {
  /** Sends a conversion from the landing page. Returns the requests after the click. */
  async function convert(response: number | Error, ...args: unknown[]) {
    const browser = new FakeBrowser();
    const page = await browser.visit(LANDING);
    browser.respond = () => response;
    page.gr('track', 'conversion', ...args);
    await settled();
    return { browser, page, sent: browser.sent.slice(1) };
  }

  test('a conversion is one JSON request with the public key and the gr_id, with keepalive, no credentials', async () => {
    const { browser, sent } = await convert(204, { email: 'v@example.test', uid: 'c-1', password: 'secret' });
    expect(sent).toEqual([
      {
        url: 'https://api.service.test/referrals/v2/tracking/conversion',
        body: { pk: 'pk_1', gr_id: browser.grId(), email: 'v@example.test', uid: 'c-1' },
        options: expect.objectContaining({
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          keepalive: true,
          credentials: 'omit',
        }),
      },
    ]);
  });

  test.each([
    [{ email: 'v@example.test' }, ['pk', 'gr_id', 'email']],
    [{ uid: 'c-1' }, ['pk', 'gr_id', 'uid']],
    [{ code: 'JANE20', uid: 'c-1' }, ['pk', 'gr_id', 'uid', 'code']],
    [undefined, ['pk', 'gr_id']],
    ['text', ['pk', 'gr_id']],
  ])('a conversion with %j sends the keys %j', async (fields, keys) => {
    const { sent } = await convert(400, fields);
    expect(sent.map(({ body }) => Object.keys(body))).toEqual([keys]);
  });

  test.each([
    [204, true],
    // A proxy may respond to an unknown path with a page.
    [200, false],
    [400, false],
    [500, false],
    [new Error('Failed to fetch'), false],
  ])('a conversion with the response %s passes %s to the callback', async (response, result) => {
    const results: unknown[] = [];
    await convert(response, { email: 'v@example.test' }, (sent: unknown) => results.push(sent));
    expect(results).toEqual([result]);
  });

  test('a conversion accepts the callback in place of the fields', async () => {
    const results: unknown[] = [];
    const { sent } = await convert(400, (ok: unknown) => results.push(ok));
    expect([results, sent.length]).toEqual([[false], 1]);
  });

  test('a conversion whose fields throw is not sent and passes false to the callback', async () => {
    const results: unknown[] = [];
    const fields = {
      get email(): string {
        throw new Error('oops');
      },
    };
    const { sent } = await convert(204, fields, (ok: unknown) => results.push(ok));
    expect([results, sent]).toEqual([[false], []]);
  });

  test('a conversion with a promotion code is sent without a gr_id if the visitor followed no link', async () => {
    const browser = new FakeBrowser();
    const results: unknown[] = [];
    const page = await browser.visit('https://shop.test/');
    const fields = { email: 'v@example.test', code: 'JANE20' };
    page.gr('track', 'conversion', fields, (sent: unknown) => results.push(sent));
    await settled();
    expect(browser.sent.map(({ body }) => body)).toEqual([{ pk: 'pk_1', ...fields }]);
    expect([results, browser.cookieNames()]).toEqual([[true], []]);
  });

  test.each([[undefined], [null], ['']])(
    'a conversion with the promotion code %j is not sent without a referral',
    async (code) => {
      const browser = new FakeBrowser();
      const results: unknown[] = [];
      const page = await browser.visit('https://shop.test/');
      page.gr('track', 'conversion', { email: 'v@example.test', code }, (sent: unknown) => results.push(sent));
      await settled();
      expect([results, browser.sent]).toEqual([[false], []]);
    },
  );
});

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
    ['track', 'nonsense'],
    [null, null],
    [{}],
    ['id'],
    ['id', 'not a function'],
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

  test('nothing is thrown into the page in a sandbox, where every access to cookies throws', async () => {
    const browser = new FakeBrowser();
    browser.cookies.read = oops;
    browser.cookies.write = oops;
    const page = await browser.visit(LANDING, { calls: [['consent', false]] });
    page.gr('consent', false);
    expect([page.id(), browser.sent]).toEqual([[null], []]);
  });
});

test('a script that is included twice runs once', async () => {
  const browser = new FakeBrowser();
  const page = await browser.visit(LANDING, { script: `${SCRIPT}${SCRIPT}` });
  browser.respond = () => 500;
  page.history.pushState(null, '', '?via=john');
  await page.pass(1000);
  expect(browser.clicks()).toHaveLength(2);
  expect(browser.cookieNames()).toEqual(['gr_id', 'gr_unsent']);
  expect(page.logged).toEqual([]);
});

describe('the text of the script', () => {
  test('the script has at most 2,300 bytes when compressed', () => {
    expect(gzipSync(SCRIPT, { level: 9 }).length).toBeLessThanOrEqual(2300);
  });

  test.each([
    [
      'evaluates strings as code',
      /\beval\b|\bFunction\b|\bsetInterval\b|\bsetTimeout\((?!\(\)=>)|innerHTML|document\.write/,
    ],
    ['uses a storage other than cookies', /Storage|indexedDB|caches|cookieStore|window\.name/],
    [
      'reads a fingerprint of the browser',
      /userAgent|screen|language|plugins|mimeTypes|canvas|imezone|platform|referrer/i,
    ],
    ['is a module', /\bimport\b|\bexport\b/],
    // ES2019 and later: catch without a binding, ?. and ??, numeric separators, BigInt, private names, and methods.
    [
      'uses syntax newer than ES2018',
      /catch\{|\?\.\D|\?\?|\d_\d|\dn\b|#\w|\.(?:at|flat|flatMap|matchAll|replaceAll|fromEntries)\(/,
    ],
  ])('the script never %s', (_, pattern) => {
    expect(SCRIPT).not.toMatch(pattern);
  });
});

test('the script adds one global, gr', () => {
  const page = openPage(new FakeBrowser(), new URL('https://shop.test/?via=jane'), {});
  const before = Reflect.ownKeys(page.window);
  page.run(SCRIPT);
  expect(Reflect.ownKeys(page.window).filter((key) => !before.includes(key))).toEqual(['gr']);
});

test('without a public key the script warns once and sends nothing, now or later', async () => {
  const browser = new FakeBrowser();
  const page = await browser.visit('https://shop.test/?via=jane', { attributes: { pk: undefined } });
  page.gr('track', 'conversion', { email: 'a@b.test' });
  page.gr('track', 'conversion', { email: 'a@b.test', code: 'JANE20' });
  expect({ logged: page.logged, sent: browser.sent }).toEqual({ logged: [['gr.js: no data-pk']], sent: [] });
  expect(browser.cookieNames()).toEqual(['gr_id']);
  expect(browser.slug()).toBe('jane');
  await browser.visit('https://shop.test/pricing');
  expect(browser.sent).toEqual([]);
});
