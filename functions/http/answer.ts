import type { Route } from '../routes.ts';
import type { HttpEvent, HttpResult, Middleware } from './call.ts';

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

/** RFC 9745 and RFC 8288. */
function deprecation(event: HttpEvent, { since, successor }: NonNullable<Route['deprecated']>) {
  return { deprecation: `@${since}`, link: `<${baseUrl(event)}${successor}>; rel="successor-version"` };
}

/** The address at which the caller reached the service, without a path. */
export function baseUrl(event: HttpEvent): string {
  const scheme = event.headers['x-forwarded-proto'] === 'http' ? 'http' : 'https';
  return `${scheme}://${event.requestContext.domainName}`;
}
