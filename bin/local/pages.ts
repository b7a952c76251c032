import type { HttpResult } from '../../functions/http/context.ts';
import { asset } from './assets.ts';
import type { Demo } from './demo.ts';
import { demoSite } from './demo-site.ts';
import { docs } from './docs.ts';
import { DEFAULT_DATA_DIR } from './environment.ts';
import type { PageRequest, Pages } from './gateway.ts';
import { home } from './home.ts';
import { merchant } from './merchant.ts';
import { isThisMachine } from './page.ts';

/** Everything that is served beside the API: what runs here, the API reference, and the demo's site with its backend. */
export function pages(demo: Demo | undefined, dataDir = DEFAULT_DATA_DIR): Pages {
  const site = demoSite(demo);
  const backend = demo && merchant(demo);
  return async (request) => (await ownPage(request, demo, dataDir)) ?? (await site(request)) ?? backend?.(request);
}

async function ownPage(
  { method, path, headers, port }: PageRequest,
  demo: Demo | undefined,
  dataDir: string,
): Promise<HttpResult | undefined> {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const shown = isThisMachine(headers.host) ? demo : undefined;
  if (path === '/') return home({ baseUrl: `http://localhost:${port}`, demo: shown, dataDir }, headers.accept);
  return (await asset(path)) ?? docs(path, shown);
}
