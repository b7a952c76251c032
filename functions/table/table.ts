import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Unavailable } from '../domain/errors.ts';
import type { Random } from '../domain/random.ts';
import { type Clock, type Milliseconds, systemClock } from '../domain/time.ts';
import type { TableEnvironment } from './environment.ts';

/**
 * Bounds of one call. DynamoDB answers within some milliseconds: a call that takes a second is lost, and three tries
 * with the SDK's backoff between them leave time within a function's limit to say so.
 */
const CALL_LIMITS = {
  maxAttempts: 3,
  // Without throwOnRequestTimeout the SDK only warns, and a call that hangs never ends.
  // The time of a socket counts on after the headers of an answer, where that of the request has ended.
  requestHandler: {
    connectionTimeout: 500,
    requestTimeout: 1000,
    throwOnRequestTimeout: true,
    socketTimeout: 1000,
  },
};

const THROTTLED = new Set([
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TransactionInProgressException',
]);
const TIMEOUTS = new Set(['AbortError', 'TimeoutError']);
/** Errors of the operating system, such as ECONNREFUSED, and of the HTTP parser; Node's own begin with `ERR_`. */
const NETWORK_ERROR = /^(?:E(?!RR_)|HPE_)[A-Z_]+$/;

/** The table and the way to it: every request that the service makes of DynamoDB goes through `ask`. */
export class Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
  readonly clock: Clock;
  readonly random: Random;

  constructor(
    name: string,
    client: DynamoDBDocumentClient,
    clock: Clock = systemClock,
    random: Random = randomBytes,
  ) {
    this.name = name;
    this.client = client;
    this.clock = clock;
    this.random = random;
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
      throw isPassing(error) ? new Unavailable(error) : error;
    }
  }

  /**
   * Waits a random time of at most `ceiling` milliseconds, so that those who collided once do not collide again.
   * Throws `Unavailable` where the deadline comes first.
   */
  async backOff(deadline: Milliseconds, ceiling: number): Promise<void> {
    const wait = (Buffer.from(this.random(4)).readUInt32BE() / 2 ** 32) * ceiling;
    if (this.clock() + wait >= deadline) throw new Unavailable();
    await pause(wait);
  }
}

/** Opens the table that the environment names. Costs no request; credentials of AWS come from their usual places. */
export function openTable({ tableName, endpoint }: TableEnvironment): Table {
  return new Table(tableName, DynamoDBDocumentClient.from(new DynamoDBClient(clientOptions(endpoint))));
}

/** Options of the SDK's client. An engine of one's own takes any credentials; AWS gets those of the environment. */
function clientOptions(endpoint: string | undefined) {
  if (endpoint === undefined) return CALL_LIMITS;
  if (new URL(endpoint).hostname.endsWith('.amazonaws.com')) return { ...CALL_LIMITS, endpoint };
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  // A function serves one request at a time, but the local service serves all at once: none must wait for a connection.
  const requestHandler = { ...CALL_LIMITS.requestHandler, httpAgent: { keepAlive: true, maxSockets: 2000 } };
  return { ...CALL_LIMITS, requestHandler, endpoint, region: 'local', credentials };
}

/** True for errors that may be gone at the next try: of the network, of DynamoDB itself, throttling. */
function isPassing(error: unknown): boolean {
  if (error instanceof DynamoDBServiceException) {
    return error.$fault === 'server' || error.$metadata.httpStatusCode === 429 || THROTTLED.has(error.name);
  }
  if (!(error instanceof Error)) return false;
  // An answer that the SDK cannot read is none of DynamoDB: it gets the SDK's metadata, but stays the parser's error.
  if ('$metadata' in error || TIMEOUTS.has(error.name)) return true;
  return 'code' in error && NETWORK_ERROR.test(String(error.code));
}
