import type { Table } from '../../kernel/dynamodb/table.ts';
import { logFailure } from '../../kernel/log/failure.ts';
import { DAY, milliseconds } from '../../kernel/time.ts';
import { retryDelay } from '../rules/webhook-retries.ts';
import type { DeliveryMessage, Queue, RetryQueue } from './destinations.ts';

/** What the messages of later attempts need. */
export interface RetryDependencies {
  /** Its clock and its randomness are used. */
  readonly table: Pick<Table, 'clock' | 'random'>;
  /** Gets the messages of the next attempts. */
  readonly retries: RetryQueue;
  /** Gets the messages whose last attempt failed. */
  readonly deadLetters: Queue;
}

/** Delay of an attempt that could not be made, in milliseconds. */
const POSTPONEMENT = 5 * 60 * 1000;
/** How long an attempt can be postponed, in milliseconds (docs/contract/events.md). */
const MAX_POSTPONED = 4 * DAY * 1000;

/** Queues the next attempt. After the last attempt, adds a dead letter. Throws if the queue fails. */
export async function queueNextAttempt(
  { table, retries, deadLetters }: RetryDependencies,
  message: DeliveryMessage,
  retryAfter: number | null,
): Promise<void> {
  const { program, webhook, event, attempt } = message;
  const delay = retryDelay(attempt, retryAfter, table.random);
  if (delay === undefined) {
    await enqueue(deadLetters, message, 0);
    logFailure('dead_letter', { program, webhook, event: event.id });
    return;
  }
  // The queue delays by whole seconds. The nearest one is within the jitter: 5 seconds stay 5.
  const seconds = Math.round(delay / 1000);
  const due = milliseconds(table.clock() + seconds * 1000);
  await enqueue(retries, { ...message, attempt: attempt + 1, due, postponedSince: undefined }, seconds);
}

/**
 * Queues the same attempt again, after five minutes, because of an error. Throws the error if it was postponed for too
 * long. Throws if the queue fails.
 */
export async function postponeAttempt(
  { table, retries }: RetryDependencies,
  message: DeliveryMessage,
  error: Error,
): Promise<void> {
  const now = table.clock();
  const { program, webhook, event, postponedSince = now } = message;
  if (now - postponedSince >= MAX_POSTPONED) throw error;
  const due = milliseconds(now + POSTPONEMENT);
  await enqueue(retries, { ...message, due, postponedSince }, POSTPONEMENT / 1000);
  logFailure('delivery_postponed', { program, webhook, event: event.id }, error);
}

/**
 * Makes a message visible again when it is due. Returns true if the queue must keep this message. If the queue cannot
 * change its visibility, such as for a message of another queue, it is added to the retries instead. Throws if this fails.
 */
export async function keepUntilDue(
  { table, retries }: RetryDependencies,
  message: DeliveryMessage,
  receiptHandle: string,
): Promise<boolean> {
  const seconds = Math.max(0, Math.ceil((message.due - table.clock()) / 1000));
  if (retries.extendVisibility) {
    try {
      await retries.extendVisibility(receiptHandle, seconds);
      return true;
    } catch (error) {
      const { program, webhook, event } = message;
      logFailure('retry_not_hidden', { program, webhook, event: event.id }, error);
    }
  }
  await enqueue(retries, message, seconds);
  return false;
}

/** Adds a message to a queue, visible after some whole seconds. */
async function enqueue(queue: Queue, message: DeliveryMessage, delay: number): Promise<void> {
  await queue.send([{ message, delay }]);
}
