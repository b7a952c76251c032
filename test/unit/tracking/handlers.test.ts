import { describe, expect, test } from '@jest/globals';
import { isAutomatic } from '../../../functions/tracking/handlers.ts';

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

const PEOPLE: [client: string, userAgent: string][] = [
  ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/142.0.0.0 Safari/537.36`],
  ['Safari on iOS', `${IPHONE} Version/18.6 Mobile/15E148 Safari/604.1`],
  ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'],
  ['the browser in Instagram', `${IPHONE} Mobile/15E148 Instagram 400.0.0.0.50 (iPhone15,2; iOS 18_6; en_GB)`],
];

const BOTS: [client: string, userAgent: string][] = [
  [
    'Google on a phone',
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${KHTML} Chrome/142.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  ],
  ['OpenAI', `Mozilla/5.0 ${KHTML}; compatible; GPTBot/1.2; +https://openai.com/gptbot)`],
  ['a preview of WhatsApp', 'WhatsApp/2.23.20.0'],
  ['a headless browser', `Mozilla/5.0 (X11; Linux x86_64) ${KHTML} HeadlessChrome/142.0.0.0 Safari/537.36`],
  ['curl', 'curl/8.5.0'],
];
const [[, BROWSER]] = PEOPLE as [[string, string]];

describe('clicks of people', () => {
  test.each(PEOPLE)('a click in %s is a person’s', (_, userAgent) => {
    expect(isAutomatic({ 'user-agent': userAgent })).toBe(false);
  });

  test.each([
    ['sec-purpose', ''],
    ['sec-fetch-mode', 'prefetch'],
    ['referer', 'https://example.com/prefetch'],
  ])('a click with another header is a person’s: %s: %s', (name, value) => {
    expect(isAutomatic({ 'user-agent': BROWSER, [name]: value })).toBe(false);
  });
});

describe('automatic clicks', () => {
  test.each(BOTS)('a click from %s is automatic', (_, userAgent) => {
    expect(isAutomatic({ 'user-agent': userAgent })).toBe(true);
  });

  test.each([undefined, '', ' ', '\t'])('a click with the user agent %j is automatic', (userAgent) => {
    expect(isAutomatic({ 'user-agent': userAgent })).toBe(true);
  });

  // Browsers send these headers if they load a page before, or without, showing it.
  test.each([
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['Purpose', 'prefetch'],
    ['x-purpose', 'preview'],
    ['x-moz', 'prefetch'],
  ])('a click with %s is automatic: %s', (name, value) => {
    expect(isAutomatic({ 'user-agent': BROWSER, [name.toLowerCase()]: value })).toBe(true);
  });
});
