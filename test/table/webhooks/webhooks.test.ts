import { beforeEach, describe, expect, test } from '@jest/globals';
import { WebhookNotFound } from '../../../functions/domain/errors.ts';
import type { Program } from '../../../functions/domain/program.ts';
import { milliseconds, seconds } from '../../../functions/domain/time.ts';
import type { Webhook } from '../../../functions/domain/webhook.ts';
import { createWebhook } from '../../../functions/table/program-webhooks.ts';
import {
  deleteWebhook,
  enabledWebhooks,
  findWebhook,
  listWebhooks,
  updateWebhook,
} from '../../../functions/table/webhooks.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { metered } from '../../support/meter.ts';
import { aProgram, newId, now } from '../../support/program.ts';
import { aWebhook } from '../../support/table/webhooks.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
let program: Program;
let webhook: Webhook;
beforeEach(async () => {
  program = await aProgram(table);
  webhook = await aWebhook(table, program);
});

const find = (id: string) => findWebhook(table, program.id, id);
const list = () => listWebhooks(table, program.id);

describe('webhooks', () => {
  test('a webhook is stored with all of its fields', async () => {
    const other = await aWebhook(table, program, { events: ['referral.clicked'], includeEmail: true });
    expect(await find(webhook.id)).toEqual(webhook);
    expect(await find(other.id)).toEqual(other);
    expect(await find(newId())).toBeUndefined();
  });

  test('a webhook is listed with the others of its program, newest first', async () => {
    const newer = await aWebhook(table, program, { createdAt: seconds(now() + 10) });
    const oldest = await aWebhook(table, program, { createdAt: seconds(1) });
    await aWebhook(table, await aProgram(table));
    expect(await list()).toEqual([newer, webhook, oldest]);
  });

  test('a webhook is created once, even if the first response is lost', async () => {
    const other = { ...webhook, id: newId() };
    proxied.proxy.next('TransactWriteItems', 'lose');
    await createWebhook(proxied.faulty, program.id, other);
    expect(await find(other.id)).toEqual(other);
  });

  test('a webhook is disabled and enabled, any number of times', async () => {
    for (const enabled of [false, false, true, true]) {
      const changed = { ...webhook, disabledReason: enabled ? null : 'merchant' };
      expect(await updateWebhook(table, program.id, webhook.id, { enabled })).toEqual(changed);
      expect(await find(webhook.id)).toEqual(changed);
    }
  });

  test('a webhook is deleted once, even if the first response is lost', async () => {
    proxied.proxy.next('TransactWriteItems', 'lose');
    expect(await deleteWebhook(proxied.faulty, program.id, webhook.id)).toBe(true);
    expect(await deleteWebhook(table, program.id, webhook.id)).toBe(false);
    expect([await find(webhook.id), await list()]).toEqual([undefined, []]);
  });

  test('a webhook is not created again when it is enabled after it was deleted', async () => {
    await deleteWebhook(table, program.id, webhook.id);
    await expectUnchanged(table, async () => {
      const enabling = updateWebhook(table, program.id, webhook.id, { enabled: true });
      await expect(enabling).rejects.toThrow(WebhookNotFound);
    });
  });

  test('a webhook belongs to its program', async () => {
    const other = await aProgram(table);
    expect(await findWebhook(table, other.id, webhook.id)).toBeUndefined();
    expect(await deleteWebhook(table, other.id, webhook.id)).toBe(false);
    expect(await find(webhook.id)).toEqual(webhook);
  });
});

describe('enabled endpoints', () => {
  let moment = 0;
  const clock = () => milliseconds(moment);
  const disable = () => updateWebhook(table, program.id, webhook.id, { enabled: false });

  test('enabled webhooks are found without disabled ones', async () => {
    const finder = enabledWebhooks(table, clock, 0);
    const other = await aWebhook(table, program);
    await disable();
    expect(await finder.of(program.id)).toEqual([other]);
    expect(await finder.find(program.id, webhook.id)).toBeUndefined();
    expect(await finder.find(program.id, other.id)).toEqual(other);
  });

  test('enabled webhooks are read again after 30 seconds, and not before', async () => {
    const finder = enabledWebhooks(table, clock);
    const read = async () => [await finder.of(program.id), await finder.find(program.id, webhook.id)];
    expect(await read()).toEqual([[webhook], webhook]);
    await disable();
    moment += 28_999;
    const { result, requests } = await metered(table, read);
    expect([result, requests]).toEqual([[[webhook], webhook], 0]);
    moment += 1001;
    expect(await read()).toEqual([[], undefined]);
  });

  test('enabled webhooks are not cached for 0 milliseconds', async () => {
    const finder = enabledWebhooks(table, clock, 0);
    expect(await finder.of(program.id)).toEqual([webhook]);
    const newer = await aWebhook(table, program, { createdAt: seconds(now() + 10) });
    expect(await finder.of(program.id)).toEqual([newer, webhook]);
  });

  test('enabled webhooks are found as soon as they are enabled again, because a missing one is not cached', async () => {
    const finder = enabledWebhooks(table, clock);
    await disable();
    expect(await finder.find(program.id, webhook.id)).toBeUndefined();
    await updateWebhook(table, program.id, webhook.id, { enabled: true });
    expect(await finder.find(program.id, webhook.id)).toEqual(webhook);
  });

  test('a program without webhooks costs one request in 30 seconds', async () => {
    const finder = enabledWebhooks(table, clock);
    const other = await aProgram(table);
    const { requests } = await metered(table, async () => {
      for (let call = 0; call < 3; call += 1) expect(await finder.of(other.id)).toEqual([]);
    });
    expect(requests).toBe(1);
  });
});
