import type { SQSBatchResponse } from 'aws-lambda';
import type { RetryQueue } from '../../functions/webhooks/stream/destinations.ts';
import { messageBody } from '../../functions/webhooks/stream/messages.ts';
import { occurs, type Surroundings } from './instance.ts';
import { leakIn } from './privacy.ts';

/** The visibility timeout of the queues in `lib/`, in milliseconds. */
const VISIBILITY_TIMEOUT = 360_000;

/** How late a message may arrive, in milliseconds. */
const LATE = 20_000;

/** A message as a function receives it. */
export interface QueueRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: { readonly ApproximateReceiveCount: string };
}

type Deliver = (record: QueueRecord) => Promise<SQSBatchResponse | 'crashed'>;

/** A standard queue, which invokes a function for each visible message until it succeeds. */
export class SimulatedQueue implements RetryQueue {
  readonly #surroundings: Surroundings;
  readonly #deliver: Deliver;
  /** When each message that was not delivered is visible again. */
  readonly #visibleAt = new Map<string, number>();
  #messages = 0;

  constructor(surroundings: Surroundings, deliver: Deliver) {
    this.#surroundings = surroundings;
    this.#deliver = deliver;
  }

  send: RetryQueue['send'] = async (messages) =>
    acceptedBy(this.#surroundings, messages, ({ message, delay }) => {
      this.add(messageBody(message), delay * 1000);
    });

  extendVisibility = async (receiptHandle: string, seconds: number): Promise<void> => {
    this.#visibleAt.set(receiptHandle, this.#surroundings.world.now() + seconds * 1000);
  };

  /** Adds a message, which is visible after a number of milliseconds. It may arrive late, or twice. */
  add(body: string, delay = 0): void {
    const leak = leakIn(body);
    if (leak !== undefined) this.#surroundings.leaks.push(`A message contains ${leak}`);
    const copies = occurs(this.#surroundings, 'repeat') ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const late = occurs(this.#surroundings, 'late') ? this.#surroundings.world.chance.below(LATE) : 0;
      void this.#deliverUntilDone(body, delay + late);
    }
  }

  async #deliverUntilDone(body: string, delay: number): Promise<void> {
    const { world } = this.#surroundings;
    this.#messages += 1;
    const id = String(this.#messages);
    this.#visibleAt.set(id, world.now() + delay);
    for (let receives = 1; ; receives += 1) {
      // A poll takes some time. It also separates messages that are visible at the same moment.
      await world.pause(Math.max(0, (this.#visibleAt.get(id) ?? 0) - world.now()) + world.chance.below(100));
      this.#visibleAt.set(id, world.now() + VISIBILITY_TIMEOUT);
      const attributes = { ApproximateReceiveCount: String(receives) };
      const result = await this.#deliver({ messageId: id, receiptHandle: id, body, attributes });
      if (result !== 'crashed' && result.batchItemFailures.length === 0) break;
    }
    this.#visibleAt.delete(id);
  }
}

/**
 * Lets a queue or a bus accept entries. With the fault `queue`, it refuses all or some of them, or accepts them although
 * the sender gets an error. Returns the indexes of the refused ones.
 */
export async function acceptedBy<Entry>(
  surroundings: Surroundings,
  entries: readonly Entry[],
  accept: (entry: Entry) => void,
): Promise<ReadonlySet<number>> {
  const { world } = surroundings;
  await world.pause(1 + world.chance.below(10));
  if (!occurs(surroundings, 'queue')) {
    for (const entry of entries) accept(entry);
    return new Set();
  }
  if (world.chance.happens(0.3)) throw new Error('All entries are refused.');
  const isLost = world.chance.happens(0.5);
  const refused = new Set<number>();
  for (const [index, entry] of entries.entries()) {
    if (isLost || world.chance.happens(0.5)) accept(entry);
    else refused.add(index);
  }
  if (isLost || refused.size === entries.length) throw new Error('There is no response.');
  return refused;
}
