import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { makeToken, newToken } from '../../../functions/kernel/accounts/rules/token.ts';
import { deliveryKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { DAY, milliseconds, seconds, systemClock } from '../../../functions/kernel/time.ts';
import {
  createProgramToken,
  listProgramTokens,
  updateProgram,
} from '../../../functions/program/table/program-changes.ts';
import { TooManyWebhooks } from '../../../functions/webhooks/rules/errors.ts';
import { type Delivery, MAX_WEBHOOKS, newWebhook, type Webhook } from '../../../functions/webhooks/rules/webhook.ts';
import { listDeliveries, recordDelivery } from '../../../functions/webhooks/table/deliveries.ts';
import { createWebhook, listProgramWebhooks } from '../../../functions/webhooks/table/program-webhooks.ts';
import {
  deleteWebhook,
  enabledWebhooks,
  findWebhook,
  listWebhooks,
  updateWebhook,
} from '../../../functions/webhooks/table/webhooks.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { metered } from '../../support/meter.ts';
import { aProgram, newId, now } from '../../support/program.ts';
import { aWebhook } from '../../support/table/webhooks.ts';
import { atTime, itemAt } from '../../support/table.ts';
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

  test('a webhook is deleted once, even if the first response is lost', async () => {
    proxied.proxy.next('TransactWriteItems', 'lose');
    expect(await deleteWebhook(proxied.faulty, program.id, webhook.id)).toBe(true);
    expect(await deleteWebhook(table, program.id, webhook.id)).toBe(false);
    expect([await find(webhook.id), await list()]).toEqual([undefined, []]);
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
});

let own: Program;
beforeEach(async () => {
  own = await aProgram(table);
});
const aNewWebhook = () => newWebhook({ url: 'https://shop.example/', includeEmail: false }, newId(), now(), false);
const listIds = async (at = table) => (await listProgramWebhooks(at, own.id)).map(({ id }) => id);

test('a program has at most 20 webhooks, and a deleted one makes room', async () => {
  for (let count = 0; count < MAX_WEBHOOKS; count += 1) await aWebhook(table, own);
  await expectUnchanged(table, async () => {
    await expect(createWebhook(table, own.id, aNewWebhook())).rejects.toThrow(TooManyWebhooks);
  });
  const [first = ''] = await listIds();
  await deleteWebhook(table, own.id, first);
  await createWebhook(table, own.id, aNewWebhook());
  await expect(createWebhook(table, own.id, aNewWebhook())).rejects.toThrow(TooManyWebhooks);
});

test('a webhook is counted and listed before the index contains it', async () => {
  for (let count = 1; count < MAX_WEBHOOKS; count += 1) await aWebhook(table, own);
  const { id } = await aWebhook(table, own);
  // The index answers as if every webhook had just been created.
  const empty = { response: { status: 200, body: { Items: [], Count: 0, ScannedCount: 0 } } };
  proxied.proxy.next('Query', empty, empty);
  expect(await listIds(proxied.faulty)).toContain(id);
  await expect(createWebhook(proxied.faulty, own.id, aNewWebhook())).rejects.toThrow(TooManyWebhooks);
});

test('simultaneous creations, changes of the program and new tokens all remain', async () => {
  const webhooks = [aNewWebhook(), aNewWebhook(), aNewWebhook()];
  const token = newToken({}, newId(), now());
  await Promise.all([
    ...webhooks.map((webhook) => createWebhook(table, own.id, webhook)),
    updateProgram(table, own.id, { onRefund: 'reject' }),
    createProgramToken(table, own.id, { token: makeToken('program', table.random), record: token }),
  ]);
  expect((await listIds()).toSorted()).toEqual(webhooks.map(({ id }) => id).toSorted());
  expect((await listProgramTokens(table, own.id)).map(({ id }) => id)).toEqual([token.id]);
  expect(await updateProgram(table, own.id, {})).toMatchObject({ onRefund: 'reject' });
});

const START = systemClock();
const delivery = (after: number, changes: Partial<Delivery> = {}): Delivery => ({
  eventId: `${newId()}.1`,
  eventType: 'referral.paid',
  status: 200,
  error: null,
  attempt: 1,
  durationMs: 12,
  startedAt: milliseconds(START + after),
  ...changes,
});
const record = (one: Delivery, on = table) => recordDelivery(on, program.id, webhook.id, one);
const deliveries = (limit = 50, on = table) => listDeliveries(on, program.id, webhook.id, limit);

describe('deliveries', () => {
  test('deliveries are listed newest first, with everything that was recorded', async () => {
    const all = [
      delivery(0),
      delivery(1, { status: 503, attempt: 10 }),
      delivery(1000, { status: null, error: 'timeout', durationMs: 15_000 }),
    ];
    for (const one of [...all].reverse()) expect(await record(one)).toBe(true);
    expect(await deliveries()).toEqual(all.toReversed());
    expect(await deliveries(2)).toEqual(all.toReversed().slice(0, 2));
  });

  test('deliveries are kept for 7 days, and not listed afterwards even if the table still has them', async () => {
    const old = delivery(0);
    await record(old);
    const item = await itemAt(table, deliveryKey(program.id, webhook.id, old.startedAt, old.eventId));
    expect(item?.['expires_at']).toBe(Math.floor(START / 1000) + 7 * DAY);
    const later = (milli: number) => atTime(table, () => milliseconds(START + 7 * DAY * 1000 + milli));
    expect(await deliveries(50, later(0))).toEqual([old]);
    expect(await deliveries(50, later(1))).toEqual([]);
  });

  test('deliveries hold nothing of an event but its id and type', async () => {
    const one = delivery(0);
    await record(one);
    const item = await itemAt(table, deliveryKey(program.id, webhook.id, one.startedAt, one.eventId));
    expect(Object.keys(item ?? {}).toSorted()).toEqual([
      ...['attempt', 'duration_ms', 'event_id', 'event_type', 'expires_at', 'pk', 'sk', 'started_at', 'status'],
    ]);
  });

  test('deliveries are recorded once, even if the first response is lost', async () => {
    proxied.proxy.next('PutItem', 'lose');
    const one = delivery(0);
    await record(one, proxied.faulty);
    expect(await record(one)).toBe(false);
    expect(await deliveries()).toEqual([one]);
  });
});
