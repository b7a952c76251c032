import type { Route } from '../routes.ts';
import type { HttpEvent, HttpResult, Middleware } from './context.ts';

/** An answer with a JSON body. Nothing that the service says of people or programs is for a cache to keep. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): HttpResult {
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  };
}

/** An answer without a body. */
export function noContent(headers: Record<string, string> = {}): HttpResult {
  return { statusCode: 204, headers: { 'cache-control': 'no-store', ...headers } };
}

/** Adds what is on every answer of a route, success or error: the request's id, and the notice of a deprecated route. */
export function commonHeaders(route: Route): Middleware {
  const add: Middleware['after'] = async ({ event, response }) => {
    if (!response) return;
    const headers = { ...response.headers, 'x-request-id': event.requestContext.requestId };
    response.headers = route.deprecated ? { ...headers, ...deprecation(event, route.deprecated) } : headers;
  };
  return { after: add, onError: add };
}

/** RFC 9745. */
function deprecation(event: HttpEvent, { since, successor }: NonNullable<Route['deprecated']>) {
  return { deprecation: `@${since}`, link: linkTo(event, 'successor-version', successor) };
}

/**
 * A `Link` header (RFC 8288) to a path at the address that the caller used. The URL is built part by part, so that no part
 * can end it: the domain name comes from the Host header of the request if a gateway does not check it.
 */
export function linkTo(event: HttpEvent, rel: string, path: string, query = ''): string {
  const url = new URL('https://localhost');
  if (event.headers['x-forwarded-proto'] === 'http') url.protocol = 'http';
  // Ignored if it is not a valid host.
  url.host = event.requestContext.domainName;
  url.pathname = path;
  url.search = query;
  return `<${url}>; rel="${rel}"`;
}
