import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { portOf } from '../../bin/local/engine.ts';
import { contextOf } from '../../bin/local/event.ts';
import { functionsOf } from '../../bin/local/functions.ts';
import { createGateway, type Functions } from '../../bin/local/gateway.ts';
import type { HttpHandler } from '../../functions/http/context.ts';
import { type OperationId, ROUTES } from '../../functions/routes.ts';
import { expectDocumented } from './contract.ts';
import { AMPLE_TIME, type TestTable } from './table.ts';

export interface Ask {
  readonly operation: OperationId;
  readonly token?: string;
  /** Raw, without "?". */
  readonly query?: string;
  /** A string or bytes go as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** What the text says where it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly json: any;
}

export type Driver = (ask: Ask) => Promise<Reply>;

/** The ways by which every scenario of the API runs: the handlers on event fixtures, and real HTTP. */
export const DRIVERS: [name: string, drive: (table: TestTable) => Driver][] = [
  ['handlers on events', handlersDriver],
  ['HTTP', httpDriver],
];

const FIXTURES: Record<OperationId, APIGatewayProxyEventV2> = {
  trackConversionV1: fixture('conversion-v1'),
  trackConversionV2: fixture('conversion-v2'),
  setState: fixture('set-state'),
  trackClick: fixture('click'),
  getScript: fixture('script'),
  listAdvocates: fixture('list-advocates'),
  listReferrals: fixture('list-referrals'),
};

/** An event fixture with what the ask says in place of what it had. */
export function eventFor(ask: Ask): APIGatewayProxyEventV2 {
  const { body: _body, queryStringParameters: _parameters, ...event } = FIXTURES[ask.operation];
  const { authorization: _authorization, ...headers } = event.headers;
  const raw = rawBody(ask.body);
  return {
    ...event,
    rawQueryString: ask.query ?? '',
    headers: { ...headers, ...authorization(ask), ...ask.headers },
    ...(raw !== undefined && { body: typeof raw === 'string' ? raw : raw.toString('base64') }),
    isBase64Encoded: Buffer.isBuffer(raw),
  };
}

/** The functions without the time limit of Lambda, which a busy machine may exceed. */
function untimed({ tracking, advocates, referrals }: Functions): Functions {
  const untimedHandler =
    (handler: HttpHandler): HttpHandler =>
    (event, context) =>
      handler(event, { ...context, getRemainingTimeInMillis: () => AMPLE_TIME });
  return {
    tracking: untimedHandler(tracking),
    advocates: untimedHandler(advocates),
    referrals: untimedHandler(referrals),
  };
}

function handlersDriver(table: TestTable): Driver {
  const functions = untimed(functionsOf(table.connection));
  return async (ask) => {
    const name = ROUTES[ask.operation].function;
    const { statusCode = 0, ...answer } = await functions[name](eventFor(ask), contextOf(name));
    const headers = Object.fromEntries(
      Object.entries(answer.headers ?? {}).map(([key, value]) => [key, String(value)]),
    );
    const bytes = Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8');
    const text = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    return reply(ask, statusCode, headers, text.toString());
  };
}

function httpDriver(table: TestTable): Driver {
  const server = useGateway(functionsOf(table.connection));
  return async (ask) => {
    const { method, path } = ROUTES[ask.operation];
    const response = await fetch(`${server.url()}${path}${ask.query ? `?${ask.query}` : ''}`, {
      method,
      headers: { ...clientHeaders(ask), ...authorization(ask), ...ask.headers },
      ...(ask.body !== undefined && { body: rawBody(ask.body) ?? null }),
    });
    return reply(ask, response.status, Object.fromEntries(response.headers), await response.text());
  };
}

/** Serves functions on a free port for the tests of a file. */
export function useGateway(functions: Functions, pages: Parameters<typeof createGateway>[1] = async () => undefined) {
  let server: Server;
  beforeAll(async () => {
    server = createGateway(untimed(functions), pages).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: () => `http://127.0.0.1:${portOf(server)}`,
  };
}

function reply(ask: Ask, status: number, headers: Record<string, string>, text: string): Reply {
  const json: unknown = headers['content-type'] === 'application/json' ? JSON.parse(text) : undefined;
  expectDocumented(ask.operation, status, headers, json ?? text);
  return { status, headers, text, json };
}

/** What the fixture's client sends by itself: Node's own `fetch` would call itself a bot. */
function clientHeaders({ operation }: Ask): Record<string, string> {
  const { headers } = FIXTURES[operation];
  const names = ['content-type', 'user-agent'];
  return Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])));
}

function authorization({ token }: Ask): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function rawBody(body: unknown): string | Buffer<ArrayBuffer> | undefined {
  if (body === undefined || typeof body === 'string') return body;
  return Buffer.isBuffer(body) ? Buffer.from(body) : JSON.stringify(body);
}

function fixture(name: string): APIGatewayProxyEventV2 {
  return JSON.parse(readFileSync(new URL(`../events/${name}.json`, import.meta.url), 'utf8'));
}
