import { once } from 'node:events';
import type { Server } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll } from '@jest/globals';
import { portOf } from '../../bin/local/engine.ts';
import { contextOf } from '../../bin/local/event.ts';
import { createGateway, type Functions, functionsOf } from '../../bin/local/gateway.ts';
import type { HttpHandler } from '../../functions/kernel/http/context.ts';
import type { SecretReader } from '../../functions/kernel/secrets/secrets.ts';
import { type OperationId, ROUTES } from '../../functions/routes.ts';
import type { IntegrationParts } from '../../functions/webhooks/http/parts.ts';
import { sendThroughClient } from './client/client-driver.ts';
import { expectDocumented } from './contract.ts';
import { authorizationOf, bodyOf, eventFixture, eventFor, pathOf } from './event-fixtures.ts';
import { GENEROUS_TIME, type TestTable } from './table.ts';

/** A store without secrets, for tests that verify and sign nothing. */
export const NO_SECRETS: SecretReader = { read: async () => [] };

/** The parts of a service whose secrets are only read, and which sends and queues nothing. */
export function partsOf(secrets: SecretReader | IntegrationParts): IntegrationParts {
  if ('queue' in secrets) return secrets;
  const unexpected = () => Promise.reject(new Error('The test expects only reads of secrets.'));
  return {
    secrets: { read: (owner, maxAge) => secrets.read(owner, maxAge), add: unexpected, remove: unexpected },
    queue: { send: unexpected },
    send: unexpected,
    isLocal: true,
  };
}

export interface ApiRequest {
  readonly operation: OperationId;
  readonly token?: string;
  /** The slug in the path, decoded; by default the slug of the event fixture. Paths without a slug ignore it. */
  readonly slug?: string;
  /** The id in the path, likewise. */
  readonly id?: string;
  /** The name of the payout run in the path, likewise. */
  readonly run?: string;
  /** The id of the application, and the public key of the program in the path, likewise. */
  readonly application?: string | undefined;
  readonly pk?: string | undefined;
  /** The code, the name of the group, or the id of the rules in the path, likewise. */
  readonly code?: string;
  readonly name?: string;
  readonly rulesId?: string;
  /** The value of a link that switches emails off, likewise. */
  readonly value?: string;
  /** The id of the program in the path, likewise. */
  readonly program?: string;
  /** Raw, without "?". */
  readonly query?: string;
  /** A string or bytes are sent unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The parsed text if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  readonly json: any;
}

/** Sends a request to the API. Fails if the response is not as the OpenAPI document describes it. */
export type Send = (request: ApiRequest) => Promise<ApiResponse>;
/** Creates a driver for a table. Without secrets or parts, there are no secrets, and nothing is sent or queued. */
export type Connect = (table: TestTable, secrets?: SecretReader | IntegrationParts) => Send;
type Driver = [name: string, connect: Connect];

/** For tests of what HTTP itself could change: bytes, encodings, sizes, headers, query strings and URLs. */
export const ALL_DRIVERS: Driver[] = [
  ['handlers', sendToHandlers],
  ['HTTP', sendOverHttp],
];

/**
 * For all other tests: the client, which calls the handlers. If `API_OVER` is `http`, as in CI, also HTTP without the client.
 * The client sends the same requests over both, so that another combination would repeat these two.
 */
export const DRIVERS = driversFor(process.env['API_OVER']);

function driversFor(over: string | undefined): Driver[] {
  if (over && over !== 'http') throw new Error('API_OVER is not valid. Set it to http, or leave it unset.');
  const client: Driver = ['the client', sendThroughClient(sendToHandlers)];
  return over ? [client, ['HTTP', sendOverHttp]] : [client];
}

/** Calls the handlers directly. The table may be one that a test opened. */
export function sendToHandlers(table: TestTable, secrets: SecretReader | IntegrationParts = NO_SECRETS): Send {
  const functions = withoutTimeLimit(functionsOf(table.connection, partsOf(secrets)));
  return async (request) => {
    const name = ROUTES[request.operation].function;
    const result = await functions[name](eventFor(request), contextOf(name));
    const { statusCode = 0, headers = {}, body = '', isBase64Encoded } = result;
    const texts = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, String(value)]));
    const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
    const decoded = { gzip: gunzipSync, br: brotliDecompressSync }[texts['content-encoding'] ?? ''];
    const content = decoded?.(bytes) ?? bytes;
    return responseTo(request, statusCode, texts, content.toString());
  };
}

/** Sends requests over HTTP through the local stand-in for API Gateway. */
export function sendOverHttp(table: TestTable, secrets: SecretReader | IntegrationParts = NO_SECRETS): Send {
  const gateway = useGateway(functionsOf(table.connection, partsOf(secrets)));
  return async (request) => {
    const { operation, query } = request;
    const { method } = ROUTES[operation];
    // `fetch` rejects a GET with a body.
    const body = method === 'GET' ? undefined : bodyOf(request);
    // The fixture's own client: Node's `fetch` would send a user agent that counts as a bot.
    const { 'content-type': type, 'user-agent': userAgent = '' } = eventFixture(operation).headers;
    const response = await fetch(`${gateway.url()}${pathOf(request)}${query ? `?${query}` : ''}`, {
      method,
      headers: {
        ...(type !== undefined && { 'content-type': type }),
        'user-agent': userAgent,
        ...authorizationOf(request),
        ...request.headers,
      },
      // Only for bytes, `fetch` adds no content type of its own.
      body: body === undefined ? null : Buffer.from(body),
    });
    return responseTo(request, response.status, Object.fromEntries(response.headers), await response.text());
  };
}

/** Serves the functions on a free port for the tests of a file. */
export function useGateway(functions: Functions, pages: Parameters<typeof createGateway>[1] = async () => undefined) {
  let server: Server;
  beforeAll(async () => {
    server = createGateway(withoutTimeLimit(functions), pages).listen(0, '127.0.0.1');
    // Node closes idle connections after 5 seconds: on a busy machine, `fetch` would send a request into a closing connection.
    server.keepAliveTimeout = GENEROUS_TIME;
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: () => `http://127.0.0.1:${portOf(server)}` };
}

/** Removes Lambda's time limit, which a busy machine may exceed. */
function withoutTimeLimit({ tracking, advocates, referrals, integrations, people }: Functions): Functions {
  const unlimited =
    (handler: HttpHandler): HttpHandler =>
    (event, context) =>
      handler(event, { ...context, getRemainingTimeInMillis: () => GENEROUS_TIME });
  return {
    tracking: unlimited(tracking),
    advocates: unlimited(advocates),
    referrals: unlimited(referrals),
    integrations: unlimited(integrations),
    people: unlimited(people),
  };
}

function responseTo(
  { operation }: ApiRequest,
  status: number,
  headers: Record<string, string>,
  text: string,
): ApiResponse {
  const json: unknown = headers['content-type'] === 'application/json' ? JSON.parse(text) : undefined;
  expectDocumented(operation, status, headers, json ?? text);
  return { status, headers, text, json };
}
