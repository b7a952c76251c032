import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { HttpHandler, HttpResult } from '../../functions/http/context.ts';
import { CORS, type FunctionName, ROUTES, type Route, routeKey } from '../../functions/routes.ts';
import { contextOf, eventOf } from './event.ts';
import { targetOf } from './target.ts';

/** API Gateway's own limit of a request, in bytes. */
const MAX_PAYLOAD = 10 * 1024 * 1024;

export type Functions = Readonly<Record<FunctionName, HttpHandler>>;

/** A request for something that is not a route of the API. */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  /** With its "?", or empty. */
  readonly search: string;
  /** `host` is the host that the request is for, in lower case. */
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The port on which the request arrived: the one in its headers is chosen by the caller. */
  readonly port: number;
}

/** Serves what is not a route of the API. Resolves to `undefined` if there is nothing at the path. */
export type Pages = (request: PageRequest) => Promise<HttpResult | undefined>;

const CORS_PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': CORS.methods.join(','),
  'access-control-allow-headers': CORS.requestHeaders.join(','),
  'access-control-max-age': String(CORS.maxAge),
};
const CORS_ANSWER = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': CORS.responseHeaders.join(','),
};

const routes = new Map<string, Route>(Object.values(ROUTES).map((route: Route) => [routeKey(route), route]));

/** Serves every route through its function as API Gateway would call it, with the gateway's own responses for the rest. */
export function createGateway(functions: Functions, pages: Pages): Server {
  return createServer((request, response) => {
    answer(request, functions, pages).then(
      (result) => send(response, result),
      () => send(response, withCors(request, message(500, 'Internal Server Error'))),
    );
  });
}

async function answer(request: IncomingMessage, functions: Functions, pages: Pages): Promise<HttpResult> {
  const { method = 'GET', headers, socket } = request;
  const target = targetOf(request);
  if (!target) return message(400, 'Bad Request');
  if (method === 'OPTIONS' && headers.origin) return { statusCode: 204, headers: CORS_PREFLIGHT };
  const body = await bodyOf(request);
  if (!body) return withCors(request, message(413, 'Request Entity Too Large'));
  const { host, path, search } = target;
  const route = routes.get(`${method} ${path}`);
  if (route) {
    const event = eventOf(request, target, routeKey(route), body);
    return withCors(request, await functions[route.function](event, contextOf(route.function)));
  }
  const asked = { method, path, search, headers: { ...headers, host }, body, port: socket.localPort ?? 0 };
  // Pages are for this origin alone: unlike the API, they may hold the tokens of the demo.
  return (await pages(asked)) ?? withCors(request, message(404, 'Not Found'));
}

/** The whole body; `undefined` where it is too large, and then the rest is read but not kept. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_PAYLOAD) chunks.push(chunk);
  }
  return size <= MAX_PAYLOAD ? Buffer.concat(chunks) : undefined;
}

function withCors({ method, headers }: IncomingMessage, result: HttpResult): HttpResult {
  if (headers.origin === undefined || method === 'OPTIONS') return result;
  return { ...result, headers: { ...result.headers, ...CORS_ANSWER } };
}

function send(response: ServerResponse, result: HttpResult): void {
  const { statusCode = 200, body: text = '' } = result;
  const body = Buffer.from(text, result.isBase64Encoded ? 'base64' : 'utf8');
  // RFC 9110 sections 8.6 and 15.4.5: a response without content has no length either.
  const hasContent = statusCode !== 204 && statusCode !== 304;
  const content = hasContent ? { 'content-type': 'application/json', 'content-length': body.length } : {};
  response.writeHead(statusCode, { ...content, ...result.headers }).end(body);
}

/** A response of API Gateway's own. */
function message(statusCode: number, text: string): HttpResult {
  return { statusCode, body: JSON.stringify({ message: text }) };
}
