import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../domain/errors.ts';
import type { Random } from '../domain/random.ts';
import { type Clock, type Milliseconds, systemClock } from '../domain/time.ts';
import type { TableEnvironment } from './environment.ts';

/** Bounds of one attempt at a request, in milliseconds. */
export interface CallLimits {
  /** Until the connection is established. */
  readonly connectionTimeout: number;
  /** Until the headers of the response have arrived. */
  readonly requestTimeout: number;
  /** Without any data on the connection. This one still counts after the headers. */
  readonly socketTimeout: number;
}

/**
 * The limits of the functions. DynamoDB responds within milliseconds: a request that takes a second is lost, and three
 * attempts with the SDK's backoff between them leave enough of a function's time limit to return a 503.
 */
const FUNCTION_LIMITS: CallLimits = { connectionTimeout: 500, requestTimeout: 1000, socketTimeout: 1000 };
const MAX_ATTEMPTS = 3;

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
]);
const TIMEOUTS = new Set(['AbortError', 'TimeoutError']);
/** Errors of the operating system, such as ECONNREFUSED, and of the HTTP parser; Node's own begin with `ERR_`. */
const NETWORK_ERROR = /^(?:E(?!RR_)|HPE_)[A-Z_]+$/;

/** Resolves after a number of milliseconds. */
export type Pause = (duration: number) => Promise<unknown>;

/** The table and the way to it: every request that the service makes of DynamoDB goes through `ask`. */
export class Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly pause: Pause;

  constructor(
    name: string,
    client: DynamoDBDocumentClient,
    clock: Clock = systemClock,
    random: Random = randomBytes,
    pause: Pause = setTimeout,
  ) {
    this.name = name;
    this.client = client;
    this.clock = clock;
    this.random = random;
    this.pause = pause;
  }

  /**
   * Makes one request, given up at `deadline`. Throws `Unavailable` where the table does not answer in time, throttles
   * or fails; errors that say something of the request itself (a condition, a malformed call) pass through.
   */
  async ask<Answer>(
    deadline: Milliseconds,
    request: (options: { abortSignal: AbortSignal }) => Promise<Answer>,
  ): Promise<Answer> {
    const left = Math.floor(deadline - this.clock());
    if (left <= 0) throw new Unavailable();
    try {
      return await request({ abortSignal: AbortSignal.timeout(left) });
    } catch (error) {
      throw isTransient(error) ? new Unavailable(error) : error;
    }
  }

  /**
   * Waits a random time of at most `ceiling` milliseconds, so that those who collided once do not collide again.
   * Throws `Unavailable` where the deadline comes first.
   */
  async backOff(deadline: Milliseconds, ceiling: number): Promise<void> {
    const wait = (Buffer.from(this.random(4)).readUInt32BE() / 2 ** 32) * ceiling;
    if (this.clock() + wait >= deadline) throw new Unavailable();
    await this.pause(wait);
  }
}

/**
 * Opens the table that the environment names. Sends no request; AWS credentials come from their usual places. The
 * defaults are the limits of a Lambda function.
 */
export function openTable(environment: TableEnvironment, limits: CallLimits = FUNCTION_LIMITS): Table {
  const client = new DynamoDBClient(clientOptions(environment.endpoint, limits));
  retryUnreadable(client);
  return new Table(environment.tableName, DynamoDBDocumentClient.from(client));
}

/** Options of the SDK's client. A local engine accepts any credentials; AWS gets those of the environment. */
function clientOptions(endpoint: string | undefined, limits: CallLimits) {
  const options = {
    maxAttempts: MAX_ATTEMPTS,
    // Without throwOnRequestTimeout the SDK only warns, and a request that hangs never ends.
    requestHandler: { ...limits, throwOnRequestTimeout: true },
  };
  if (endpoint === undefined) return options;
  if (new URL(endpoint).hostname.endsWith('.amazonaws.com')) return { ...options, endpoint };
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  // A function serves one request at a time, but the local service serves all at once: none must wait for a connection.
  const requestHandler = { ...options.requestHandler, httpAgent: { keepAlive: true, maxSockets: 2000 } };
  return { ...options, requestHandler, endpoint, region: 'local', credentials };
}

/**
 * Makes the SDK retry a response that it cannot parse, such as an HTML page or half of the JSON. That is safe: reads
 * change nothing, and every write recognizes its own repetition.
 */
function retryUnreadable(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        throw isUnreadable(error) ? Object.assign(error, { $retryable: {} }) : error;
      }),
    { step: 'deserialize', priority: 'high' },
  );
}

/** True for a response that does not come from DynamoDB: it gets the SDK's metadata, but stays the parser's error. */
function isUnreadable(error: unknown): error is Error & { $metadata: unknown } {
  return error instanceof Error && '$metadata' in error && !(error instanceof DynamoDBServiceException);
}

/** True for errors that may be gone at the next try: of the network, of DynamoDB itself, throttling. */
function isTransient(error: unknown): boolean {
  if (error instanceof DynamoDBServiceException) {
    return error.$fault === 'server' || error.$metadata.httpStatusCode === 429 || THROTTLED.has(error.name);
  }
  if (!(error instanceof Error)) return false;
  if (isUnreadable(error) || TIMEOUTS.has(error.name)) return true;
  return 'code' in error && NETWORK_ERROR.test(String(error.code));
}
