import { describe, expect, test } from '@jest/globals';
import { SCRIPT } from '../../functions/tracking/script.js';
import { FakeBrowser, settled } from '../support/browser/fake-browser.ts';

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

describe("gr('id')", () => {
  test("gr('id') returns null without a referral", async () => {
    expect((await new FakeBrowser().visit('https://shop.test/')).id()).toEqual([null]);
  });

  test("gr('id') returns the gr_id from an earlier page", async () => {
    const browser = new FakeBrowser();
    await browser.visit(LANDING);
    expect((await browser.visit('https://app.shop.test/sign-up')).id()).toEqual([browser.grId()]);
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
    [undefined, ['pk', 'gr_id']],
    [null, ['pk', 'gr_id']],
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
    [401, false],
    [403, false],
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

  test('a conversion is not sent without a referral', async () => {
    const browser = new FakeBrowser();
    const results: unknown[] = [];
    const page = await browser.visit('https://shop.test/');
    page.gr('track', 'conversion', { email: 'v@example.test' }, (sent: unknown) => results.push(sent));
    await settled();
    expect([results, browser.sent]).toEqual([[false], []]);
  });
});
