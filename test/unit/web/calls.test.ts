import { describe, expect, test } from '@jest/globals';
import { SCRIPT } from '../../../functions/tracking/script.js';
import { FakeBrowser, settled } from '../../support/fake-browser.ts';

const LANDING = 'https://shop.test/?via=jane';

describe('calls made before the script loaded', () => {
  test('run in their order, after the page was viewed', async () => {
    const browser = new FakeBrowser();
    const answers: unknown[] = [];
    await browser.visit(LANDING, {
      calls: [
        ['ready', () => answers.push('ready')],
        ['id', (id: unknown) => answers.push(id)],
        ['consent', true],
        ['ready', () => answers.push('again')],
      ],
    });
    expect(answers).toEqual(['ready', browser.grId(), 'again']);
  });

  test('by a function that the page held on to run at once', async () => {
    const browser = new FakeBrowser();
    const page = await browser.visit(LANDING, { calls: [['ready']], script: `held = gr; ${SCRIPT}` });
    const ids: unknown[] = [];
    Reflect.apply(page.window['held'] as () => void, undefined, ['id', (id: unknown) => ids.push(id)]);
    expect(ids).toEqual([browser.grId()]);
  });
});

describe("gr('id')", () => {
  test('tells null where nobody was followed', async () => {
    expect((await new FakeBrowser().visit('https://shop.test/')).id()).toEqual([null]);
  });

  test('tells what a page before kept', async () => {
    const browser = new FakeBrowser();
    await browser.visit(LANDING);
    expect((await browser.visit('https://app.shop.test/sign-up')).id()).toEqual([browser.grId()]);
  });
});

test.each([
  ['a referral', LANDING, 204],
  ['none', 'https://shop.test/', 204],
  ['a network that fails', LANDING, new Error('Failed to fetch')],
])("gr('ready') fires with %s", async (_, url, answer) => {
  const browser = new FakeBrowser();
  browser.answer = () => answer;
  const fired: unknown[][] = [];
  await browser.visit(url, { calls: [['ready', (...args: unknown[]) => fired.push(args)]] });
  expect(fired.map(([first]) => first)).toEqual([undefined]);
});

describe('a conversion', () => {
  /** Sends one from a page that the visitor came to by a link. Returns what was sent and answered. */
  async function convert(answer: number | Error, ...rest: unknown[]) {
    const browser = new FakeBrowser();
    const page = await browser.visit(LANDING);
    browser.answer = () => answer;
    page.gr('track', 'conversion', ...rest);
    await settled();
    return { browser, page, sent: browser.sent.slice(1) };
  }

  test('is one JSON request with the public key and the gr_id, that outlives the page and carries no cookies', async () => {
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
  ])('of %j sends %j', async (fields, keys) => {
    const { sent } = await convert(400, fields);
    expect(sent.map(({ body }) => Object.keys(body))).toEqual([keys]);
  });

  test.each([
    [204, true],
    // As of a proxy that answers all it does not know with a page.
    [200, false],
    [400, false],
    [401, false],
    [403, false],
    [500, false],
    [new Error('Failed to fetch'), false],
  ])('answered with %s tells the callback %s', async (answer, told) => {
    const answers: unknown[] = [];
    await convert(answer, { email: 'v@example.test' }, (sent: unknown) => answers.push(sent));
    expect(answers).toEqual([told]);
  });

  test('takes the callback in place of the fields too', async () => {
    const answers: unknown[] = [];
    const { sent } = await convert(400, (ok: unknown) => answers.push(ok));
    expect([answers, sent.length]).toEqual([[false], 1]);
  });

  test('whose fields throw is not sent, and tells the callback false', async () => {
    const answers: unknown[] = [];
    const fields = {
      get email(): string {
        throw new Error('oops');
      },
    };
    const { sent } = await convert(204, fields, (ok: unknown) => answers.push(ok));
    expect([answers, sent]).toEqual([[false], []]);
  });

  test('is not sent where nobody was followed', async () => {
    const browser = new FakeBrowser();
    const answers: unknown[] = [];
    const page = await browser.visit('https://shop.test/');
    page.gr('track', 'conversion', { email: 'v@example.test' }, (sent: unknown) => answers.push(sent));
    await settled();
    expect([answers, browser.sent]).toEqual([[false], []]);
  });
});
