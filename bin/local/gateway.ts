import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { HttpHandler, HttpResult } from '../../functions/http/call.ts';
import { CORS, type FunctionName, ROUTES, type Route, routeKey } from '../../functions/routes.ts';
import { contextOf, eventOf } from './event.ts';

/** API Gateway's own limit of a request, in bytes. */
const MAX_PAYLOAD = 10 * 1024 * 1024;

export type Functions = Readonly<Record<FunctionName, HttpHandler>>;

/** A request for what is no route of the API. */
export interface PageRequest {
  readonly method: string;
  readonly path: string;
  /** With its "?", or empty. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The port on which the request came in: what its headers say of it is the caller's word only. */
  readonly port: number;
}

/** What is served beside the API: `undefined` for what is not there. */
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

/** Serves every route through its function as API Gateway would call it, with the gateway's own answers for the rest. */
export function createGateway(functions: Functions, pages: Pages): Server {
  return createServer((request, response) => {
    answer(request, functions, pages).then(
      (result) => send(request, response, result),
      () => send(request, response, message(500, 'Internal Server Error')),
    );
  });
}

async function answer(request: IncomingMessage, functions: Functions, pages: Pages): Promise<HttpResult> {
  const { method = 'GET', url = '/' } = request;
  if (method === 'OPTIONS' && request.headers.origin) return { statusCode: 204, headers: CORS_PREFLIGHT };
  const [path = '/'] = url.split('?', 1);
  const body = await bodyOf(request);
  if (!body) return message(413, 'Request Entity Too Large');
  const route = routes.get(`${method} ${path}`);
  if (!route) {
    const { headers, socket } = request;
    const asked = {
      method,
      path,
      search: url.slice(path.length),
      headers,
      body,
      port: socket.localPort ?? 0,
    };
    return (await pages(asked)) ?? message(404, 'Not Found');
  }
  return functions[route.function](eventOf(request, routeKey(route), body), contextOf(route.function));
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

function send(request: IncomingMessage, response: ServerResponse, result: HttpResult): void {
  const { statusCode = 200, body: text = '' } = result;
  const body = Buffer.from(text, result.isBase64Encoded ? 'base64' : 'utf8');
  const cors = request.headers.origin && request.method !== 'OPTIONS' ? CORS_ANSWER : {};
  // RFC 9110 sections 8.6 and 15.4.5: an answer without content has no length either.
  const hasContent = statusCode !== 204 && statusCode !== 304;
  const content = hasContent ? { 'content-type': 'application/json', 'content-length': body.length } : {};
  response.writeHead(statusCode, { ...content, ...result.headers, ...cors }).end(body);
}

/** What API Gateway says itself. */
function message(statusCode: number, text: string): HttpResult {
  return { statusCode, body: JSON.stringify({ message: text }) };
}
