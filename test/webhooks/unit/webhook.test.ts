import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { InvalidField } from '../../../functions/kernel/errors.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { DEFAULT_EVENT_TYPES, EVENT_TYPES } from '../../../functions/webhooks/rules/event.ts';
import {
  afterAttempt,
  newWebhook,
  type Webhook,
  type WebhookFields,
} from '../../../functions/webhooks/rules/webhook.ts';
import { parseRetryAfter, retryDelay } from '../../../functions/webhooks/rules/webhook-retries.ts';
import { CLICK_ID, NOW } from '../../support/samples.ts';

const FIELDS: WebhookFields = { url: 'https://example.com/events?key=1', includeEmail: false };
const create = (fields: Partial<WebhookFields>, allowLoopback = false) =>
  newWebhook({ ...FIELDS, ...fields }, CLICK_ID, NOW, allowLoopback);

describe('new webhooks', () => {
  test('a new webhook is enabled, and receives all changes of referrals but clicks unless types are given', () => {
    const health = { disabledReason: null, failingSince: null, failures: 0 };
    expect(create({})).toEqual({ ...FIELDS, ...health, id: CLICK_ID, createdAt: NOW, events: DEFAULT_EVENT_TYPES });
    const changes = EVENT_TYPES.filter((type) => type.startsWith('referral.') && type !== 'referral.clicked');
    expect(DEFAULT_EVENT_TYPES).toEqual(changes);
    const named = create({ events: ['referral.paid', 'referral.clicked', 'referral.paid'] });
    expect(named.events).toEqual(['referral.clicked', 'referral.paid']);
  });

  test.each(['https://example.com', `https://example.com/${'a'.repeat(2028)}`])('a new webhook accepts %s', (url) => {
    expect(create({ url }).url).toBe(new URL(url).href);
  });

  test('a new webhook drops the fragment, which is never sent', () => {
    expect(create({ url: 'https://example.com/a#b' }).url).toBe('https://example.com/a');
  });

  test.each([
    '',
    'http://example.com/',
    'https://user@example.com/',
    `https://example.com/${'a'.repeat(2029)}`,
    `https://example.com/${'ü'.repeat(400)}`,
  ])('a new webhook rejects %s, without repeating it', (url) => {
    expect(() => create({ url })).toThrow(InvalidField);
    expect(() => create({ url })).not.toThrow(/example\.com\/a|password|localhost/);
  });

  test.each([
    ['a line break', 'https\n://example.com/'],
    ['a line separator', 'https://example.com/\u2028'],
  ])('a new webhook rejects %s instead of removing or encoding it', (_, url) => {
    expect(() => create({ url }, true)).toThrow(
      new InvalidField('url', 'must not contain control characters or line separators'),
    );
  });

  test.each(['http://localhost:3000/a', 'http://127.0.0.1/', 'http://[::1]:3000/', 'http://2130706433/'])(
    'a new webhook accepts %s only where this machine may be reached',
    (url) => {
      expect(create({ url }, true).url).toBe(new URL(url).href);
      expect(() => create({ url })).toThrow(InvalidField);
    },
  );
});

describe('webhooks after an attempt', () => {
  const DAYS = 86_400;
  const webhook = create({});
  const failing = (failures: number): Webhook => ({ ...webhook, failingSince: NOW, failures });
  const counted = (before: Webhook, status: number | null, age = 0) =>
    afterAttempt(before, status, milliseconds((NOW + age) * 1000 + 999));

  test.each([null, 301, 404, 500])('a webhook is failing since the first failure (status %p)', (status) => {
    expect(counted(webhook, status)).toEqual(failing(1));
    expect(counted(failing(1), status, 60)).toEqual(failing(2));
  });

  test('a webhook is unchanged by a success, unless it was failing', () => {
    expect(counted(webhook, 204)).toBe(webhook);
    expect(counted(failing(10), 200, 6 * DAYS)).toEqual(webhook);
  });

  test.each([
    [9, 5 * DAYS - 1, null],
    [8, 5 * DAYS, null],
    [9, 5 * DAYS, 'failing'],
    [10, 5 * DAYS, 'failing'],
  ])('a webhook with %i earlier failures in %i seconds has the disabled reason %j', (failures, age, disabledReason) => {
    expect(counted(failing(failures), 500, age)).toEqual({ ...failing(Math.min(failures + 1, 10)), disabledReason });
  });

  test('a webhook is gone as soon as its receiver responds with 410', () => {
    expect(counted(webhook, 410)).toEqual({ ...failing(1), disabledReason: 'gone' });
    expect(counted(failing(10), 410, 6 * DAYS)).toEqual({ ...failing(10), disabledReason: 'gone' });
  });
});

describe('the delay after a failed attempt', () => {
  const SCHEDULE = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((second) => second * 1000);
  const bytes = (value: number) => () => Buffer.alloc(4, value);

  test('the delay follows the schedule within a day, and there is none after the tenth attempt', () => {
    for (const [index, delay] of SCHEDULE.entries()) {
      expect(retryDelay(index + 1, null, bytes(0))).toBe(delay * 0.9);
      const longest = retryDelay(index + 1, null, bytes(255)) ?? 0;
      expect(longest / 86_400_000).toBeCloseTo(Math.min(1.1 * (delay / 86_400_000), 1), 6);
    }
    for (const attempt of [10, 11, 0, -1]) expect(retryDelay(attempt, 1000, randomBytes)).toBeUndefined();
  });

  test('the delay is Retry-After if that is longer, up to a day', () => {
    const delay = (retryAfter: number) => retryDelay(1, retryAfter, bytes(0));
    expect([0, 4000, 60_000, 86_400_000, 86_400_001, Number.MAX_SAFE_INTEGER].map(delay)).toEqual([
      ...[4500, 4500, 60_000, 86_400_000, 86_400_000, 86_400_000],
    ]);
    expect(retryDelay(9, 86_400_000, bytes(255))).toBe(86_400_000);
  });
});

describe('Retry-After', () => {
  // A Sunday.
  const now = milliseconds(Date.UTC(1994, 10, 6, 8, 49, 7));
  const parse = (header: string | undefined) => parseRetryAfter(header, now);

  test.each([
    ['0', 0],
    ['120', 120_000],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
    ['Sun Nov  6 08:49:37 1994', 30_000],
    ['Sat, 05 Nov 1994 08:49:37 GMT', 0],
  ])('Retry-After %j is understood', (header, delay) => {
    expect(parse(header)).toBe(delay);
  });

  test.each([
    undefined,
    '',
    '-1',
    '1.5',
    'soon',
    'Sun, 31 Feb 1995 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 +0100',
    '1994-11-06T08:49:37Z',
  ])('Retry-After %j is ignored', (header) => {
    expect(parse(header)).toBeNull();
  });

  test('Retry-After is never shorter than until its date', () => {
    const between = milliseconds(now + 1);
    expect(parseRetryAfter('Sun, 06 Nov 1994 08:49:37 GMT', between)).toBe(30_000);
  });
});
