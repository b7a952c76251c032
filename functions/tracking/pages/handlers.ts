import type { HttpHandler } from '../../kernel/http/context.ts';
import { routeHandler, type Service } from '../../kernel/http/route-handler.ts';
import { fileResponse, type StaticFile } from '../static-file.ts';
import { PAGE_ROUTES } from './routes.ts';

/** The tracking script, the pages, and the script that embeds one of them. The build writes each beside the bundle. */
export const PAGE_FILES = ['script', 'portal', 'portal-script', 'dashboard'] as const;
export type PageFile = (typeof PAGE_FILES)[number];

/** Reads a file of the build: a `StaticFile` as JSON. */
export type ReadPage = (name: PageFile) => Promise<string>;

/**
 * `GET /gr.js`, `GET /portal`, `GET /portal.js` and `GET /dashboard`. Their files are read at the first request for them,
 * so that they cost other requests and cold starts nothing.
 */
export function fileHandlers<Table>(service: Service<Table>, read: ReadPage) {
  const files = new Map<PageFile, StaticFile>();
  const load = async (name: PageFile): Promise<StaticFile> => {
    const file: StaticFile = files.get(name) ?? JSON.parse(await read(name));
    files.set(name, file);
    return file;
  };
  const handler = (
    route: (typeof PAGE_ROUTES)['getScript' | 'getPortal' | 'getPortalScript' | 'getDashboard'],
    name: PageFile,
  ) =>
    routeHandler({
      route,
      service,
      input: ({ headers }) => headers,
      handle: async ({ input }) => fileResponse(await load(name), input),
    });
  return {
    getScript: handler(PAGE_ROUTES.getScript, 'script'),
    getPortal: handler(PAGE_ROUTES.getPortal, 'portal'),
    getPortalScript: handler(PAGE_ROUTES.getPortalScript, 'portal-script'),
    getDashboard: handler(PAGE_ROUTES.getDashboard, 'dashboard'),
  } satisfies Record<string, HttpHandler>;
}
