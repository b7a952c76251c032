import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { HttpEvent, HttpHandler, HttpResult } from '../http/context.ts';
import { routeHandler, type Service } from '../http/route-handler.ts';
import { ROUTES } from '../routes.ts';
import { SCRIPT } from './script.js';

// Weak, because the plain and the compressed script share it (RFC 9110 section 8.8.1).
const ETAG = `W/"${createHash('sha256').update(SCRIPT).digest('base64url').slice(0, 22)}"`;
const HEADERS = {
  // A browser sends no request for a day, and then revalidates in the background for a week (RFC 5861 section 3).
  'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
  etag: ETAG,
  vary: 'accept-encoding',
};
const CONTENT = {
  'content-type': 'text/javascript; charset=utf-8',
  'x-content-type-options': 'nosniff',
  // Cross-origin isolated pages load only resources with this header.
  'cross-origin-resource-policy': 'cross-origin',
};
const PLAIN: HttpResult = { statusCode: 200, headers: { ...HEADERS, ...CONTENT }, body: SCRIPT };
const COMPRESSED: HttpResult = {
  statusCode: 200,
  headers: { ...PLAIN.headers, 'content-encoding': 'gzip' },
  body: gzipSync(SCRIPT, { level: 9 }).toString('base64'),
  isBase64Encoded: true,
};
const NOT_MODIFIED: HttpResult = { statusCode: 304, headers: HEADERS };

/** `GET /gr.js`: the tracking script, compressed once at start-up, because API Gateway does not compress. */
export function scriptHandler<Table>(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: ROUTES.getScript,
    service,
    input: ({ headers }) => headers,
    handle: async ({ input }) => scriptResponse(input),
  });
}

function scriptResponse(headers: HttpEvent['headers']): HttpResult {
  const known = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
  if (known.includes('*') || known.some((tag) => tag.replace(/^(?:W\/)?/, 'W/') === ETAG)) return NOT_MODIFIED;
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(headers['accept-encoding'] ?? '') ? COMPRESSED : PLAIN;
}
