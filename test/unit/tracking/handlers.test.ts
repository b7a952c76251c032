import { describe, expect, test } from '@jest/globals';
import { isAutomatic } from '../../../functions/tracking/handlers.ts';

const KHTML = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

const PEOPLE: [client: string, userAgent: string][] = [
  ['Chrome on Windows', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/142.0.0.0 Safari/537.36`],
  ['Chrome on Linux', `Mozilla/5.0 (X11; Linux x86_64) ${KHTML} Chrome/142.0.0.0 Safari/537.36`],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 10; K) ${KHTML} Chrome/142.0.0.0 Mobile Safari/537.36`],
  ['Chrome on iOS', `${IPHONE} CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1`],
  ['Safari on iOS', `${IPHONE} Version/18.6 Mobile/15E148 Safari/604.1`],
  [
    'Safari on macOS',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  ],
  ['Firefox', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Firefox on Android', 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0'],
  ['Edge', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`],
  ['Opera', `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${KHTML} Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0`],
  [
    'Samsung Internet',
    `Mozilla/5.0 (Linux; Android 10; K) ${KHTML} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
  ],
  ['the browser in Instagram', `${IPHONE} Mobile/15E148 Instagram 400.0.0.0.50 (iPhone15,2; iOS 18_6; en_GB)`],
  [
    'the browser in an Android app',
    `Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/AP4A; wv) ${KHTML} Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36`,
  ],
];

const BOTS: [client: string, userAgent: string][] = [
  ['Google', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
  [
    'Google on a phone',
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${KHTML} Chrome/142.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
  ],
  [
    'Bing',
    `Mozilla/5.0 ${KHTML}; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/142.0.0.0 Safari/537.36`,
  ],
  ['Yandex', 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)'],
  ['DuckDuckGo', 'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)'],
  [
    'Apple',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  ],
  ['OpenAI', `Mozilla/5.0 ${KHTML}; compatible; GPTBot/1.2; +https://openai.com/gptbot)`],
  ['a preview of Facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
  ['a preview of X', 'Twitterbot/1.0'],
  ['a preview of Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
  ['a preview of LinkedIn', 'LinkedInBot/1.0 (compatible; Mozilla/5.0; +http://www.linkedin.com)'],
  ['a preview of WhatsApp', 'WhatsApp/2.23.20.0'],
  ['a preview of Telegram', 'TelegramBot (like TwitterBot)'],
  ['a preview of Discord', 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)'],
  ['a link auditor', 'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)'],
  ['an uptime monitor', 'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)'],
  ['a headless browser', `Mozilla/5.0 (X11; Linux x86_64) ${KHTML} HeadlessChrome/142.0.0.0 Safari/537.36`],
  ['curl', 'curl/8.5.0'],
  ['wget', 'Wget/1.21.4'],
  ['Python', 'python-requests/2.32.3'],
  ['Go', 'Go-http-client/2.0'],
  ['Java', 'Java/21.0.2'],
  ['Node', 'node'],
  ['axios', 'axios/1.7.9'],
];
const [[, BROWSER]] = PEOPLE as [[string, string]];

describe('clicks of people', () => {
  test.each(PEOPLE)('a click in %s is a person’s', (_, userAgent) => {
    expect(isAutomatic({ 'user-agent': userAgent })).toBe(false);
  });

  test.each([
    ['sec-purpose', ''],
    ['sec-fetch-mode', 'prefetch'],
    ['x-moz', 'other'],
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
    ['sec-purpose', 'prefetch;anonymous-client-ip'],
    ['Purpose', 'prefetch'],
    ['purpose', 'Prefetch'],
    ['x-purpose', 'preview'],
    ['x-purpose', ': preview'],
    ['x-moz', 'prefetch'],
  ])('a click with %s is automatic: %s', (name, value) => {
    expect(isAutomatic({ 'user-agent': BROWSER, [name.toLowerCase()]: value })).toBe(true);
  });
});
