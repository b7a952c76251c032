import type { Table } from '../../kernel/dynamodb/table.ts';
import { InvalidField, Unavailable } from '../../kernel/errors.ts';
import * as time from '../../kernel/time.ts';
import { EventNotFound, ReplayTooLarge, WebhookDisabled } from '../rules/errors.ts';
import { isEnabled, type Webhook } from '../rules/webhook.ts';
import type { DeliveryMessage, Queue } from '../stream/destinations.ts';
import { findPastEvent, type PastEvent, pastEvents } from '../table/past-events.ts';
import type { On } from './parts.ts';
import { requireWebhook } from './webhooks.ts';

const MAX_ATTEMPTS = 5;
/** The longest pause before another attempt, in milliseconds. */
const PAUSE = 1000;
/** Messages in one request to the queue. */
const BATCH = 100;

/** The queue did not accept all messages. */
export class QueueBusy extends Unavailable {}

/**
 * Queues one event of a program again, with its original id, whether the webhook subscribed to it or not. Throws
 * `InvalidField`, `WebhookNotFound`, `WebhookDisabled`, `EventNotFound` or `QueueBusy`.
 */
export async function resendEvent(
  { table, queue }: On<'queue'>,
  program: string,
  webhook: string,
  eventId: string,
): Promise<Webhook> {
  const found = await requireEnabled(table, program, webhook);
  const past = await findPastEvent(table, program, eventId);
  if (!past) throw new EventNotFound();
  await enqueue(table, queue, [messageOf(program, found, past)]);
  return found;
}

/** Finds an enabled webhook. Throws `WebhookNotFound` or `WebhookDisabled`. */
export async function requireEnabled(table: Table, program: string, id: string): Promise<Webhook> {
  const webhook = await requireWebhook(table, program, id);
  if (!isEnabled(webhook)) throw new WebhookDisabled();
  return webhook;
}

/** Limits of a replay. */
export interface ReplayLimits {
  /** The longest period in seconds, up to now if it has no end. */
  readonly period: number;
  /** The largest number of referrals and entries to read. */
  readonly rows: number;
  /** The longest duration in milliseconds. */
  readonly duration: number;
}

/** The limits of one request. The function has 25 seconds. */
export const REPLAY_LIMITS: ReplayLimits = { period: 7 * time.DAY, rows: 10_000, duration: 20_000 };

/**
 * Queues the events of a period again for one webhook, with their original ids. Returns their number. All events are
 * read before the first one is queued, so that only the limit of the duration can leave a part of them queued. Throws
 * `ReplayTooLarge` or `QueueBusy`.
 */
export async function replayWithin(
  { table, queue }: On<'queue'>,
  { program, webhook, setAt }: Replay,
  limits = REPLAY_LIMITS,
): Promise<number> {
  const startedAt = table.clock();
  const lastSecond = Math.min(setAt.to - 1, time.secondOf(startedAt));
  if (lastSecond - setAt.from > limits.period) throw new ReplayTooLarge();
  const checkTime = () => {
    if (table.clock() - startedAt > limits.duration) throw new ReplayTooLarge();
  };
  const messages: DeliveryMessage[] = [];
  let rows = 0;
  for await (const page of pastEvents(table, program, webhook.events, setAt)) {
    rows += page.rows;
    if (rows > limits.rows) throw new ReplayTooLarge();
    checkTime();
    messages.push(...page.events.map((past) => messageOf(program, webhook, past)));
  }
  for (let start = 0; start < messages.length; start += BATCH) {
    checkTime();
    await enqueue(table, queue, messages.slice(start, start + BATCH));
  }
  return messages.length;
}

/** The events to replay. */
export interface Replay {
  readonly program: string;
  readonly webhook: Webhook;
  readonly setAt: time.SecondsRange;
}

/** Queues the events of a period of any length as they are read. Calls `onQueued` with each number of queued events. */
export async function replayAll(
  { table, queue }: On<'queue'>,
  { program, webhook, setAt }: Replay,
  onQueued: (count: number) => void,
): Promise<void> {
  for await (const { events } of pastEvents(table, program, webhook.events, setAt)) {
    for (let start = 0; start < events.length; start += BATCH) {
      const messages = events.slice(start, start + BATCH).map((past) => messageOf(program, webhook, past));
      await enqueue(table, queue, messages);
      onQueued(messages.length);
    }
  }
}

/** Parses the two times, both inclusive: a missed event would be worse than a repeated one. Throws `InvalidField`. */
export function parsePeriod(since: string, until: string | undefined): time.SecondsRange {
  const from = parseTime('since', since);
  const to = until === undefined ? undefined : parseTime('until', until);
  if (to && to.second < from.second) throw new InvalidField('until', 'must not be earlier than since');
  const shifted = (second: number) => ({ second, hasFraction: false });
  return time.rangeBetween(shifted(from.second - 1), to && shifted(to.second + 1));
}

function parseTime(field: string, text: string): time.Moment {
  const moment = time.parseMoment(text);
  if (moment) return moment;
  throw new InvalidField(field, 'must be a time such as 2026-01-31 00:00:00 +0000 or 2026-01-31T00:00:00Z');
}

function messageOf(program: string, { id: webhook }: Webhook, past: PastEvent): DeliveryMessage {
  // In the past, as in `publish`: the clock of this machine may be wrong.
  const due = time.milliseconds(past.event.setAt * 1000);
  return { program, webhook, ...past, attempt: 1, due };
}

/** Adds messages to the queue. Repeats messages that the queue does not accept. Throws `QueueBusy`. */
async function enqueue(table: Table, queue: Queue, messages: readonly DeliveryMessage[]): Promise<void> {
  let pending = messages;
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    const failed = await queue.send(pending.map((message) => ({ message, delay: 0 })));
    pending = pending.filter((_, index) => failed.has(index));
    if (pending.length === 0) return;
    if (attempt === MAX_ATTEMPTS) throw new QueueBusy();
    await table.backOff(PAUSE);
  }
}
