import { DEFAULT_DATA_DIR } from '../../service/environment.ts';
import type { Demo } from '../demo/demo.ts';
import { demoShop } from '../demo/site.ts';
import { isThisMachine, type Pages } from '../gateway.ts';
import { docsPage } from './docs.ts';
import { pageFile } from './files.ts';
import { homePage, noDemoPage } from './home.ts';

/** Serves everything outside the API: overview, API reference, demo site, and the files that they load. */
export function pages(demo: Demo | undefined, dataDir = DEFAULT_DATA_DIR): Pages {
  const shop = demo && demoShop(demo);
  return async (request) => {
    const { method, path, headers, port } = request;
    if (method !== 'GET' && method !== 'HEAD') return shop?.(request);
    // The tokens are shown only if the browser addresses this machine by its own name.
    const visibleDemo = isThisMachine(headers.host) ? demo : undefined;
    if (path === '/') {
      return homePage({ baseUrl: `http://localhost:${port}`, demo: visibleDemo, dataDir }, headers.accept);
    }
    if (/^\/docs\/?$/.test(path)) return docsPage(visibleDemo);
    if (/^\/demo\/?$/.test(path) && !visibleDemo) return noDemoPage();
    return (await pageFile(path)) ?? shop?.(request);
  };
}
