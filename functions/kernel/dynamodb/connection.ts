import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TableEnvironment } from '../environment.ts';
import { type Clock, type Milliseconds, milliseconds, systemClock } from '../time.ts';
import { tokenKey } from './keys.ts';
import { get, isUnreadable, Table, type TableDependencies } from './table.ts';

/** Time limits of one attempt to send a request, in milliseconds. */
export interface CallLimits {
  /** For establishing the connection. */
  readonly connectionTimeout: number;
  /** For the headers of the response. */
  readonly requestTimeout: number;
  /** For the connection to be idle. Only this limit applies to the body of the response. */
  readonly socketTimeout: number;
}

/**
 * The limits in Lambda. DynamoDB responds within milliseconds, so a request that takes a second is lost. Three attempts
 * with the SDK's backoff leave enough of the function's 10 seconds to return a 503.
 */
const FUNCTION_LIMITS: CallLimits = { connectionTimeout: 500, requestTimeout: 1000, socketTimeout: 1000 };
const MAX_ATTEMPTS = 3;
/** Time limit of the warm-up in milliseconds. It usually takes 50. Lambda's initialization may take 10 seconds. */
const WARM_UP_LIMIT = 2000;

/** The connection to the table, one per process. `until` and `withLimit` return the table with a time limit. */
export class Connection {
  readonly #dependencies: TableDependencies;

  constructor(dependencies: TableDependencies) {
    this.#dependencies = dependencies;
  }

  get clock(): Clock {
    return this.#dependencies.clock;
  }

  /** Returns the table for one request: functions on it throw `Unavailable` after the deadline. */
  until(deadline: Milliseconds): Table {
    return new Table(this.#dependencies, () => deadline);
  }

  /** Returns the table for a task of any length. `limit` applies to each request to DynamoDB, in milliseconds. */
  withLimit(limit: number): Table {
    return new Table(this.#dependencies, () => milliseconds(this.clock() + limit));
  }

  /**
   * Reads an item that never exists, so that credentials, the TLS connection and the SDK's code are ready for the first
   * request. Every function may read items, and the read costs half a unit. Never throws: the first request tries again
   * and reports the error.
   */
  async warmUp(): Promise<void> {
    await get(this.withLimit(WARM_UP_LIMIT), tokenKey(''), { consistent: false }).catch(() => undefined);
  }

  /** Closes the sockets. */
  close(): void {
    this.#dependencies.client.destroy();
  }
}

/**
 * Opens the connection to the table that the environment names. Sends no request: AWS credentials are resolved with the
 * first one. The default limits suit Lambda. `clockOf` can take the time from the responses to the client.
 */
export function openConnection(
  { tableName, endpoint }: TableEnvironment,
  limits?: CallLimits,
  clockOf: (client: DynamoDBDocumentClient) => Clock = () => systemClock,
): Connection {
  const client = openClient(endpoint, limits);
  return new Connection({ tableName, client, clock: clockOf(client), random: randomBytes, pause: setTimeout });
}

/** Opens the SDK's client. Exported for tests, which create a `Connection` with another clock or other pauses. */
export function openClient(endpoint: string | undefined, limits: CallLimits = FUNCTION_LIMITS): DynamoDBDocumentClient {
  const client = new DynamoDBClient(clientOptions(endpoint, limits));
  // Even without a logger, it copies every input and output, which takes up to a tenth of the CPU time of a request.
  client.middlewareStack.remove('loggerMiddleware');
  // Makes the SDK retry after a response that it cannot parse, such as an HTML page or truncated JSON. Retries are
  // safe, because every write recognizes its own repetition (docs/design.md).
  client.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        throw isUnreadable(error) ? Object.assign(error, { $retryable: {} }) : error;
      }),
    { step: 'deserialize', priority: 'high' },
  );
  // Without this option, the SDK takes a map with the key "constructor", as metadata may have, for an object of a class.
  return DynamoDBDocumentClient.from(client, { marshallOptions: { convertClassInstanceToMap: true } });
}

/** Options of a client of the SDK. An engine outside AWS accepts any credentials. */
export function clientOptions(endpoint: string | undefined, limits: CallLimits) {
  const options = {
    maxAttempts: MAX_ATTEMPTS,
    // Without throwOnRequestTimeout the SDK only logs a warning, and a request that hangs never ends.
    requestHandler: { ...limits, throwOnRequestTimeout: true },
  };
  if (endpoint === undefined) return options;
  if (new URL(endpoint).hostname.endsWith('.amazonaws.com')) return { ...options, endpoint };
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  // A Lambda function handles one request at a time, but the local service many: none must wait for a socket.
  const requestHandler = { ...options.requestHandler, httpAgent: { keepAlive: true, maxSockets: 2000 } };
  return { ...options, requestHandler, endpoint, region: 'local', credentials };
}
