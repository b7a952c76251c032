import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { deliverHandler } from '../../functions/events/deliver.ts';
import type { DeliveryMessage, RetryQueue } from '../../functions/events/destinations.ts';
import { messageBody } from '../../functions/events/messages.ts';
import { publishHandler } from '../../functions/events/publish.ts';
import type { SendResult } from '../../functions/events/send.ts';
import type { SecretReader } from '../../functions/secrets/secrets.ts';
import type { Item } from '../../functions/table/dynamodb/item.ts';
import type { Change } from './fake/table.ts';
import { Instances, type Surroundings } from './instance.ts';

/** A message in the simulated queue. */
interface Queued {
  readonly id: number;
  readonly body: string;
  visibleAt: number;
}

/** The visibility timeout of the queues in `lib/`, in milliseconds. */
const VISIBILITY_TIMEOUT = 360_000;
/** The limit of each request of the stream's functions to the table, in milliseconds. */
const REQUEST_LIMIT = 10_000;
/** Records per invocation, at most. */
const BATCH = 20;
/** How often the stream passes records again that it passed before, and how often a receiver fails. */
const REPEATED = 0.02;
const FAILING = 0.1;
const FAILURES: readonly SendResult[] = [
  { status: 500, error: null, retryAfter: null },
  { status: null, error: 'connection_failed', retryAfter: null },
  { status: 429, error: null, retryAfter: 60_000 },
];
const ACCEPTED: SendResult = { status: 204, error: null, retryAfter: null };

/**
 * The stream's functions with everything around them: the event source mapping, which repeats from the first failed
 * record; a standard queue with a visibility timeout; and a receiver that fails, hangs or loses its response.
 */
export class Events {
  readonly #surroundings: Surroundings;
  readonly #records: DynamoDBRecord[] = [];
  readonly #queue = new Map<number, Queued>();
  #messages = 0;
  #position = 0;
  /** The ids of the events that each receiver got, by its URL. */
  readonly received = new Map<string, Map<string, number>>();
  readonly poisonRecords: unknown[] = [];
  deadLetters = 0;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Adds a change of the table to the stream. */
  add({ before, after }: Change): void {
    // The filter of the event source mapping in lib/.
    if (after?.['sk'] !== 'REFERRAL') return;
    const image = (item: Item) => marshall(item, { removeUndefinedValues: true }) as never;
    this.#records.push({
      eventName: before ? 'MODIFY' : 'INSERT',
      dynamodb: {
        SequenceNumber: String(this.#records.length + 1).padStart(20, '0'),
        Keys: image({ pk: after['pk'], sk: after['sk'] }),
        NewImage: image(after),
        ...(before && { OldImage: image(before) }),
      },
    });
  }

  /** Publishes and delivers until `isOver`, and then until nothing is left. */
  async run(secrets: SecretReader, isOver: () => boolean): Promise<void> {
    const { world } = this.#surroundings;
    const publish = new Instances(this.#surroundings, (connection) =>
      publishHandler({
        table: connection.withLimit(REQUEST_LIMIT),
        queue: this.#retries,
        addPoisonRecords: async (records) => {
          this.poisonRecords.push(...records);
          return new Set();
        },
      }),
    );
    const deliver = new Instances(this.#surroundings, (connection) =>
      deliverHandler({
        table: connection.withLimit(REQUEST_LIMIT),
        retries: this.#retries,
        deadLetters: {
          send: async (messages) => {
            this.deadLetters += messages.length;
            return new Set();
          },
        },
        secrets,
        send: (url, { id }) => this.#receive(url, id),
      }),
    );
    let isPublishing = true;
    const polling = async () => {
      while (!isOver() || this.#position < this.#records.length) {
        await this.#poll(publish);
        await world.pause(20 + world.chance.below(200));
      }
      isPublishing = false;
    };
    const delivering = async () => {
      while (isPublishing || this.#queue.size > 0) {
        await this.#deliverNext(deliver);
        const { size } = this.#queue;
        // A retry may wait for hours: the time jumps to it once nothing else happens.
        const wait = isPublishing || size === 0 ? 100 : this.#nextVisible() - world.now();
        await world.pause(Math.max(10, wait));
      }
    };
    await Promise.all([polling(), delivering(), delivering(), delivering()]);
  }

  async #poll(publish: Instances<ReturnType<typeof publishHandler>>): Promise<void> {
    const { chance } = this.#surroundings.world;
    if (chance.happens(REPEATED)) this.#position = Math.max(0, this.#position - chance.below(5));
    const batch = this.#records.slice(this.#position, this.#position + 1 + chance.below(BATCH));
    if (batch.length === 0) return;
    const result = await publish.invoke((handle) => handle({ Records: batch })).catch(() => 'crashed' as const);
    if (result === 'crashed') return;
    const failed = result.batchItemFailures.map(({ itemIdentifier }) =>
      batch.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === itemIdentifier),
    );
    this.#position += failed.length === 0 ? batch.length : Math.min(...failed);
  }

  async #deliverNext(deliver: Instances<ReturnType<typeof deliverHandler>>): Promise<void> {
    const { world } = this.#surroundings;
    const message = [...this.#queue.values()].find(({ visibleAt }) => visibleAt <= world.now());
    if (!message) return;
    message.visibleAt = world.now() + VISIBILITY_TIMEOUT;
    const record = { messageId: String(message.id), receiptHandle: String(message.id), body: message.body };
    const result = await deliver.invoke((handle) => handle({ Records: [record] }));
    if (result !== 'crashed' && result.batchItemFailures.length === 0) this.#queue.delete(message.id);
  }

  #nextVisible(): number {
    return Math.min(...[...this.#queue.values()].map(({ visibleAt }) => visibleAt));
  }

  /** The queue of deliveries. A message may be stored although its sender gets an error. */
  readonly #retries: RetryQueue = {
    send: async (messages) => {
      const { world, rates, faults } = this.#surroundings;
      await world.pause(1 + world.chance.below(10));
      if (world.chance.happens(rates.queue)) {
        faults.queue += 1;
        // All of it is refused, or stored although the sender gets an error, or a part of it is refused.
        if (world.chance.happens(0.3)) throw new Error('The queue refuses the messages.');
        const isLost = world.chance.happens(0.5);
        const refused = messages.flatMap((_, index) => (isLost || world.chance.happens(0.5) ? [] : [index]));
        for (const [index, { message, delay }] of messages.entries()) {
          if (!refused.includes(index)) this.#enqueue(message, delay);
        }
        if (isLost || refused.length === messages.length) throw new Error('The queue did not respond.');
        return new Set(refused);
      }
      for (const { message, delay } of messages) this.#enqueue(message, delay);
      return new Set();
    },
    extendVisibility: async (receiptHandle, seconds) => {
      const message = this.#queue.get(Number(receiptHandle));
      if (message) message.visibleAt = this.#surroundings.world.now() + seconds * 1000;
    },
  };

  #enqueue(message: DeliveryMessage, delay: number): void {
    this.#messages += 1;
    const visibleAt = this.#surroundings.world.now() + delay * 1000;
    this.#queue.set(this.#messages, { id: this.#messages, body: messageBody(message), visibleAt });
  }

  async #receive(url: string, event: string): Promise<SendResult> {
    const { world } = this.#surroundings;
    await world.pause(5 + world.chance.below(50));
    if (world.chance.happens(FAILING)) return world.chance.pick(FAILURES);
    const events = this.received.get(url) ?? new Map<string, number>();
    this.received.set(url, events.set(event, (events.get(event) ?? 0) + 1));
    if (!world.chance.happens(FAILING)) return ACCEPTED;
    await world.pause(15_000);
    return { status: null, error: 'timeout', retryAfter: null };
  }
}
