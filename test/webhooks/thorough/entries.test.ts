import { beforeEach, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { LAST_SECOND, seconds } from '../../../functions/kernel/time.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import { recordPayment, recordRefund, recordVoid } from '../../../functions/ledger/table/payments.ts';
import { EVENT_TYPES, isEntryEvent } from '../../../functions/webhooks/rules/event.ts';
import { publishHandler } from '../../../functions/webhooks/stream/publish.ts';
import { pastEvents } from '../../../functions/webhooks/table/past-events.ts';
import { itemRecord, MemoryBus, MemoryQueue } from '../../support/events/events.ts';
import { entriesOf, ledgerOf, paymentOf } from '../../support/ledger/ledger.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { aWebhook } from '../../support/table/webhooks.ts';
import { itemsOf } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const bus = new MemoryBus();
let queue: MemoryQueue;
let program: Program;
let entries: readonly Entry[];
let records: readonly DynamoDBRecord[];

/** Writes an entry of each kind but settlements, and an imported payment. */
beforeEach(async () => {
  queue = new MemoryQueue(table.clock);
  program = await aProgram(table);
  const jane = await anAdvocate(table, program);
  const referral = await aReferral(table, program, jane);
  const ledger = ledgerOf(program);
  await recordPayment(table, ledger, paymentOf(referral));
  await recordRefund(table, ledger, { paymentId: 'in_1', refundId: 're_1', amount: 300, refundedAt: null });
  await recordVoid(table, ledger, { paymentId: 'in_1', note: 'Fraud' });
  const adjustment = { slug: jane.slug, adjustmentId: 'a', commission: 5, currency: 'usd', note: 'Bonus' };
  await recordAdjustment(table, ledger, adjustment);
  await recordPayment(table, { ...ledger, by: 'import' }, paymentOf(referral, { paymentId: 'in_2' }));
  entries = await entriesOf(table, program);
  const items = (await itemsOf(table, program)).filter((item) => item['sk'] !== 'REFERRAL');
  records = items.map((item) => itemRecord(null, item));
});

const publish = (given = records) =>
  publishHandler({ table, queue, bus, addPoisonRecords: async () => new Set() })({ Records: [...given] });
const idsOf = (...kinds: Entry['kind'][]) =>
  entries.filter(({ kind, by }) => kinds.includes(kind) && by !== 'import').map(({ id }) => `${id}.1`);
const queuedIds = () => queue.messages.map(({ message }) => message.event.id).toSorted();
const readPast = async (from = 0, to = LAST_SECOND) => {
  const found: string[] = [];
  for await (const { events } of pastEvents(table, program.id, EVENT_TYPES, { from: seconds(from), to: seconds(to) })) {
    found.push(...events.flatMap(({ event }) => (isEntryEvent(event) ? [event.id] : [])));
  }
  return found.toSorted();
};

test('payments and refunds are sent to webhooks that subscribe to them by name, and never to the bus', async () => {
  const payments = await aWebhook(table, program, { events: ['payment.recorded'] });
  const refunds = await aWebhook(table, program, { events: ['payment.refunded'] });
  await aWebhook(table, program);
  expect(await publish()).toEqual({ batchItemFailures: [] });
  const sent = queue.messages.map(({ message }) => [message.webhook, message.event.id, message.advocateId]).toSorted();
  const expected = [
    ...idsOf('payment').map((id) => [payments.id, id, null]),
    ...idsOf('refund').map((id) => [refunds.id, id, null]),
  ];
  expect(sent).toEqual(expected.toSorted());
  expect(sent).toHaveLength(2);
  expect(bus.events).toEqual([]);
});

test('events are rebuilt from the entries with the same ids, within the period', async () => {
  await aWebhook(table, program, { events: EVENT_TYPES });
  await publish();
  const expected = idsOf('payment', 'refund').toSorted();
  expect(queuedIds()).toEqual(expected);
  expect(await readPast()).toEqual(expected);
  const [first] = entries;
  const at = first?.createdAt ?? 0;
  const last = Math.max(...entries.map(({ createdAt }) => createdAt));
  expect(await readPast(0, at)).toEqual([]);
  expect(await readPast(last + 1)).toEqual([]);
  expect(await readPast(at, last + 1)).toEqual(expected);
});
