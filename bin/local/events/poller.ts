import type { DynamoDBBatchResponse, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { SetAside } from '../../../functions/events/destinations.ts';
import { referralKey } from '../../../functions/table/keys.ts';
import { SORT_KEY } from '../../../functions/table/schema.ts';
import type { Positions } from './positions.ts';
import type { ChangeStream, Shard, StreamPage } from './stream.ts';

/** The function `publish`, as Lambda calls it with records of the stream. */
export type Publish = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

/** The stream, the positions in it, and what the poller does with its records. */
export interface PollerDependencies {
  readonly stream: Pick<ChangeStream, 'arn' | 'shards' | 'iterator' | 'read'>;
  readonly positions: Positions;
  readonly publish: Publish;
  /** Sets aside a change for which `publish` throws even on its own: a bug. */
  readonly setAside: SetAside;
  /** Resolves after a number of milliseconds, or rejects once the service stops. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** The sort key of every referral. */
const REFERRAL = referralKey('', '')[SORT_KEY];
/** Records per call of `publish`, as on AWS. */
const BATCH = 100;
/** Attempts to publish one record for which `publish` throws. */
const MAX_THROWN = 8;
/** Pauses between attempts in milliseconds, which double. */
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5000;

/**
 * Reads the stream of changes and calls `publish`, as the event source mapping in `lib/` does on AWS: with inserted and
 * changed referrals only, in order, again from the first record that failed
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html).
 */
export class Poller {
  readonly #dependencies: PollerDependencies;
  /** The shards that have not ended and whose parents have, with their iterators. They are listed again if empty. */
  #open: ReadonlyMap<string, string | undefined> = new Map();

  constructor(dependencies: PollerDependencies) {
    this.#dependencies = dependencies;
  }

  /** Publishes what each shard has now. Returns true if there may be more. Throws if the stream cannot be read. */
  async poll(): Promise<boolean> {
    const shards = this.#open.size > 0 ? this.#open : await this.#listOpenShards();
    // Iterators expire, for example while a laptop sleeps. After an error they are created from the positions again.
    this.#open = new Map();
    const next = new Map<string, string | undefined>();
    let isMore = false;
    for (const [shard, iterator] of shards) {
      const page = await this.#pollShard(shard, iterator);
      next.set(shard, page.next);
      // The children of a shard that has ended can be read now.
      isMore ||= page.next === undefined || page.records.length > 0;
    }
    if (![...next.values()].includes(undefined)) this.#open = next;
    return isMore;
  }

  async #listOpenShards(): Promise<ReadonlyMap<string, undefined>> {
    const { stream, positions } = this.#dependencies;
    const shards = await stream.shards();
    const listed = new Set(shards.map(({ id }) => id));
    const hasEnded = (id: string) => positions.of(stream.arn, id)?.ended === true;
    const isWaiting = ({ parent }: Shard) => parent !== undefined && listed.has(parent) && !hasEnded(parent);
    const open = shards.filter((shard) => !hasEnded(shard.id) && !isWaiting(shard));
    return new Map(open.map(({ id }) => [id, undefined]));
  }

  async #pollShard(shard: string, known: string | undefined): Promise<StreamPage> {
    const { stream, positions } = this.#dependencies;
    const iterator = known ?? (await stream.iterator(shard, positions.of(stream.arn, shard)?.sequence));
    const page = await stream.read(iterator);
    await this.#publishAll(shard, page.records.filter(isReferralChange));
    const last = page.records.at(-1);
    if (last) this.#advance(shard, last);
    if (page.next === undefined) positions.end(stream.arn, shard);
    return page;
  }

  /** Publishes records, and retries without limit, because the queue or the table may be down for any time. */
  async #publishAll(shard: string, records: readonly DynamoDBRecord[]): Promise<void> {
    let pending = records;
    let size = BATCH;
    let attempts = 0;
    let thrown = 0;
    while (pending.length > 0) {
      const batch = pending.slice(0, size);
      const failed = await this.#publish(batch);
      const published = failed ?? 0;
      const last = batch[published - 1];
      if (last) {
        this.#advance(shard, last);
        attempts = 0;
      }
      pending = pending.slice(published);
      thrown = failed === undefined && batch.length === 1 ? thrown + 1 : 0;
      if (published === batch.length) continue;
      // A call that fails as a whole does not say which record is to blame.
      if (failed === undefined) size = 1;
      if (thrown === MAX_THROWN) {
        await this.#setAside(shard, pending[0]);
        pending = pending.slice(1);
        attempts = 0;
        thrown = 0;
        continue;
      }
      await this.#dependencies.pause(Math.min(FIRST_PAUSE * 2 ** attempts, LONGEST_PAUSE));
      attempts += 1;
    }
  }

  /**
   * Returns the number of records before the first one that failed. Returns `undefined` if the call failed as a whole:
   * it threw, or it named a record that does not exist.
   */
  async #publish(batch: readonly DynamoDBRecord[]): Promise<number | undefined> {
    try {
      const { batchItemFailures } = await this.#dependencies.publish({ Records: [...batch] });
      const places = batchItemFailures.map(({ itemIdentifier }) =>
        batch.findIndex((record) => sequenceOf(record) === itemIdentifier),
      );
      return places.includes(-1) ? undefined : Math.min(batch.length, ...places);
    } catch {
      return undefined;
    }
  }

  #advance(shard: string, record: DynamoDBRecord): void {
    const { stream, positions } = this.#dependencies;
    positions.advance(stream.arn, shard, sequenceOf(record));
  }

  async #setAside(shard: string, record: DynamoDBRecord | undefined): Promise<void> {
    if (!record) return;
    await this.#dependencies.setAside([{ sequenceNumber: sequenceOf(record), keys: record.dynamodb?.Keys }]);
    this.#advance(shard, record);
  }
}

/** The filter of the event source mapping. The deletion of a click that has expired is not an event. */
function isReferralChange({ eventName, dynamodb }: DynamoDBRecord): boolean {
  return (eventName === 'INSERT' || eventName === 'MODIFY') && dynamodb?.Keys?.[SORT_KEY]?.S === REFERRAL;
}

function sequenceOf({ dynamodb }: DynamoDBRecord): string {
  return dynamodb?.SequenceNumber ?? '';
}
