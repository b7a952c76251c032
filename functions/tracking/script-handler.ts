import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { HttpHandler } from '../http/context.ts';
import { routeHandler, type Service } from '../http/route-handler.ts';
import { ROUTES } from '../routes.ts';
import { SCRIPT } from './script.js';
import { fileResponse, SCRIPT_HEADERS, type StaticFile } from './static-file.ts';

const FILE: StaticFile = {
  caching: {
    'cache-control': SCRIPT_HEADERS.cacheControl,
    // Weak, because the plain and the compressed script share it (RFC 9110 section 8.8.1).
    etag: `W/"${createHash('sha256').update(SCRIPT).digest('base64url').slice(0, 22)}"`,
    vary: 'accept-encoding',
  },
  content: SCRIPT_HEADERS.content,
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
