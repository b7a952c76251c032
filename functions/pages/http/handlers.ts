import type { HttpHandler } from '../../kernel/http/context.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { PAGE_ROUTES } from './routes.ts';
import { fileResponse, type PageFile, type ReadPage, readOnce } from './static-file.ts';

/**
 * `GET /gr.js`, `GET /portal`, `GET /account`, `GET /portal.js`, `GET /dashboard` and `GET /llms.txt`. Their files are read at the
 * first request for them, so that they cost other requests and cold starts nothing.
 */
export function fileHandlers<Table>(service: Service<Table>, read: ReadPage) {
  const load = readOnce(read);
  const handler = (route: (typeof PAGE_ROUTES)[keyof typeof PAGE_ROUTES], name: PageFile) =>
    routeHandler({
      route,
      service,
      input: ({ headers }) => headers,
      handle: async ({ input }) => fileResponse(await load(name), input),
    });
  return {
    getScript: handler(PAGE_ROUTES.getScript, 'script'),
    getPortal: handler(PAGE_ROUTES.getPortal, 'portal'),
    getAccount: handler(PAGE_ROUTES.getAccount, 'account'),
    getPortalScript: handler(PAGE_ROUTES.getPortalScript, 'portal-script'),
    getDashboard: handler(PAGE_ROUTES.getDashboard, 'dashboard'),
    getLlmsText: handler(PAGE_ROUTES.getLlmsText, 'llms'),
  } satisfies Record<string, HttpHandler>;
}
