import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { LimitedMap } from '../../kernel/cache.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { logFailure } from '../../kernel/log/failure.ts';
import { milliseconds } from '../../kernel/time.ts';
import { eventOfEntry } from '../../ledger/rules/entry-event.ts';
import { newEntryOf } from '../../ledger/table/stream.ts';
import { applicationChangeOf } from '../../people/table/applications/events.ts';
import {
  type CurrentFields,
  eventBody,
  eventsBetween,
  type ReferralEvent,
} from '../../referrals/rules/referral-event.ts';
import { referralWriteOf } from '../../referrals/table/stream.ts';
import { isReferralEvent } from '../rules/event.ts';
import type { Webhook } from '../rules/webhook.ts';
import { currentFieldsReader, type OutgoingEvent } from '../table/current-fields.ts';
import { enabledWebhooks } from '../table/webhooks.ts';
import type { AddPoisonRecords, Bus, BusEvent, DeliveryMessage, PoisonRecord, Queue } from './destinations.ts';
import { FailedRecords, type HasRecord } from './failed-records.ts';

/** Everything that `publish` uses: `functions/lambdas` builds it on AWS, `bin/local/events` in the local service. */
export interface PublishDependencies {
  /** The table, with a limit for each request instead of a deadline. Its clock is also used. */
  readonly table: Table;
  readonly queue: Queue;
  /** The event bus; absent in the local service. */
  readonly bus?: Bus;
  readonly addPoisonRecords: AddPoisonRecords;
  /** How long webhooks are cached, in milliseconds. By default, changes take effect within 30 seconds. */
  readonly webhookTtl?: number;
}

/**
 * Maximum number of remembered keys: the batches of the ten lanes of a shard have 1,000 records. A published record needs
 * one key. A failed one needs a key for each destination that accepted its event: this is enough for ten.
 */
const MAX_REMEMBERED = 10_000;

/** An event, and the record that it belongs to. */
type RecordedEvent = OutgoingEvent & HasRecord;

/** An event, and the webhooks that receive it. */
interface RoutedEvent extends RecordedEvent {
  readonly webhooks: readonly Webhook[];
}

/** What an event becomes at one of its destinations. */
interface Part<Content> extends HasRecord {
  /** Identifies the event of the record and its destination, also when the record is read again. */
  readonly key: string;
  readonly content: Content;
}

/** What an event becomes at all of its destinations. */
interface Output {
  readonly busEvents: readonly Part<BusEvent>[];
  readonly messages: readonly Part<DeliveryMessage>[];
}

/**
 * Returns the function that publishes the events in a batch of the table's stream: to the bus, and to the queue, once
 * for each webhook. A record that fails does not stop the others. The response contains the sequence numbers of the
 * failed records. Lambda passes the first of them and all later records again; published records are skipped, and so are
 * destinations that accepted an event. Unreadable records would fail again: these poison records go to a dead-letter
 * queue and count as published.
 */
export function publishHandler({
  table,
  queue,
  bus,
  addPoisonRecords,
  webhookTtl,
}: PublishDependencies): (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse> {
  const webhooks = enabledWebhooks(table, table.clock, webhookTtl);
  const readCurrentFields = currentFieldsReader(table);
  /** Published records, and accepted parts of failed ones: after a failure, the stream passes all of them again. */
  const published = new LimitedMap<true>(MAX_REMEMBERED);
  const isPending = ({ key }: Part<unknown>) => !published.has(key);

  return async ({ Records }) => {
    const failed = new FailedRecords();
    const records = Records.map((source) => ({ source, sequenceNumber: source.dynamodb?.SequenceNumber ?? '' })).filter(
      ({ sequenceNumber }) => !published.has(sequenceNumber),
    );
    const events = failed.flatMap(records, 'record_unreadable', ({ source, sequenceNumber }) =>
      eventsIn(source, bus !== undefined).map((event) => ({ ...event, sequenceNumber })),
    );

    const byProgram = [...Map.groupBy(events, ({ program }) => program)].map(([program, own]) =>
      failed.tryAll(own, 'webhooks_not_read', async () => {
        const log = (webhook: string, error: unknown) => logFailure('webhook_unreadable', { program, webhook }, error);
        return route(own, await webhooks.of(program, log));
      }),
    );
    const routed = (await Promise.all(byProgram)).flatMap((events) => events ?? []);

    const currentFieldsOf = await failed.tryAll(routed, 'rows_not_read', readCurrentFields);
    const outputs = currentFieldsOf
      ? failed.flatMap(routed, 'row_unreadable', (event) => [outputOf(event, currentFieldsOf(event))])
      : [];

    const busEvents = outputs.flatMap((output) => output.busEvents).filter(isPending);
    const messages = outputs.flatMap((output) => output.messages).filter(isPending);
    const [rejectedByBus, rejectedByQueue] = await Promise.all([
      failed.tryAll(busEvents, 'bus_failed', async (all) => bus?.put(all.map(({ content }) => content))),
      failed.tryAll(messages, 'queue_failed', (all) =>
        queue.send(all.map(({ content }) => ({ message: content, delay: 0 }))),
      ),
    ]);
    failed.add(valuesAt(busEvents, rejectedByBus), 'event_refused');
    failed.add(valuesAt(messages, rejectedByQueue), 'message_refused');

    const unreadable = failed.unreadable(records);
    const rejected = await failed.tryAll(unreadable, 'poison_record_refused', (all) =>
      addPoisonRecords(all.map(poisonRecordOf)),
    );
    failed.add(valuesAt(unreadable, rejected), 'poison_record_refused');
    if (failed.hasFailures) {
      for (const { sequenceNumber } of failed.withoutFailed(records)) published.set(sequenceNumber, true);
      const accepted = [...acceptedValues(busEvents, rejectedByBus), ...acceptedValues(messages, rejectedByQueue)];
      // A published record is skipped with all of its parts: their keys would only push out others.
      for (const { key, sequenceNumber } of accepted) if (!published.has(sequenceNumber)) published.set(key, true);
    }
    return failed.response();
  };
}

/** Returns what remains of a record that cannot be read: no image, which contains the customer's email. */
function poisonRecordOf({ source, sequenceNumber }: HasRecord & { readonly source: DynamoDBRecord }): PoisonRecord {
  return { sequenceNumber, keys: source.dynamodb?.Keys };
}

/** Returns the events of a record. The bus gets changes of referrals, except clicks. Throws `MalformedItem`. */
function eventsIn(record: DynamoDBRecord, hasBus: boolean): OutgoingEvent[] {
  const added = newEntryOf(record);
  const entryEvent = added && eventOfEntry(added.entry);
  if (entryEvent) return [{ program: added.program, event: entryEvent, toBus: false }];
  const application = applicationChangeOf(record);
  if (application) return application.events.map((event) => ({ program: application.program, event, toBus: false }));
  const written = referralWriteOf(record);
  if (!written) return [];
  const { program, before, after } = written;
  return eventsBetween(before, after).map((event) => {
    return { program, event, toBus: hasBus && event.type !== 'referral.clicked' };
  });
}

/** Adds the webhooks that receive the events. Leaves out the events that go nowhere. */
function route(events: readonly RecordedEvent[], enabled: readonly Webhook[]): RoutedEvent[] {
  return events
    .map((one) => ({ ...one, webhooks: enabled.filter(({ events }) => events.includes(one.event.type)) }))
    .filter(({ toBus, webhooks }) => toBus || webhooks.length > 0);
}

/** Builds what an event becomes at its destinations. */
function outputOf({ sequenceNumber, program, event, toBus, webhooks }: RoutedEvent, current: CurrentFields): Output {
  // In the past, so that the first attempt is made immediately, even if the clock of `deliver` is slow.
  const due = milliseconds(event.setAt * 1000);
  const detailOf = (change: ReferralEvent) => JSON.stringify({ id: change.id, ...eventBody(change, current) });
  const part = <Content>(destination: string, content: Content): Part<Content> => {
    return { sequenceNumber, key: `${sequenceNumber}/${event.id}/${destination}`, content };
  };
  return {
    busEvents:
      toBus && isReferralEvent(event) ? [part('bus', { program, type: event.type, detail: detailOf(event) })] : [],
    messages: webhooks.map(({ id: webhook }) =>
      part(webhook, { program, webhook, event, advocateId: current.advocateId, attempt: 1, due }),
    ),
  };
}

/** Returns the values at some indexes. */
function valuesAt<Value>(values: readonly Value[], indexes: ReadonlySet<number> | undefined): Value[] {
  return values.filter((_, index) => indexes?.has(index));
}

/** Returns the values that a destination accepted: none if there are no indexes, because the request failed. */
function acceptedValues<Value>(values: readonly Value[], indexes: ReadonlySet<number> | undefined): Value[] {
  return values.filter((_, index) => indexes && !indexes.has(index));
}
