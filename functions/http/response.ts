import type { Route } from '../routes.ts';
import type { HttpEvent, HttpResult, Middleware } from './context.ts';

/** A response with a JSON body. It may contain personal data: no cache may store it. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): HttpResult {
  return {
    statusCode: status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
    body: JSON.stringify(body),
  };
}

/** A response without a body. */
export function noContent(headers: Record<string, string> = {}): HttpResult {
  return { statusCode: 204, headers: { 'cache-control': 'no-store', ...headers } };
}

/** Adds the headers of every response of a route: the request's id, and the notice of a deprecated route. */
export function commonHeaders(route: Route): Middleware {
  const add: Middleware['after'] = async ({ event, response }) => {
    if (!response) return;
    response.headers = { ...response.headers, 'x-request-id': event.requestContext.requestId };
    if (!route.deprecated) return;
    // RFC 9745.
    response.headers['deprecation'] = `@${route.deprecated.since}`;
    response.headers['link'] = linkTo(event, 'successor-version', route.deprecated.successor);
  };
  return { after: add, onError: add };
}

/**
 * A `Link` header (RFC 8288) to a path at the address that the caller used. The URL is built part by part, so that no part
 * can escape from it: the domain name is the caller's Host header if the gateway does not check it.
 */
export function linkTo(event: HttpEvent, rel: string, path: string, query = ''): string {
  const url = new URL('https://localhost');
  if (event.headers['x-forwarded-proto'] === 'http') url.protocol = 'http';
  // The URL ignores a host that is not valid.
  url.host = event.requestContext.domainName;
  url.pathname = path;
  url.search = query;
  return `<${url}>; rel="${rel}"`;
}
