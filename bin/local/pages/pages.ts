import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HttpResult } from '../../../functions/kernel/http/context.ts';
import { DEFAULT_DATA_DIR } from '../../service/environment.ts';
import type { Outbox } from '../../service/outbox.ts';
import type { Demo } from '../demo/demo.ts';
import { demoShop } from '../demo/site.ts';
import { isThisMachine, type Pages } from '../gateway.ts';
import { docsPage } from './docs.ts';
import { homePage, noDemoPage } from './home.ts';
import { projectFile, textResult, withHeaders } from './html.ts';
import { outboxPage } from './outbox.ts';

export function pages(demo: Demo | undefined, dataDir = DEFAULT_DATA_DIR, outbox?: Outbox): Pages {
  const shop = demo && demoShop(demo);
  return async (request) => {
    const { method, path, headers, port } = request;
    if (method !== 'GET' && method !== 'HEAD') return shop?.(request);
    // Tokens and emails are shown only if the browser addresses this machine by its own name.
    const visible = isThisMachine(headers.host) ? { demo, outbox } : {};
    const { demo: visibleDemo } = visible;
    if (path === '/') {
      return homePage({ baseUrl: `http://localhost:${port}`, demo: visibleDemo, dataDir }, headers.accept);
    }
    if (/^\/docs\/?$/.test(path)) return docsPage(visibleDemo);
    if (/^\/demo\/?$/.test(path) && !visibleDemo) return noDemoPage();
    return (await outboxPage(path, visible)) ?? (await pageFile(path)) ?? shop?.(request);
  };
}

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

const FILES = new Map<string, () => Promise<string>>([
  ['/local/home.js', bundled('web/local/home.ts')],
  ['/local/docs.js', bundled('web/local/docs.ts')],
  ['/demo/main.js', bundled('web/demo/main.ts')],
  ['/openapi.json', () => projectFile('openapi.json')],
]);
/** The styles and images in `web`. No other path reaches the file system. */
const STYLE_OR_IMAGE = /^\/(?:style\.css|(?:demo|local)\/[a-z]+\.(?:css|svg))$/;

/** Resolves to a file that a page loads or links to, or to `undefined` if the path is unknown. */
export async function pageFile(path: string): Promise<HttpResult | undefined> {
  const load = STYLE_OR_IMAGE.test(path) ? () => projectFile(`web${path}`).catch(() => undefined) : FILES.get(path);
  const body = await load?.();
  if (body === undefined) return undefined;
  const result = textResult(TYPES[extname(path)] ?? 'text/plain', body);
  // The OpenAPI document contains no secret: tools in a browser may read it.
  return path === '/openapi.json' ? withHeaders(result, { 'access-control-allow-origin': '*' }) : result;
}

function bundled(path: string): () => Promise<string> {
  let script: Promise<string> | undefined;
  const bundle = async () => {
    // Imported on first use, so that the start-up does not wait for it.
    const { build, stop } = await import('esbuild');
    const entryPoints = [fileURLToPath(new URL(`../../../${path}`, import.meta.url))];
    const options = { bundle: true, format: 'iife', target: 'es2022', charset: 'utf8', write: false } as const;
    const { outputFiles } = await build({ entryPoints, ...options });
    // Without this, esbuild keeps a process running.
    await stop();
    return outputFiles.map((file) => file.text).join('');
  };
  return () => (script ??= bundle());
}
