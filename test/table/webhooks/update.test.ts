import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import type { Webhook, WebhookChanges } from '../../../functions/domain/webhook.ts';
import { countAttempt } from '../../../functions/table/attempts.ts';
import { findWebhook, updateWebhook } from '../../../functions/table/webhooks.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { beforeNext } from '../../support/interleaved.ts';
import { aProgram } from '../../support/program.ts';
import { aWebhook, failForFiveDays } from '../../support/table/webhooks.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const OTHER = 'https://other.example/events';
let program: Program;
let webhook: Webhook;
beforeEach(async () => {
  program = await aProgram(table);
  webhook = await aWebhook(table, program);
});

const find = () => findWebhook(table, program.id, webhook.id);
const change = (changes: WebhookChanges, at = table) => updateWebhook(at, program.id, webhook.id, changes);
/** Counts an attempt to the URL that the webhook has at first. */
const count = (status: number, startedAt = table.clock()) =>
  countAttempt(table, program.id, webhook.id, { status, startedAt, url: webhook.url });

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

  test('two changes of different fields at the same time both remain', async () => {
    await Promise.all([change({ url: OTHER }), change({ includeEmail: true }), change({ events: ['referral.paid'] })]);
    expect(await find()).toEqual({ ...webhook, url: OTHER, includeEmail: true, events: ['referral.paid'] });
  });

  test('failures are forgotten with another URL, but not with the same one', async () => {
    await count(500);
    expect(await change({ url: webhook.url, includeEmail: true })).toMatchObject({ failures: 1 });
    expect(await change({ url: OTHER })).toMatchObject({ failures: 0, failingSince: null });
    expect(await find()).toMatchObject({ failures: 0, failingSince: null });
  });
});

describe('changes of a webhook while its deliveries fail', () => {
  test('a merchant who disables a webhook keeps that reason, whatever its receiver responds', async () => {
    beforeNext(table, 'UpdateItemCommand', () => change({ enabled: false }));
    await count(410);
    expect(await find()).toMatchObject({ disabledReason: 'merchant' });
  });

  test('a webhook that its receiver disables during the change of another field stays disabled', async () => {
    beforeNext(table, 'UpdateItemCommand', () => count(410));
    await change({ includeEmail: true });
    expect(await find()).toMatchObject({ disabledReason: 'gone', includeEmail: true });
  });

  test('a webhook stays enabled after a 410 of an attempt that started before it was enabled', async () => {
    const startedAt = milliseconds(table.clock() - 1);
    await count(410);
    await change({ enabled: true });
    expect(await count(410, startedAt)).toEqual({ isEnabled: true, disabledFor: null });
    expect(await find()).toMatchObject({ disabledReason: null });
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

  test('a webhook that failed for five days is enabled without its failures', async () => {
    await failForFiveDays(table, program.id, webhook);
    expect(await change({ enabled: true })).toEqual(webhook);
    expect(await find()).toEqual(webhook);
  });
});
