import { marshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Item } from '../../functions/kernel/dynamodb/item.ts';
import { SIGN_IN_LINKS } from '../../functions/kernel/dynamodb/keys.ts';
import { EVENT_KINDS } from '../../functions/ledger/rules/entry-event.ts';
import type { StreamHandler } from '../../functions/people/stream/queue-emails.ts';
import type { Change } from './fake/table.ts';
import { type Instances, occurs, type Surroundings } from './instance.ts';

/** A shard, with the records that were not published yet and the last ones before them. */
interface Shard {
  records: DynamoDBRecord[];
  /** How many of the records were published. */
  position: number;
  isRead: boolean;
  /** The shards into which it split. They are read once it is empty. */
  children: readonly [Shard, Shard] | undefined;
}

/** New entries that are events, or cause emails. */
const KINDS: readonly unknown[] = [...EVENT_KINDS, 'settlement'];

/** Items whose changes are events, or cause emails. */
const CHANGED: readonly unknown[] = ['REFERRAL', 'MEMBERS', 'DRAFT', 'APPLICATION'];

/** The filters of the event source mapping: changes of referrals and of people, new payments, refunds and settlements. */
const isPublished = (before: Item | undefined, { sk, kind, by }: Item) =>
  CHANGED.includes(sk) ||
  (before && sk === 'ADVOCATE') ||
  String(sk).startsWith(SIGN_IN_LINKS) ||
  (!before && KINDS.includes(kind) && by !== 'import');

type Image = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>;

const images = new WeakMap<Item, Image>();

/** Returns an item as records contain it. The new image of a change is the old one of the next. */
export function imageOf(item: Item): Image {
  const image = images.get(item) ?? (marshall(item, { removeUndefinedValues: true }) as Image);
  images.set(item, image);
  return image;
}

/** Records per invocation, at most, and records that may be passed again. */
const BATCH = 20;
const KEPT = 5;
/** How late records may be passed, in milliseconds. */
const LATE = 20_000;

const newShard = (): Shard => ({ records: [], position: 0, isRead: false, children: undefined });

/**
 * The table's stream and its event source mapping, with the settings in lib/: it repeats from the first failed record,
 * halves the batch of a function that crashed, and reads the two shards of a split after their parent.
 */
export class Stream {
  readonly #surroundings: Surroundings;
  readonly #publish: Instances<StreamHandler>;
  /** The first shard. */
  readonly #shard = newShard();
  #records = 0;

  constructor(surroundings: Surroundings, publish: Instances<StreamHandler>) {
    this.#surroundings = surroundings;
    this.#publish = publish;
  }

  /** Adds a change of the table. Its record is published later. */
  add({ before, after }: Change): void {
    if (!after || !isPublished(before, after)) return;
    if (!this.#shard.children && occurs(this.#surroundings, 'split')) {
      this.#shard.children = [newShard(), newShard()];
    }
    const { children } = this.#shard;
    // A key always belongs to the same shard. The last character of an id is random.
    const shard = children?.[String(after['pk']).charCodeAt(String(after['pk']).length - 1) % 2 === 0 ? 0 : 1];
    this.#records += 1;
    (shard ?? this.#shard).records.push({
      eventName: before ? 'MODIFY' : 'INSERT',
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(this.#surroundings.world.now() / 1000),
        SequenceNumber: String(this.#records).padStart(20, '0'),
        Keys: { pk: { S: String(after['pk']) }, sk: { S: String(after['sk']) } },
        NewImage: imageOf(after),
        ...(before && { OldImage: imageOf(before) }),
      },
    });
    void this.#read(this.#shard);
  }

  /** Publishes all records of a shard, unless that is under way. */
  async #read(shard: Shard): Promise<void> {
    if (shard.isRead) return;
    shard.isRead = true;
    const { world } = this.#surroundings;
    let size = BATCH;
    while (shard.position < shard.records.length) {
      await world.pause(20 + world.chance.below(200));
      if (occurs(this.#surroundings, 'late')) await world.pause(world.chance.below(LATE));
      size = await this.#publishBatch(shard, size);
    }
    shard.isRead = false;
    if (!shard.children) return;
    await Promise.all(shard.children.map((child) => this.#read(child)));
  }

  /** Publishes a batch. Returns the size of the next one. */
  async #publishBatch(shard: Shard, size: number): Promise<number> {
    const { chance } = this.#surroundings.world;
    if (occurs(this.#surroundings, 'repeat')) shard.position = Math.max(0, shard.position - chance.below(KEPT));
    const batch = shard.records.slice(shard.position, shard.position + 1 + chance.below(size));
    const result = await this.#publish.invoke((handle) => handle({ Records: batch })).catch(() => 'crashed' as const);
    if (result === 'crashed') return Math.max(1, batch.length >> 1);
    const failed = result.batchItemFailures.map(({ itemIdentifier }) =>
      batch.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === itemIdentifier),
    );
    shard.position += failed.length === 0 ? batch.length : Math.min(...failed);
    const dropped = Math.max(0, shard.position - KEPT);
    shard.records = shard.records.slice(dropped);
    shard.position -= dropped;
    return BATCH;
  }
}
