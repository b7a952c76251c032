import type { HttpResult } from '../../../functions/http/context.ts';
import { DEFAULT_DATA_DIR } from '../../service/environment.ts';
import type { Demo } from '../demo/demo.ts';
import { demoShop } from '../demo/site.ts';
import { isThisMachine, type PageRequest, type Pages } from '../gateway.ts';
import { docsPage } from './docs.ts';
import { pageFile } from './files.ts';
import { homePage, noDemoPage } from './home.ts';

/** Serves everything outside the API: overview, API reference, demo site, and the files that they load. */
export function pages(demo: Demo | undefined, dataDir = DEFAULT_DATA_DIR): Pages {
  const shop = demo && demoShop(demo);
  return async (request) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return (isRead && (await page(request, demo, dataDir))) || shop?.(request);
  };
}

async function page(
  { path, headers, port }: PageRequest,
  demo: Demo | undefined,
  dataDir: string,
): Promise<HttpResult | undefined> {
  // The tokens are shown only if the browser addresses this machine by its own name.
  const visibleDemo = isThisMachine(headers.host) ? demo : undefined;
  switch (path) {
    case '/':
      return homePage({ baseUrl: `http://localhost:${port}`, demo: visibleDemo, dataDir }, headers.accept);
    case '/docs':
    case '/docs/':
      return docsPage(visibleDemo);
    case '/demo':
    case '/demo/':
      return demo ? undefined : noDemoPage();
    default:
      return pageFile(path);
  }
}
