import type { HttpEvent, HttpResult, Middleware } from './context.ts';
import type { Route } from './route.ts';

/** Returns a response with a JSON body. Caches must not store it, because it may contain personal data. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}) {
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  } satisfies HttpResult;
}

/** Returns a 204 response, which has no body. */
export function noContent(headers: Record<string, string> = {}): HttpResult {
  return { statusCode: 204, headers: { 'cache-control': 'no-store', ...headers } };
}

/** Adds the headers of every response of a route: the request id, and the deprecation of a deprecated route. */
export function commonHeaders(route: Route): Middleware {
  const add: Middleware['after'] = async ({ event, response }) => {
    if (!response) return;
    response.headers = { ...response.headers, 'x-request-id': event.requestContext.requestId };
    if (!route.deprecated) return;
    response.headers['deprecation'] = `@${route.deprecated.since}`;
    response.headers['link'] = linkTo(event, 'successor-version', route.deprecated.successor);
  };
  return { after: add, onError: add };
}

/**
 * Returns the value of a `Link` header (RFC 8288) with a path at the address that the caller used. Each part of the URL
 * is set separately, so that none can change another: the domain name may be an unchecked Host header of the caller.
 */
export function linkTo(event: HttpEvent, rel: string, path: string, query = ''): string {
  return `<${urlOf(event, path, query)}>; rel="${rel}"`;
}

/** Returns the URL of a path at the address that the caller used, as `linkTo` does. */
export function urlOf(event: HttpEvent, path: string, query = ''): string {
  const url = new URL('https://localhost');
  if (event.headers['x-forwarded-proto'] === 'http') url.protocol = 'http';
  // An invalid host is ignored.
  url.host = event.requestContext.domainName;
  url.pathname = path;
  url.search = query;
  return url.href;
}
