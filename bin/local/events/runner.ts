import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { LocalQueue, ReceivedMessage } from './queue.ts';

/** The function `deliver`, as Lambda calls it with messages of the queue. */
export type Deliver = (event: SQSEvent) => Promise<SQSBatchResponse>;

/** Maximum number of parallel deliveries per endpoint. */
const PER_ENDPOINT = 4;
/**
 * Seconds until a message that could not be handled is handed out again. After `MAX_RECEIVES` times, it becomes a dead
 * letter.
 */
const RETRY_AFTER = 10;
const MAX_RECEIVES = 10;

/** Hands due messages to `deliver`. Each endpoint has its own limit, so that one that hangs delays no other. */
export class Runner {
  readonly #queue: LocalQueue;
  readonly #deliver: Deliver;
  readonly #report: (error: unknown) => void;
  /** The number of deliveries under way, by endpoint. */
  readonly #busy = new Map<string, number>();
  readonly #pending = new Set<Promise<void>>();
  #isStopping = false;
  #isStopped = false;

  constructor(queue: LocalQueue, deliver: Deliver, report: (error: unknown) => void) {
    this.#queue = queue;
    this.#deliver = deliver;
    this.#report = report;
    // No other process takes messages, so a killed one had these in flight.
    queue.releaseAll();
  }

  /** Starts the deliveries that are due, without waiting for them. */
  dispatch(): void {
    for (const webhook of this.#queue.endpoints()) this.#dispatchTo(webhook);
  }

  /** Resolves when no delivery is under way. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /**
   * Starts no more deliveries, and waits for those under way until `grace` resolves. The messages of the others stay in
   * the queue for the next start.
   */
  async stop(grace: Promise<unknown>): Promise<void> {
    this.#isStopping = true;
    await Promise.race([this.settled(), grace]);
    this.#isStopped = true;
  }

  #dispatchTo(webhook: string): void {
    const free = PER_ENDPOINT - (this.#busy.get(webhook) ?? 0);
    if (free <= 0 || this.#isStopping) return;
    for (const message of this.#queue.take(webhook, free)) {
      this.#busy.set(webhook, (this.#busy.get(webhook) ?? 0) + 1);
      const delivery = this.#handle(webhook, message)
        .catch(this.#report)
        .finally(() => this.#pending.delete(delivery));
      this.#pending.add(delivery);
    }
  }

  async #handle(webhook: string, message: ReceivedMessage): Promise<void> {
    const isHandled = await this.#deliver({ Records: [recordOf(message)] }).then(
      ({ batchItemFailures }) => batchItemFailures.length === 0,
      () => false,
    );
    const busy = (this.#busy.get(webhook) ?? 1) - 1;
    if (busy > 0) this.#busy.set(webhook, busy);
    else this.#busy.delete(webhook);
    if (this.#isStopped) return;
    if (isHandled) this.#queue.delete(message.receipt);
    else if (message.receives < MAX_RECEIVES) this.#queue.release(message.receipt, RETRY_AFTER);
    else this.#queue.moveToDeadLetters(message.receipt);
    this.#dispatchTo(webhook);
  }
}

/** Builds the record of a message as SQS passes it to a function. */
function recordOf({ receipt, receives, body }: ReceivedMessage): SQSEvent['Records'][number] {
  const now = String(Date.now());
  return {
    messageId: String(receipt),
    receiptHandle: String(receipt),
    body,
    attributes: {
      ApproximateReceiveCount: String(receives),
      SentTimestamp: now,
      SenderId: 'local',
      ApproximateFirstReceiveTimestamp: now,
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:local:000000000000:deliveries',
    awsRegion: 'local',
  };
}
