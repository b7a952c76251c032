import type { DynamoDBRecord } from 'aws-lambda';
import type { Shard, StreamPage } from '../../../bin/local/events/stream.ts';

/** Records per page: few, so that tests need several pages. */
const PAGE = 5;

/**
 * A stream whose shards end and get children, as those of AWS and of DynamoDB Local do after some hours. The embedded
 * engine has one shard that never ends.
 */
export class Shards {
  readonly arn = 'arn:aws:dynamodb:local:000000000000:table/a/stream/1';
  /** The number of calls of `shards` that are made. */
  listings = 0;
  /** The number of reads from now on that fail. */
  failures = 0;
  readonly #shards: { readonly id: string; parent: string | undefined; records: DynamoDBRecord[]; ended: boolean }[] =
    [];
  #sequence = 0;

  /** Adds a shard. Its parent ends. */
  split(id: string, parent?: string): void {
    for (const shard of this.#shards) if (shard.id === parent) shard.ended = true;
    this.#shards.push({ id, parent, records: [], ended: false });
  }

  /** Forgets a shard and its records, as after 24 hours. */
  expire(id: string): void {
    this.#shards.splice(
      this.#shards.findIndex((shard) => shard.id === id),
      1,
    );
  }

  /** Adds records to a shard. Returns their sequence numbers. */
  write(id: string, ...records: readonly Pick<DynamoDBRecord, 'eventName' | 'dynamodb'>[]): string[] {
    return records.map((record) => {
      this.#sequence += 1;
      const SequenceNumber = String(this.#sequence).padStart(21, '0');
      this.#find(id).records.push({ ...record, dynamodb: { ...record.dynamodb, SequenceNumber } });
      return SequenceNumber;
    });
  }

  async shards(): Promise<Shard[]> {
    this.listings += 1;
    return this.#shards.map(({ id, parent }) => ({ id, parent }));
  }

  async iterator(shard: string, after: string | undefined): Promise<string> {
    const { records } = this.#find(shard);
    return `${shard} ${after === undefined ? 0 : records.findIndex((record) => numberOf(record) === after) + 1}`;
  }

  async read(iterator: string): Promise<StreamPage> {
    this.failures -= 1;
    if (this.failures >= 0) throw new Error('made by a test');
    const [id = '', start = ''] = iterator.split(' ');
    const { records, ended } = this.#find(id);
    const end = Math.min(records.length, Number(start) + PAGE);
    return {
      records: records.slice(Number(start), end),
      next: ended && end === records.length ? undefined : `${id} ${end}`,
    };
  }

  #find(id: string) {
    const shard = this.#shards.find((candidate) => candidate.id === id);
    if (!shard) throw new Error(`The shard ${id} does not exist.`);
    return shard;
  }
}

const numberOf = ({ dynamodb }: DynamoDBRecord) => dynamodb?.SequenceNumber;
