import { beforeEach, describe, expect, test } from '@jest/globals';
import { DAY, type Milliseconds, milliseconds } from '../../../functions/kernel/time.ts';
import type { Webhook, WebhookChanges } from '../../../functions/webhooks/rules/webhook.ts';
import { type CountedAttempt, countAttempt } from '../../../functions/webhooks/table/attempts.ts';
import { deleteWebhook, findWebhook, updateWebhook } from '../../../functions/webhooks/table/webhooks.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { metered } from '../../support/meter.ts';
import { aProgram } from '../../support/program.ts';
import { aWebhook } from '../../support/table/webhooks.ts';
import { atTime, type TestTable } from '../../support/table.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const onEngine = useTable();
const proxied = useFaultyProxy(onEngine);
let now: Milliseconds;
let table: TestTable;
let program: string;
let webhook: Webhook;
beforeEach(async () => {
  table = atTime(onEngine, () => now);
  now = onEngine.clock();
  const owner = await aProgram(table);
  program = owner.id;
  webhook = await aWebhook(table, owner);
});

const faulty = () => atTime(proxied.faulty, () => now);
const find = () => findWebhook(table, program, webhook.id);
const count = (status: number | null, on = table, startedAt = now) =>
  countAttempt(on, program, webhook.id, { status, startedAt, url: webhook.url });
const enable = (enabled: boolean) => updateWebhook(table, program, webhook.id, { enabled });
const ENABLED: CountedAttempt = { isEnabled: true, disabledFor: null };
const INACTIVE: CountedAttempt = { isEnabled: false, disabledFor: null };

/** Counts failures now, as many as given. Returns the webhook. */
async function fail(times: number) {
  for (let attempt = 0; attempt < times; attempt += 1) expect(await count(500)).toEqual(ENABLED);
  return find();
}

/** Counts so many failures that the next one, five days later, disables the webhook. */
async function failNearly() {
  const nearly = await fail(9);
  now = milliseconds(now + 5 * DAY * 1000);
  return nearly;
}

describe('failed deliveries to a webhook', () => {
  test('ten failed deliveries in five days disable the webhook, once', async () => {
    const nearly = await failNearly();
    expect(await count(null)).toEqual({ isEnabled: false, disabledFor: 'failing' });
    expect(await find()).toEqual({ ...nearly, failures: 10, disabledReason: 'failing' });
    expect(await count(500)).toEqual(INACTIVE);
  });

  test('failed deliveries are counted once, even if the response is lost', async () => {
    for (const failures of [1, 2]) {
      proxied.proxy.next('UpdateItem', 'lose');
      expect(await count(500, faulty())).toEqual(ENABLED);
      expect(await find()).toMatchObject({ failures });
    }
  });

  test.each([
    ['failing', 500],
    ['gone', 410],
  ] as const)(
    'failed deliveries disable the webhook for the reason %s, even if the response is lost',
    async (reason, status) => {
      await failNearly();
      proxied.proxy.next('UpdateItem', 'lose');
      const counted = await count(status, faulty());
      expect(counted).toEqual({ isEnabled: false, disabledFor: reason });
      expect(await find()).toMatchObject({ disabledReason: reason });
    },
  );

  test.each([200, 410, 500])('a late response with %i counts nothing at a disabled webhook', async (status) => {
    await enable(false);
    const disabled = await find();
    expect(await count(status)).toEqual(INACTIVE);
    expect(await find()).toEqual(disabled);
  });
});

describe('a success', () => {
  test('a success costs one read, and resets failures with one write', async () => {
    expect(await metered(table, () => count(200))).toMatchObject({ requests: 1, readUnits: 1, writeUnits: 0 });
    await fail(3);
    expect(await metered(table, () => count(200))).toMatchObject({ requests: 2, readUnits: 1, writeUnits: 1 });
    expect(await find()).toEqual(webhook);
  });

  test('a success while a failure is counted that would disable the webhook keeps it enabled', async () => {
    await failNearly();
    beforeNext(table, 'UpdateItemCommand', () => count(200));
    expect(await count(500)).toEqual(ENABLED);
    expect(await find()).toEqual(webhook);
  });
});

describe.each([
  ['a success', 200, 'failing'],
  ['the failure that would disable it', 500, 'failing'],
  ['410', 410, 'gone'],
] as const)('while %s is counted', (_, status, reason) => {
  beforeEach(() => failNearly());

  test('a webhook that is deleted is not created again', async () => {
    beforeNext(table, 'UpdateItemCommand', () => deleteWebhook(table, program, webhook.id));
    expect(await count(status)).toEqual(INACTIVE);
    expect(await find()).toBeUndefined();
    expect(await count(status)).toEqual(INACTIVE);
    expect(await find()).toBeUndefined();
  });

  test('a webhook that its merchant disables stays as the merchant left it', async () => {
    beforeNext(table, 'UpdateItemCommand', () => enable(false));
    expect(await count(status)).toEqual(INACTIVE);
    expect(await find()).toMatchObject({ disabledReason: 'merchant' });
    expect(await count(status)).toEqual(INACTIVE);
    expect(await find()).toMatchObject({ disabledReason: 'merchant' });
  });

  test('a webhook that its merchant enables stays enabled, without earlier failures', async () => {
    beforeNext(table, 'UpdateItemCommand', () => enable(true));
    expect(await count(status)).toEqual(ENABLED);
    expect(await find()).toEqual(webhook);
  });

  test('a webhook that another attempt disables is disabled once', async () => {
    beforeNext(table, 'UpdateItemCommand', () => count(reason === 'gone' ? 410 : 500));
    expect(await count(status)).toEqual(INACTIVE);
    expect(await find()).toMatchObject({ disabledReason: reason });
  });
});

test('an enabled webhook is not disabled by 410 of an earlier attempt, but of a later one', async () => {
  const startedAt = now;
  now = milliseconds(now + 1);
  await enable(true);
  now = milliseconds(now + 1);
  expect(await count(410, table, startedAt)).toEqual(ENABLED);
  expect(await count(410)).toEqual({ isEnabled: false, disabledFor: 'gone' });
});

const OTHER = 'https://other.example/events';
const change = (changes: WebhookChanges, at = table) => updateWebhook(at, program, webhook.id, changes);

describe('changes of a webhook', () => {
  test('a change can be repeated, also after a lost response', async () => {
    const changes = { url: OTHER, events: ['referral.paid'], includeEmail: true, enabled: false } as const;
    proxied.proxy.next('UpdateItem', 'lose');
    const changed = {
      ...webhook,
      url: OTHER,
      events: ['referral.paid'],
      includeEmail: true,
      disabledReason: 'merchant',
    };
    expect(await change(changes, proxied.faulty)).toEqual(changed);
    await expectUnchanged(table, async () => {
      expect(await change(changes)).toEqual(changed);
      expect(await change({})).toEqual(changed);
    });
    expect(await find()).toEqual(changed);
  });

  test('failures are forgotten with another URL, but not with the same one', async () => {
    await count(500);
    expect(await change({ url: webhook.url, includeEmail: true })).toMatchObject({ failures: 1 });
    expect(await change({ url: OTHER })).toMatchObject({ failures: 0, failingSince: null });
    expect(await find()).toMatchObject({ failures: 0, failingSince: null });
  });
});

test.each([410, 500, 200])('an attempt to the previous URL that ended with %i does not count', async (status) => {
  await change({ url: OTHER });
  await expectUnchanged(table, async () => {
    expect(await count(status)).toEqual({ isEnabled: true, disabledFor: null });
  });
  // The URL changes after the attempt has read the webhook.
  const back = { url: webhook.url };
  await change(back);
  beforeNext(table, 'UpdateItemCommand', () => change({ url: OTHER }));
  await count(410);
  expect(await find()).toMatchObject({ url: OTHER, disabledReason: null, failures: 0 });
});
