import { DynamoDBServiceException, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { RequestRefused, TableMissing, Unavailable } from '../domain/errors.ts';
import type { Random } from '../domain/ids.ts';
import type { Clock, Milliseconds } from '../domain/time.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { PARTITION_KEY } from './schema.ts';

/** What a connection works with. */
export interface Wire {
  readonly tableName: string;
  readonly client: DynamoDBDocumentClient;
  readonly clock: Clock;
  readonly random: Random;
  /** Resolves after a number of milliseconds. */
  readonly pause: (duration: number) => Promise<unknown>;
}

/** A query without the name of its table. */
export type Query = Omit<QueryCommandInput, 'TableName'>;
export interface Rows {
  readonly items: readonly Item[];
  readonly count: number;
  /** The key to continue from, if there may be more rows. */
  readonly lastKey: Query['ExclusiveStartKey'];
}

/** Keys in one batch, and the longest pause in milliseconds after a batch that left keys unprocessed. */
const [MAX_BATCH, BATCH_PAUSE] = [100, 100];
/** Attempts at a write that conflicts with others, and the longest pauses after the first and the last ones. */
const [MAX_TRIES, FIRST_PAUSE, LONGEST_PAUSE] = [6, 10, 160];

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
]);
const TIMEOUTS = new Set(['AbortError', 'TimeoutError']);
/** Errors of the operating system, such as ECONNREFUSED, and of the HTTP parser. Node's own errors begin with `ERR_`. */
const NETWORK_ERROR = /^(?:E(?!RR_)|HPE_)[A-Z_]+$/;

/** `writes.ts` evaluates these errors. */
const FAILED_WRITES = new Set([
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
  'TransactionConflictException',
]);

/** Sends a request with the SDK's client. */
export type Request<Response> = (wire: Wire, options: { readonly abortSignal: AbortSignal }) => Promise<Response>;

/** The end of one attempt: a result, or the conflict for which to try again. */
export type Attempt<Result> = { readonly result: Result } | { readonly conflict: unknown };

/**
 * The table as one request sees it: every method is given up at the request's deadline. All of them throw `Unavailable`
 * if the table does not respond in time, throttles or fails, `TableMissing`, or `RequestRefused`.
 */
export class Table {
  readonly clock: Clock;
  readonly random: Random;
  readonly #wire: Wire;
  readonly #deadline: () => Milliseconds;

  constructor(wire: Wire, deadline: () => Milliseconds) {
    this.clock = wire.clock;
    this.random = wire.random;
    this.#wire = wire;
    this.#deadline = deadline;
  }

  /** Sends one request through the SDK. Only for `functions/table`: other code has no commands of the SDK. */
  async send<Response>(request: Request<Response>): Promise<Response> {
    const left = Math.floor(this.#deadline() - this.clock());
    if (left <= 0) throw new Unavailable();
    try {
      return await request(this.#wire, { abortSignal: AbortSignal.timeout(left) });
    } catch (error) {
      throw withoutSdk(error);
    }
  }

  /**
   * Waits a random time of at most `ceiling` milliseconds, so that requests that collided once do not collide again.
   * Throws `Unavailable` if the deadline comes first.
   */
  async backOff(ceiling: number): Promise<void> {
    const wait = (Buffer.from(this.random(4)).readUInt32BE() / 2 ** 32) * ceiling;
    if (this.clock() + wait >= this.#deadline()) throw new Unavailable();
    await this.#wire.pause(wait);
  }

  /**
   * Repeats an attempt that conflicts with other writers, which the SDK does not, with full jitter between the attempts
   * (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/). Throws `Unavailable` if attempts
   * or time run out.
   */
  async retryOnConflict<Result>(attempt: () => Promise<Attempt<Result>>): Promise<Result> {
    for (let tries = 1, longest = FIRST_PAUSE; ; tries += 1, longest = Math.min(longest * 2, LONGEST_PAUSE)) {
      const outcome = await attempt();
      if ('result' in outcome) return outcome.result;
      if (tries === MAX_TRIES) throw new Unavailable(outcome.conflict, reasonOf(outcome.conflict));
      await this.backOff(longest);
    }
  }

  /** Reads one item. A consistent read costs twice as much and finds what was written a moment ago. */
  async get(key: Key, { consistent = true } = {}): Promise<Item | undefined> {
    const { Item } = await this.send(({ client, tableName }, options) =>
      client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: consistent }), options),
    );
    return Item;
  }

  /**
   * Reads items consistently, up to 100 in one request unless a busy table leaves keys unprocessed. Returns them in the
   * order of the keys, which must differ in their partitions; `undefined` if there is no item or no key.
   */
  async batchGet(keys: readonly (Key | undefined)[]): Promise<(Item | undefined)[]> {
    const found = new Map<unknown, Item>();
    let open: Record<string, unknown>[] = keys.filter((key) => key !== undefined).map((key) => ({ ...key }));
    while (open.length > 0) {
      const read = await this.send(async ({ client, tableName }, options) => {
        const RequestItems = { [tableName]: { Keys: open.slice(0, MAX_BATCH), ConsistentRead: true } };
        const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand({ RequestItems }), options);
        return { items: Responses?.[tableName] ?? [], unprocessed: UnprocessedKeys?.[tableName]?.Keys ?? [] };
      });
      for (const item of read.items) found.set(item[PARTITION_KEY], item);
      open = [...read.unprocessed, ...open.slice(MAX_BATCH)];
      if (read.unprocessed.length > 0) await this.backOff(BATCH_PAUSE);
    }
    return keys.map((key) => key && found.get(key[PARTITION_KEY]));
  }

  /** Reads one page of an index. */
  async query(query: Query): Promise<Rows> {
    const page = await this.send(({ client, tableName }, options) =>
      client.send(new QueryCommand({ TableName: tableName, ...query }), options),
    );
    return { items: page.Items ?? [], count: page.Count ?? 0, lastKey: page.LastEvaluatedKey };
  }
}

/**
 * Maps an error of the SDK to `Unavailable`, `TableMissing` or `RequestRefused`. Returns other errors unchanged, and also
 * failed writes.
 */
function withoutSdk(error: unknown): unknown {
  if (isTransient(error)) return new Unavailable(error, reasonOf(error));
  if (error instanceof ResourceNotFoundException) return new TableMissing(error);
  const isRefused = error instanceof DynamoDBServiceException && !FAILED_WRITES.has(error.name);
  return isRefused ? new RequestRefused(error, reasonOf(error)) : error;
}

/** The name that DynamoDB gave an error. The SDK calls a response without a name "Unknown" or "UnknownError". */
function reasonOf(error: unknown): string | undefined {
  return error instanceof DynamoDBServiceException && !error.name.startsWith('Unknown') ? error.name : undefined;
}

/** True for a response that does not come from DynamoDB: it gets the SDK's metadata, but stays the parser's error. */
export function isUnreadable(error: unknown): error is Error & { $metadata: unknown } {
  return error instanceof Error && '$metadata' in error && !(error instanceof DynamoDBServiceException);
}

/** True for errors that a retry may not meet again: of the network, of DynamoDB itself, and throttling. */
function isTransient(error: unknown): boolean {
  if (error instanceof DynamoDBServiceException) {
    return error.$fault === 'server' || error.$metadata.httpStatusCode === 429 || THROTTLED.has(error.name);
  }
  if (!(error instanceof Error)) return false;
  if (isUnreadable(error) || TIMEOUTS.has(error.name)) return true;
  return 'code' in error && NETWORK_ERROR.test(String(error.code));
}
