import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { HttpHandler } from '../http/context.ts';
import { routeHandler, type Service } from '../http/route-handler.ts';
import { ROUTES } from '../routes.ts';
import { SCRIPT } from './script.js';
import { fileResponse, type StaticFile } from './static-file.ts';

const FILE: StaticFile = {
  caching: {
    // A browser sends no request for a day, and then revalidates in the background for a week (RFC 5861 section 3).
    'cache-control': 'public, max-age=86400, stale-while-revalidate=604800',
    // Weak, because the plain and the compressed script share it (RFC 9110 section 8.8.1).
    etag: `W/"${createHash('sha256').update(SCRIPT).digest('base64url').slice(0, 22)}"`,
    vary: 'accept-encoding',
  },
  content: {
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    // Cross-origin isolated pages load only resources with this header.
    'cross-origin-resource-policy': 'cross-origin',
  },
  text: SCRIPT,
  compressed: { gzip: gzipSync(SCRIPT, { level: 9 }).toString('base64') },
};

/** `GET /gr.js`: the tracking script, compressed once at start-up, because API Gateway does not compress. */
export function scriptHandler<Table>(service: Service<Table>): HttpHandler {
  return routeHandler({
    route: ROUTES.getScript,
    service,
    input: ({ headers }) => headers,
    handle: async ({ input }) => fileResponse(FILE, input),
  });
}
