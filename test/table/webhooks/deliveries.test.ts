import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { DAY, milliseconds, systemClock } from '../../../functions/domain/time.ts';
import type { Delivery, Webhook } from '../../../functions/domain/webhook.ts';
import { listDeliveries, recordDelivery } from '../../../functions/table/deliveries.ts';
import { deliveryKey } from '../../../functions/table/keys.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { metered } from '../../support/meter.ts';
import { aProgram, newId } from '../../support/program.ts';
import { aWebhook } from '../../support/table/webhooks.ts';
import { atTime, itemAt } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
let program: Program;
let webhook: Webhook;
beforeEach(async () => {
  program = await aProgram(table);
  webhook = await aWebhook(table, program);
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
const list = (limit = 50, on = table) => listDeliveries(on, program.id, webhook.id, limit);

describe('deliveries', () => {
  test('deliveries are listed newest first, with everything that was recorded', async () => {
    const all = [
      delivery(0),
      delivery(1, { status: 503, attempt: 10 }),
      delivery(1000, { status: null, error: 'timeout', durationMs: 15_000 }),
    ];
    for (const one of [...all].reverse()) expect(await record(one)).toBe(true);
    expect(await list()).toEqual(all.toReversed());
    expect(await list(2)).toEqual(all.toReversed().slice(0, 2));
  });

  test('deliveries of other endpoints are not listed', async () => {
    await recordDelivery(table, program.id, newId(), delivery(0));
    expect(await list()).toEqual([]);
  });

  test('deliveries are kept for 7 days, and not listed afterwards even if the table still has them', async () => {
    const old = delivery(0);
    await record(old);
    const item = await itemAt(table, deliveryKey(program.id, webhook.id, old.startedAt, old.eventId));
    expect(item?.['expires_at']).toBe(Math.floor(START / 1000) + 7 * DAY);
    const later = (milli: number) => atTime(table, () => milliseconds(START + 7 * DAY * 1000 + milli));
    expect(await list(50, later(0))).toEqual([old]);
    expect(await list(50, later(1))).toEqual([]);
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
    expect(await list()).toEqual([one]);
  });

  test('deliveries of the same millisecond are kept apart by their events', async () => {
    for (const one of [delivery(0), delivery(0)]) await record(one);
    expect(await list()).toHaveLength(2);
  });

  test('deliveries cost one request each, to record and to list', async () => {
    expect((await metered(table, () => record(delivery(0)))).requests).toBe(1);
    expect((await metered(table, () => list())).requests).toBe(1);
  });
});
