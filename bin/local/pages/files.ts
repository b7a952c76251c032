import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HttpResult } from '../../../functions/http/context.ts';
import { fill, type HtmlValues } from './html.ts';

/** Pages load nothing from other sites, and inline scripts and styles do not run. */
export const POLICY: readonly string[] = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const ROOT = new URL('../../../', import.meta.url);
const { resolve } = createRequire(import.meta.url);
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};
const STYLES_AND_IMAGES = [
  ...['icon.svg', 'page.css', 'home.css', 'docs.css', 'viewer.css', 'operation.css'].map((name) => `local/${name}`),
  ...['layout', 'shop', 'form', 'panel', 'steps', 'dashboard', 'merchant', 'deliveries'].map(
    (name) => `demo/${name}.css`,
  ),
  ...['cup.svg', 'icon.svg'].map((name) => `demo/${name}`),
];

/** Loads each file of the pages by its exact path. No other path reaches the file system. */
const FILES = new Map<string, () => Promise<string>>([
  ...STYLES_AND_IMAGES.map((file): [string, () => Promise<string>] => [`/${file}`, () => projectFile(`web/${file}`)]),
  ['/local/home.js', bundled('web/local/home.ts')],
  ['/local/docs.js', bundled('web/local/docs.ts')],
  ['/demo/main.js', bundled('web/demo/main.ts')],
  ['/docs/swagger-ui.css', () => readFile(resolve('swagger-ui-dist/swagger-ui.css'), 'utf8')],
  ['/docs/swagger-ui-bundle.js', () => readFile(resolve('swagger-ui-dist/swagger-ui-bundle.js'), 'utf8')],
  ['/openapi.json', () => projectFile('openapi.json')],
]);

/** Resolves to a file that a page loads or links to, or to `undefined` if the path is unknown. */
export async function pageFile(path: string): Promise<HttpResult | undefined> {
  const load = FILES.get(path);
  if (!load) return undefined;
  const result = text(TYPES[extname(path)] ?? 'text/plain', await load());
  // The OpenAPI document contains no secret: tools in a browser may read it.
  return path === '/openapi.json' ? withHeaders(result, { 'access-control-allow-origin': '*' }) : result;
}

/** Reads a text file of the project. */
export function projectFile(path: string): Promise<string> {
  return readFile(new URL(path, ROOT), 'utf8');
}

/** Returns a page of the project with its placeholders filled in. */
export async function page(path: string, values: HtmlValues, policy = POLICY): Promise<HttpResult> {
  return text('text/html', fill(await projectFile(path), values), policy);
}

/** Returns text with a Content-Security-Policy. Browsers request it again each time. */
export function text(type: string, body: string, policy = POLICY): HttpResult {
  return {
    statusCode: 200,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-cache',
      'content-security-policy': policy.join('; '),
      // Pages of other sites can load neither scripts nor images from here.
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
    body,
  };
}

/** Adds headers to a response. */
export function withHeaders(result: HttpResult, headers: Readonly<Record<string, string>>): HttpResult {
  return { ...result, headers: { ...result.headers, ...headers } };
}

/** Returns a function that bundles a browser script with its imports, on first use. */
function bundled(path: string): () => Promise<string> {
  let script: Promise<string> | undefined;
  const bundle = async () => {
    // Imported on first use, so that the start-up does not wait for it.
    const { build, stop } = await import('esbuild');
    const entryPoints = [fileURLToPath(new URL(path, ROOT))];
    const options = { bundle: true, format: 'iife', target: 'es2022', charset: 'utf8', write: false } as const;
    const { outputFiles } = await build({ entryPoints, ...options });
    // Without this, esbuild keeps a process running.
    await stop();
    return outputFiles.map((file) => file.text).join('');
  };
  return () => (script ??= bundle());
}
