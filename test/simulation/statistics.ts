import type { DynamoDBRecord } from 'aws-lambda';
import type { Item } from '../../functions/kernel/dynamodb/item.ts';
import { programInKey } from '../../functions/kernel/dynamodb/keys.ts';
import { statisticsHandler } from '../../functions/statistics/stream/count.ts';
import type { Change } from './fake/table.ts';
import { Instances, occurs, type Surroundings } from './instance.ts';
import { imageOf } from './stream.ts';

/** Shards at a time, and the records after which a shard is replaced by a new one. */
const LANES = 3;
const SHARD_RECORDS = 150;
/** Records per invocation, at most. */
const BATCH = 40;
/** The longest time between two batches, in milliseconds. */
const INTERVAL = 500;
/** The limit of each request to the table, in milliseconds. */
const REQUEST_LIMIT = 10_000;

interface Shard {
  readonly id: string;
  readonly records: DynamoDBRecord[];
  position: number;
}

/** A sequence of shards. A shard is read when its parent has been. */
interface Lane {
  shards: Shard[];
  isRead: boolean;
}

/** The name of a number: of an advocate, or of the whole program (`null`), on a day or in its totals. */
export const nameOf = (of: { program: string; day: string; slug: string | null; kind: string }): string =>
  `${of.program} ${of.day} ${of.slug ?? ''} ${of.kind}`;
/** Instead of a day. */
export const TOTAL = 'total';

/**
 * The table's stream as the event source mapping of `statistics` reads it: several shards, which end and are continued by
 * others, and batches that are repeated, late, split or killed. It also computes what statistics must be, from the
 * changes themselves.
 */
export class StatisticsStream {
  readonly #surroundings: Surroundings;
  readonly #count: Instances<ReturnType<typeof statisticsHandler>>;
  readonly #lanes = Array.from({ length: LANES }, (): Lane => ({ shards: [], isRead: false }));
  #shards = 0;
  #sequence = 10n ** 24n;
  readonly #paid = new Set<unknown>();
  /** The numbers that statistics must have, by `nameOf`. */
  readonly expected = new Map<string, bigint>();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#count = new Instances(surroundings, (connection) =>
      statisticsHandler({ table: connection.withLimit(REQUEST_LIMIT), recordMetrics: () => undefined }),
    );
  }

  /** Adds a change of the table to the stream. It is counted later. */
  add({ before, after }: Change): void {
    const isEntry = String(after?.['pk']).includes('#LEDGER#');
    if (!after || (after['sk'] !== 'REFERRAL' && !isEntry)) return;
    if (isEntry) this.#expectMoney(after);
    else this.#expect(before, after);
    // All changes of an item are in the same lane. The last character of an id is random.
    const lane = this.#lanes[String(after['pk']).charCodeAt(String(after['pk']).length - 1) % LANES];
    if (!lane) return;
    this.#sequence += 1n;
    this.#shardOf(lane).records.push({
      eventName: before ? 'MODIFY' : 'INSERT',
      dynamodb: {
        SequenceNumber: String(this.#sequence),
        Keys: { pk: { S: String(after['pk']) }, sk: { S: String(after['sk']) } },
        NewImage: imageOf(after),
        ...(before && { OldImage: imageOf(before) }),
      },
    });
    void this.#read(lane);
  }

  /** Drops all records, as the stream does after a day. */
  forget(): void {
    for (const lane of this.#lanes) lane.shards = [];
  }

  #shardOf(lane: Lane): Shard {
    const last = lane.shards.at(-1);
    if (last && last.records.length < SHARD_RECORDS) return last;
    this.#shards += 1;
    const shard = { id: `shard-${this.#shards}`, records: [], position: 0 };
    lane.shards.push(shard);
    return shard;
  }

  /** Computes what a change counts, from the attributes of its two items. */
  #expect(before: Item | undefined, after: Item): void {
    const [, advocate = ''] = String(after['owner_state']).split('#');
    const program = programInKey(String(after['pk']));
    const count = (kind: string, second: unknown) =>
      this.#add({ program, advocate, kind, second: Number(second), amount: 1 });
    const { state } = after;
    if (!before && state === 'clicked') count('clicks', after['created_at']);
    if (before?.['converted_at'] === undefined && after['converted_at'] !== undefined) {
      count('conversions', after['converted_at']);
    }
    if (state === before?.['state']) return;
    // Only an import creates a lost customer, who has paid before.
    if (state === 'churned' && before?.['converted_at'] === undefined) this.#paid.add(after['pk']);
    if (state === 'churned' || state === 'rejected') count(state, after['state_set_at']);
    if (state !== 'paid' || this.#paid.has(after['pk'])) return;
    this.#paid.add(after['pk']);
    count('paying', after['state_set_at']);
  }

  /** Computes what a new entry of the ledger adds to the money of its day, from its attributes. */
  #expectMoney({ pk, sk, kind, currency, amount = 0, commission }: Item): void {
    const [, program = '', , advocate = ''] = String(pk).split('#');
    const add = (name: string, value: unknown) =>
      this.#add({
        program,
        advocate,
        kind: `${currency} ${name}`,
        second: Number.parseInt(String(sk), 10),
        amount: Number(value),
      });
    if (kind === 'settlement') add('settled', -Number(commission));
    else if (kind === 'adjustment') add('adjustments', commission);
    else {
      add('revenue', amount);
      add('commissions', commission);
    }
  }

  #add(addend: { program: string; advocate: string; kind: string; second: number; amount: number }): void {
    const { program, advocate, kind, amount } = addend;
    for (const day of [new Date(addend.second * 1000).toISOString().slice(0, 10), TOTAL]) {
      for (const slug of [null, advocate]) {
        const name = nameOf({ program, day, slug, kind });
        this.expected.set(name, (this.expected.get(name) ?? 0n) + BigInt(amount));
      }
    }
  }

  /** Passes all records of a lane to the function, unless that is under way. */
  async #read(lane: Lane): Promise<void> {
    if (lane.isRead) return;
    lane.isRead = true;
    const { world } = this.#surroundings;
    const next = () => lane.shards.find(({ position, records }) => position < records.length);
    for (let shard = next(); shard; shard = next()) {
      await world.pause(20 + world.chance.below(INTERVAL));
      await this.#readBatch(shard);
    }
    lane.isRead = false;
  }

  async #readBatch(shard: Shard): Promise<void> {
    const { chance } = this.#surroundings.world;
    const { position, records } = shard;
    const end = Math.min(records.length, position + 1 + chance.below(BATCH));
    // An older batch of the shard arrives only now.
    if (position > 0 && occurs(this.#surroundings, 'late')) await this.#pass(shard, chance.below(position), position);
    const middle = Math.ceil((position + end) / 2);
    if (occurs(this.#surroundings, 'split') && (await this.#pass(shard, position, middle))) shard.position = middle;
    const isCounted = await this.#pass(shard, shard.position, end);
    if (occurs(this.#surroundings, 'repeat')) await this.#pass(shard, position, end);
    if (isCounted) shard.position = end;
  }

  /** Passes a part of a shard to the function. Resolves to false if the function failed or crashed. */
  async #pass({ id, records }: Shard, from: number, to: number): Promise<boolean> {
    const event = { Records: records.slice(from, to), shardId: id };
    const result = await this.#count.invoke((handle) => handle(event).catch(() => 'failed' as const));
    return typeof result === 'object';
  }
}
