import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { SCRIPT } from '../../functions/tracking/script.js';
import { FakeBrowser } from '../support/browser/fake-browser.ts';
import { openPage } from '../support/browser/fake-page.ts';

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
  expect({ logged: page.logged, sent: browser.sent }).toEqual({ logged: [['gr.js: no data-pk']], sent: [] });
  expect(browser.slug()).toBe('jane');
  await browser.visit('https://shop.test/pricing');
  expect(browser.sent).toEqual([]);
});

test('the script works without a script element, if the page evaluates its text', () => {
  const browser = new FakeBrowser();
  const page = openPage(browser, new URL('https://shop.test/?via=jane'), {});
  page.document.currentScript = null;
  page.run(SCRIPT);
  expect([browser.slug(), page.logged]).toEqual(['jane', [['gr.js: no data-pk']]]);
});
