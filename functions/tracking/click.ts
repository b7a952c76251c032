import { isbot } from 'isbot';
import type { HttpHandler } from '../http/context.ts';
import { endpoint, type Service } from '../http/endpoint.ts';
import { noContent } from '../http/response.ts';
import { ROUTES } from '../routes.ts';
import { clickRecorder } from '../table/clicks.ts';
import type { Table } from '../table/table.ts';
import { click } from './mapping.ts';

/** `POST /v2/tracking/click`: a visitor followed an advocate's link. The header `x-click` says what was done. */
export function clickEndpoint(service: Service<Table>): HttpHandler {
  const record = clickRecorder(service.clock);
  return endpoint({
    route: ROUTES.trackClick,
    service,
    input: (_, body) => click(body),
    handle: async ({ input, table, event: { headers } }) =>
      noContent({ 'x-click': isAutomatic(headers) ? 'ignored' : await record(table, input) }),
  });
}

/**
 * Headers of browsers and mail programs that fetch ahead of a person, or instead of one:
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Sec-Purpose and its predecessors.
 */
const PURPOSE_HEADERS = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];
const AHEAD = /prefetch|prerender|preview/i;

/** True if no person sent the request: a known bot, a prefetch or an empty user agent. Header names in lower case. */
export function isAutomatic(headers: Readonly<Record<string, string | undefined>>): boolean {
  const userAgent = headers['user-agent']?.trim();
  return !userAgent || PURPOSE_HEADERS.some((name) => AHEAD.test(headers[name] ?? '')) || isbot(userAgent);
}
