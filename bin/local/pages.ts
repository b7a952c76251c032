import type { Demo } from './demo.ts';
import { demoSite } from './demo-site.ts';
import { docs } from './docs.ts';
import type { Pages } from './gateway.ts';
import { merchant } from './merchant.ts';

/** All that is served beside the API: its reference, and the demo's site with its backend. */
export function pages(demo: Demo | undefined): Pages {
  const site = demoSite(demo);
  const backend = demo && merchant(demo);
  return async (request) =>
    (request.method === 'GET' ? await docs(request.path) : undefined) ??
    (await site(request)) ??
    backend?.(request);
}
