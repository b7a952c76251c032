import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Clock, type Milliseconds, milliseconds, systemClock } from '../domain/time.ts';
import type { TableEnvironment } from './environment.ts';
import { tokenKey } from './keys.ts';
import { isUnreadable, Table, type Wire } from './table.ts';

/** Limits of one attempt at a request, in milliseconds. */
export interface CallLimits {
  /** Until the connection is established. */
  readonly connectionTimeout: number;
  /** Until the headers of the response have arrived. */
  readonly requestTimeout: number;
  /** Without any data on the connection. This limit still applies after the headers. */
  readonly socketTimeout: number;
}

/**
 * The limits of the functions. DynamoDB responds within milliseconds: a request that takes a second is lost, and three
 * attempts with the SDK's backoff between them leave enough of a function's time limit to return a 503.
 */
const FUNCTION_LIMITS: CallLimits = { connectionTimeout: 500, requestTimeout: 1000, socketTimeout: 1000 };
const MAX_ATTEMPTS = 3;
/** Longest warm-up in milliseconds. It usually takes about 50; Lambda allows 10 seconds for the initialization. */
const WARM_UP_LIMIT = 2000;

/** The connection to the table: one per process. Its methods return the table for one request, or for a longer task. */
export class Connection {
  readonly #wire: Wire;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get clock(): Clock {
    return this.#wire.clock;
  }

  /** The table for one request: whatever is not done at `deadline` is given up. */
  until(deadline: Milliseconds): Table {
    return new Table(this.#wire, () => deadline);
  }

  /** The table for a task of any length: each request to DynamoDB is given up after `limit` milliseconds. */
  withLimit(limit: number): Table {
    return new Table(this.#wire, () => milliseconds(this.clock() + limit));
  }

  /**
   * Reads an item that never exists, so that the first request finds credentials, connection, TLS session and the SDK's
   * code ready. Every function may read items, and the read costs half a unit. Never fails: the first request tries again
   * and reports what is wrong.
   */
  async warmUp(): Promise<void> {
    await this.withLimit(WARM_UP_LIMIT)
      .get(tokenKey(''), { consistent: false })
      .catch(() => undefined);
  }

  /** Closes the sockets. */
  close(): void {
    this.#wire.client.destroy();
  }
}

/**
 * Opens the connection to the table that the environment names. Sends no request; AWS credentials come from their usual
 * places. The default limits are those of a Lambda function.
 */
export function openConnection({ tableName, endpoint }: TableEnvironment, limits?: CallLimits): Connection {
  const client = openClient(endpoint, limits);
  return new Connection({ tableName, client, clock: systemClock, random: randomBytes, pause: setTimeout });
}

/** Opens the SDK's client, for a `Connection` with another clock or other pauses. */
export function openClient(endpoint: string | undefined, limits: CallLimits = FUNCTION_LIMITS): DynamoDBDocumentClient {
  const client = new DynamoDBClient(clientOptions(endpoint, limits));
  // The SDK retries a response that it cannot parse, such as an HTML page or half of the JSON. That is safe: reads change
  // nothing, and every write recognizes its own repetition.
  client.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        throw isUnreadable(error) ? Object.assign(error, { $retryable: {} }) : error;
      }),
    { step: 'deserialize', priority: 'high' },
  );
  return DynamoDBDocumentClient.from(client);
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
  // A function handles one request at a time, but the local service handles all at once: none must wait for a socket.
  const requestHandler = { ...options.requestHandler, httpAgent: { keepAlive: true, maxSockets: 2000 } };
  return { ...options, requestHandler, endpoint, region: 'local', credentials };
}
