import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { advocatesHandler } from '../../functions/api/advocates.ts';
import { integrationsHandler } from '../../functions/api/integrations.ts';
import { peopleHandler } from '../../functions/api/people.ts';
import { referralsHandler } from '../../functions/api/referrals.ts';
import { trackingHandler } from '../../functions/api/tracking.ts';
import type { Connection } from '../../functions/kernel/dynamodb/connection.ts';
import type { HttpHandler, HttpResult } from '../../functions/kernel/http/context.ts';
import { CORS, FUNCTIONS, type FunctionName } from '../../functions/kernel/http/route.ts';
import type { IntegrationParts } from '../../functions/webhooks/http/parts.ts';
import { pagesBuiltOnUse } from '../service/web-pages.ts';
import { contextOf, eventOf, matchRoute, type RequestTarget, targetOf } from './event.ts';
import type { ObserveResponse } from './request-log.ts';

/** API Gateway's limit for a request body, in bytes. */
const MAX_PAYLOAD = 10 * 1024 * 1024;

export type Functions = Readonly<Record<FunctionName, HttpHandler>>;

/** A request whose method and path are not a route of the API. */
export interface PageRequest extends Pick<RequestTarget, 'path' | 'search'> {
  readonly method: string;
  /** `host` is the host of the request target, in lower case. */
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** The port on which the request arrived. The caller chooses the port in its headers. */
  readonly port: number;
}

export type Pages = (request: PageRequest) => Promise<HttpResult | undefined>;

const PREFLIGHT_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': CORS.methods.join(','),
  'access-control-allow-headers': CORS.requestHeaders.join(','),
  'access-control-max-age': String(CORS.maxAge),
};
const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': CORS.responseHeaders.join(','),
};

export function functionsOf(connection: Connection, parts: IntegrationParts): Functions {
  return {
    tracking: trackingHandler(connection, parts.secrets, pagesBuiltOnUse()),
    advocates: advocatesHandler(connection),
    referrals: referralsHandler(connection, { hasEvents: true }),
    integrations: integrationsHandler(connection, parts),
    // The local service records no metrics.
    people: peopleHandler(connection, () => undefined),
  };
}

/** Calls the function of a route as API Gateway would. Other requests get a page, or API Gateway's own error. */
export function createGateway(functions: Functions, pages: Pages, observe: ObserveResponse = () => undefined): Server {
  return createServer(async (request, response) => {
    const startedAt = performance.now();
    const failure = () => withCors(request, message(500, 'Internal Server Error'));
    const result = await respond(request, functions, pages).catch(failure);
    send(response, result);
    observe(request, result, performance.now() - startedAt);
  });
}

async function respond(request: IncomingMessage, functions: Functions, pages: Pages): Promise<HttpResult> {
  const { method = 'GET', headers, socket } = request;
  const target = targetOf(request);
  if (!target) return message(400, 'Bad Request');
  if (method === 'OPTIONS') return preflight(headers);
  const body = await bodyOf(request);
  if (!body) return withCors(request, message(413, 'Request Entity Too Large'));
  const { host, path, search } = target;
  const matched = matchRoute(method, path);
  if (matched) {
    const name = matched.route.function;
    const event = eventOf(request, target, matched, body);
    return withCors(request, await functions[name](event, contextOf(name, FUNCTIONS[name].timeout)));
  }
  const page = await pages({ method, path, search, headers: { ...headers, host }, body, port: socket.localPort ?? 0 });
  // Only pages of this origin may read the pages: unlike the API, they may contain the tokens of the demo.
  return page ?? withCors(request, message(404, 'Not Found'));
}

/**
 * An API with a CORS configuration responds to every OPTIONS request by itself. The response has CORS headers only if the
 * request has both headers of a preflight: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
 */
function preflight(headers: IncomingMessage['headers']): HttpResult {
  const isPreflight = headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
  return { statusCode: 204, ...(isPreflight && { headers: PREFLIGHT_HEADERS }) };
}

/** Reads the whole body. Returns `undefined` if it is too large; then none of its remainder is kept in memory. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_PAYLOAD) chunks.push(chunk);
  }
  return size <= MAX_PAYLOAD ? Buffer.concat(chunks) : undefined;
}

function withCors({ headers }: IncomingMessage, result: HttpResult): HttpResult {
  if (headers.origin === undefined) return result;
  return { ...result, headers: { ...result.headers, ...CORS_HEADERS } };
}

function send(response: ServerResponse, result: HttpResult): void {
  const { statusCode = 200, body: text = '' } = result;
  const body = Buffer.from(text, result.isBase64Encoded ? 'base64' : 'utf8');
  // RFC 9110 sections 8.6 and 15.4.5: a response without content has no length either.
  const hasContent = statusCode !== 204 && statusCode !== 304;
  const content = hasContent ? { 'content-type': 'application/json', 'content-length': body.length } : {};
  response.writeHead(statusCode, { ...content, ...result.headers }).end(body);
}

function message(statusCode: number, text: string): HttpResult {
  return { statusCode, body: JSON.stringify({ message: text }) };
}

/** Listens on a port of this machine. Resolves to a function that closes the server after the pending requests. */
export async function listen(server: Server, port: number): Promise<() => Promise<void>> {
  // Browsers open connections before they need them, and Node waits for these when a server closes.
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    unused.delete(socket);
    // A page that keeps sending requests over its connection would keep a closing server open.
    response.once('close', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    throw new Error(`Port ${port} cannot be used, most likely because it is taken. Set PORT to another one.`);
  }
  return async () => {
    const closed = once(server.close(), 'close');
    for (const socket of unused) socket.destroy();
    await closed;
  };
}

/** False for names that only resolve to this machine (DNS rebinding): their pages must not read the tokens. */
export function isThisMachine(host: string | undefined): boolean {
  return /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/.test(host ?? '');
}
