import { DynamoDBServiceException, ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { CONFLICT, RequestRefused, TableMissing, Unavailable } from '../errors.ts';
import type { Random } from '../ids.ts';
import { type Clock, type Milliseconds, milliseconds } from '../time.ts';
import type { Item } from './item.ts';
import type { Key } from './keys.ts';
import { PARTITION_KEY, SORT_KEY } from './schema.ts';

/** The dependencies of a `Connection` and of its tables. */
export interface TableDependencies {
  readonly tableName: string;
  readonly client: DynamoDBDocumentClient;
  readonly clock: Clock;
  readonly random: Random;
  /** Resolves after a number of milliseconds. */
  readonly pause: (milliseconds: number) => Promise<unknown>;
}

/** The input of a query, without the name of the table. */
export type Query = Omit<QueryCommandInput, 'TableName'>;
/** One page of the result of a query. */
export interface Rows {
  readonly items: readonly Item[];
  readonly count: number;
  /** The key to continue from, if there may be more rows. */
  readonly lastKey: Query['ExclusiveStartKey'];
}

/** DynamoDB's limit of keys per batch, and the maximum pause in milliseconds before unprocessed keys are sent again. */
const MAX_BATCH = 100;
const BATCH_PAUSE = 100;
/** The limits of the pauses between the attempts at a conflicting write, in milliseconds. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 4000;

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
]);
const TIMEOUTS = new Set(['AbortError', 'TimeoutError']);
/** Codes of errors of the operating system, such as ECONNREFUSED, and of the HTTP parser, but not of Node (`ERR_…`). */
const NETWORK_ERROR = /^(?:E(?!RR_)|HPE_)[A-Z_]+$/;

/** `writes.ts` evaluates these errors. */
const FAILED_WRITES = new Set([
  'ConditionalCheckFailedException',
  'TransactionCanceledException',
  'TransactionConflictException',
]);

/** Sends a request with the SDK's client. */
export type Request<Response> = (sdk: TableDependencies, options: { abortSignal: AbortSignal }) => Promise<Response>;

/** A result, or a conflict, after which a write is tried again. */
export type Outcome<Result> = { readonly result: Result } | Conflict;

interface Conflict {
  readonly conflict: unknown;
  /** DynamoDB's name for another cause. */
  readonly reason?: string | undefined;
  /** True if the SDK sent the write more than once: an attempt without a response may still be carried out. */
  readonly isRepeated?: boolean;
}

/**
 * The table, bound to a deadline. Its operations are separate functions (`get`, `queryPages`, `batchGet`; `put`,
 * `update` and `transact` in `writes.ts`), so that a bundle contains only the operations that it uses. All of them
 * throw `Unavailable` if the table does not respond before the deadline, throttles or fails; `TableMissing` if it does
 * not exist; and `RequestRefused` if DynamoDB refuses the request.
 */
export class Table {
  readonly clock: Clock;
  readonly random: Random;
  readonly #dependencies: TableDependencies;
  readonly #deadline: () => Milliseconds;

  constructor(dependencies: TableDependencies, deadline: () => Milliseconds) {
    this.clock = dependencies.clock;
    this.random = dependencies.random;
    this.#dependencies = dependencies;
    this.#deadline = deadline;
  }

  /** Sends one request through the SDK. Only for this folder and for what creates the table, which alone import the SDK's commands. */
  async send<Response>(request: Request<Response>): Promise<Response> {
    const left = Math.floor(this.deadline - this.clock());
    if (left <= 0) throw new Unavailable();
    try {
      return await request(this.#dependencies, { abortSignal: AbortSignal.timeout(left) });
    } catch (error) {
      throw toDomainError(error);
    }
  }

  /** The same object for all tables of a connection: what was read through it is remembered under this object. */
  get origin(): object {
    return this.#dependencies;
  }

  /** The deadline of an operation that starts now. */
  get deadline(): Milliseconds {
    return this.#deadline();
  }

  /** The same table for one operation, all requests of which end within some milliseconds from now. */
  forOneOperation(limit: number): Table {
    const deadline = milliseconds(Math.min(this.deadline, this.clock() + limit));
    return new Table(this.#dependencies, () => deadline);
  }

  /**
   * Waits for a random time of at most `ceiling` milliseconds, so that requests that collided once do not collide
   * again. Throws `Unavailable` immediately if that time is after the deadline.
   */
  async backOff(ceiling: number): Promise<void> {
    const wait = (Buffer.from(this.random(4)).readUInt32BE() / 2 ** 32) * ceiling;
    if (this.clock() + wait >= this.deadline) throw new Unavailable();
    await this.#dependencies.pause(wait);
  }
}

/** Reads one item. A consistent read costs twice as much as another one and returns the latest write. */
export async function get(table: Table, key: Key, { consistent = true } = {}): Promise<Item | undefined> {
  const { Item } = await table.send(({ client, tableName }, options) =>
    client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: consistent }), options),
  );
  return Item;
}

/** The query of a whole partition. */
export const wholePartition = (partition: string) => ({
  KeyConditionExpression: `${PARTITION_KEY} = :pk`,
  ExpressionAttributeValues: { ':pk': partition },
});

/**
 * Reads the result of a query page by page, each with one request when the consumer asks for it. `limit` returns the
 * maximum number of rows that the next request reads; without it, DynamoDB's limit of 1 MB applies.
 */
export async function* queryPages(table: Table, query: Query, limit?: () => number): AsyncGenerator<Rows, void> {
  let ExclusiveStartKey = query.ExclusiveStartKey;
  do {
    const input = { ...query, ...(limit && { Limit: limit() }), ExclusiveStartKey };
    const { Items, Count, LastEvaluatedKey } = await table.send(({ client, tableName }, options) =>
      client.send(new QueryCommand({ TableName: tableName, ...input }), options),
    );
    ExclusiveStartKey = LastEvaluatedKey;
    yield { items: Items ?? [], count: Count ?? 0, lastKey: LastEvaluatedKey };
  } while (ExclusiveStartKey);
}

/**
 * Reads items, up to 100 per request. A consistent read costs twice as much and returns the latest writes. Sends keys
 * again that a busy table leaves unprocessed. Returns the items in the order of the keys, with `undefined` for a
 * missing item or key. The keys must differ.
 */
export async function batchGet(
  table: Table,
  keys: readonly (Key | undefined)[],
  { consistent = true } = {},
): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  const nameOf = (key: Item) => `${key[PARTITION_KEY]}\n${key[SORT_KEY]}`;
  let pending: Record<string, unknown>[] = keys.filter((key) => key !== undefined).map((key) => ({ ...key }));
  while (pending.length > 0) {
    const read = await table.send(async ({ client, tableName }, options) => {
      const RequestItems = { [tableName]: { Keys: pending.slice(0, MAX_BATCH), ConsistentRead: consistent } };
      const { Responses, UnprocessedKeys } = await client.send(new BatchGetCommand({ RequestItems }), options);
      return { items: Responses?.[tableName] ?? [], unprocessed: UnprocessedKeys?.[tableName]?.Keys ?? [] };
    });
    for (const item of read.items) found.set(nameOf(item), item);
    pending = [...read.unprocessed, ...pending.slice(MAX_BATCH)];
    if (read.unprocessed.length > 0) await table.backOff(BATCH_PAUSE);
  }
  return keys.map((key) => key && found.get(nameOf({ ...key })));
}

/**
 * Repeats an attempt that conflicts with other writes until the deadline, with full jitter
 * (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/). The SDK does not retry
 * conflicts. Pauses start with the duration of the attempt, and double: attempts that take longer than the pauses
 * between them would conflict again. Throws `Unavailable` with the last conflict if time runs out.
 */
export async function retryOnConflict<Result>(table: Table, attempt: () => Promise<Outcome<Result>>): Promise<Result> {
  // For a task of any length, every request has a deadline of its own. The first one counts here.
  const { deadline } = table;
  for (let factor = 1; ; factor *= 2) {
    const start = table.clock();
    const outcome = await attempt();
    if ('result' in outcome) return outcome.result;
    const now = table.clock();
    // Half of the time that is left, so that the end of the time does not pass in a pause.
    const longest = Math.min(LONGEST_PAUSE, (deadline - now) / 2);
    if (longest < FIRST_PAUSE) throw new Unavailable(outcome.conflict, outcome.reason ?? CONFLICT);
    await table.backOff(Math.min(Math.max(FIRST_PAUSE, now - start) * factor, longest));
  }
}

/**
 * Maps an error of the SDK to `Unavailable`, `TableMissing` or `RequestRefused`. Returns other errors, including
 * `FAILED_WRITES`, unchanged.
 */
function toDomainError(error: unknown): unknown {
  // `responseClock` throws it in a middleware.
  if (error instanceof Unavailable) return error;
  if (isTransient(error)) return new Unavailable(error, reasonOf(error));
  if (error instanceof ResourceNotFoundException) return new TableMissing(error);
  const isRefused = error instanceof DynamoDBServiceException && !FAILED_WRITES.has(error.name);
  return isRefused ? new RequestRefused(error, reasonOf(error)) : error;
}

/** DynamoDB's name for an error. The SDK calls an error without a name "Unknown" or "UnknownError". */
function reasonOf(error: unknown): string | undefined {
  return error instanceof DynamoDBServiceException && !error.name.startsWith('Unknown') ? error.name : undefined;
}

/** True for a response that the SDK could not parse: the parser's error, to which the SDK adds its metadata. */
export function isUnreadable(error: unknown): error is Error & { $metadata: unknown } {
  return error instanceof Error && '$metadata' in error && !(error instanceof DynamoDBServiceException);
}

/** True for errors that a retry may not get again: network failures, DynamoDB's server errors, and throttling. */
function isTransient(error: unknown): boolean {
  if (error instanceof DynamoDBServiceException) {
    return error.$fault === 'server' || error.$metadata.httpStatusCode === 429 || THROTTLED.has(error.name);
  }
  if (!(error instanceof Error)) return false;
  if (isUnreadable(error) || TIMEOUTS.has(error.name)) return true;
  return 'code' in error && NETWORK_ERROR.test(String(error.code));
}
