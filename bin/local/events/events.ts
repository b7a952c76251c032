import { setTimeout } from 'node:timers/promises';
import type { Connection } from '../../../functions/kernel/dynamodb/connection.ts';
import { emailQueuer, inTurn } from '../../../functions/people/stream/queue-emails.ts';
import { statisticsHandler } from '../../../functions/statistics/stream/count.ts';
import { deliverHandler } from '../../../functions/webhooks/stream/deliver.ts';
import type { AddPoisonRecords } from '../../../functions/webhooks/stream/destinations.ts';
import { messageBody } from '../../../functions/webhooks/stream/messages.ts';
import { publishHandler } from '../../../functions/webhooks/stream/publish.ts';
import { sender } from '../../../functions/webhooks/stream/send.ts';
import type { EventQueue, Position, ReceivedMessage } from '../../service/event-queue.ts';
import type { ServiceFile } from '../../service/service-file.ts';
import { emailWorkers } from './emails.ts';
import { publishReader, skippingReader, statisticsReader, streamPoller } from './poller.ts';
import type { ChangeStream } from './stream.ts';

/** Milliseconds between two polls of the stream and the queue. After failures, the pause doubles up to the longest one. */
const INTERVAL = 200;
const LONGEST_PAUSE = 5000;
/** How long a stop waits for deliveries under way, in milliseconds. */
const GRACE = 1000;
/** Limit of each request to the table, in milliseconds. */
const REQUEST_LIMIT = 10_000;
/** A new webhook gets the next event: the local service reads the webhooks each time. */
const UNCACHED = 0;

/**
 * Publishes and delivers events, puts emails into the outbox and counts statistics, as the stack does. Returns a function that
 * stops it.
 */
export function startEvents(
  connection: Connection,
  stream: ChangeStream,
  file: ServiceFile,
  baseUrl: string,
): () => Promise<void> {
  const { queue, secrets, emails } = file;
  const stopping = new AbortController();
  const { signal } = stopping;
  const reporter = (what: string) => (error: unknown) => {
    if (signal.aborted) return;
    const reason = error instanceof Error ? error.message || error.name : 'unknown error';
    const advice = 'If this continues, check DynamoDB and the folder DATA_DIR.';
    console.error(`${what} are delayed: ${reason.replace(/\.$/, '')}. ${advice}`);
  };
  const report = reporter('Events');

  const addPoisonRecords: AddPoisonRecords = async (records) => {
    const json = JSON.stringify(records);
    console.error(`Changes could not be published: ${json}. Repair the cause, then run \`webhook replay\`.`);
    return queue.addDeadLetters(records.map((record) => JSON.stringify(record)));
  };
  const common = { table: connection.withLimit(REQUEST_LIMIT), webhookTtl: UNCACHED };
  const publish = publishHandler({ ...common, queue, addPoisonRecords });
  const publishAll = inTurn(emailQueuer({ table: common.table, queue: emails }), publish);
  const poll = streamPoller({ stream, queue, reader: publishReader(publishAll) });
  // The local service records no metrics.
  const count = statisticsHandler({ table: common.table, recordMetrics: () => undefined });
  const pollStatistics = streamPoller({ stream, queue, reader: statisticsReader(count) });
  const deliver = deliverHandler({
    ...common,
    retries: queue,
    deadLetters: { send: (messages) => queue.addDeadLetters(messages.map(({ message }) => messageBody(message))) },
    secrets,
    send: sender({ clock: connection.clock, allowLoopback: true }),
    reportFailure: ({ webhook, event, attempt }, { status, error }) =>
      console.error(
        `The webhook ${webhook} failed: ${error ?? `status ${status}`} (${event.type}, attempt ${attempt}).`,
      ),
  });
  const delivering = deliveries(queue, deliver, signal, report);
  queue.resetVisibility();
  emails.resetVisibility();

  const pause = (milliseconds: number) => setTimeout(milliseconds, undefined, { signal });
  const startDeliveries = async () => {
    delivering.start();
    return false;
  };
  // Deliveries do not wait for the stream, whose requests may hang.
  const running = [
    repeat(poll, pause, report),
    repeat(pollStatistics, pause, reporter('Statistics')),
    repeat(startDeliveries, pause, report),
    ...emailWorkers(common.table, file, baseUrl).map((work) => repeat(work, pause, reporter('Emails'))),
  ];
  return async () => {
    stopping.abort();
    await Promise.race([Promise.allSettled([...running, delivering.settled()]), setTimeout(GRACE)]);
    stream.close();
  };
}

/** Skips all changes in the stream so far: nobody publishes or counts them. */
export async function skipChanges(stream: ChangeStream, queue: EventQueue): Promise<void> {
  const poll = streamPoller({ stream, queue, reader: skippingReader('publish') });
  while (await poll());
  const isSkipped = (position: Position) => position.stream === stream.arn && position.reader === 'publish';
  for (const position of queue.positions().filter(isSkipped)) queue.setPosition({ ...position, reader: 'statistics' });
}

/** Repeats work until `pause` rejects: without a pause if there is more. Reports the first of several failures in a row. */
export async function repeat(
  work: () => Promise<boolean>,
  pause: (milliseconds: number) => Promise<void>,
  report: (error: unknown) => void,
): Promise<never> {
  for (let failures = 0; ; ) {
    let isMore = false;
    try {
      isMore = await work();
      failures = 0;
    } catch (error) {
      if (failures === 0) report(error);
      failures += 1;
    }
    await pause(isMore ? 0 : Math.min(INTERVAL * 2 ** failures, LONGEST_PAUSE));
  }
}

/** Maximum number of parallel deliveries per webhook. */
const PER_WEBHOOK = 4;
/** Seconds until a message that could not be handled is visible again, and how often it is received at most. */
const RETRY_AFTER = 10;
const MAX_RECEIVES = 10;

/** Passes visible messages to `deliver` until the signal. A hanging receiver delays no other webhook. */
export function deliveries(
  queue: EventQueue,
  deliver: ReturnType<typeof deliverHandler>,
  signal: AbortSignal,
  report: (error: unknown) => void,
) {
  const working = new Map<string, Promise<void>>();
  const receive = (webhook: string) =>
    Array.from({ length: signal.aborted ? 0 : PER_WEBHOOK }, () => queue.receive(webhook) ?? []).flat();

  async function handle({ receiptHandle, receives, body }: ReceivedMessage): Promise<void> {
    const isHandled = await deliver({ Records: [{ messageId: receiptHandle, receiptHandle, body }] }).then(
      ({ batchItemFailures }) => batchItemFailures.length === 0,
      () => false,
    );
    if (!isHandled && receives < MAX_RECEIVES) return queue.changeVisibility(receiptHandle, RETRY_AFTER);
    if (!isHandled) await queue.addDeadLetters([body]);
    queue.delete(receiptHandle);
  }

  async function work(webhook: string): Promise<void> {
    for (let batch = receive(webhook); batch.length > 0; batch = receive(webhook)) {
      // Not Promise.all: after an error, the others are still under way.
      const results = await Promise.allSettled(batch.map(handle));
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    }
  }

  function start(): void {
    for (const webhook of queue.webhooks().filter((each) => !working.has(each))) {
      const worker = work(webhook)
        .catch(report)
        .finally(() => working.delete(webhook));
      working.set(webhook, worker);
    }
  }

  return { start, settled: () => Promise.all(working.values()) };
}
