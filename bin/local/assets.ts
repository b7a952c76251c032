import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { HttpResult } from '../../functions/http/context.ts';
import { bundle } from './bundle.ts';
import { type Policy, text } from './page.ts';

const FOLDER = new URL('../../web/local/', import.meta.url);

/** The service's own pages load nothing from elsewhere, and no script or style inside a page counts. */
export const POLICY: Policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/** Files of `web/local`, by their exact addresses: no other name ever reaches the file system. */
const ASSETS = new Map<string, () => Promise<HttpResult>>([
  ['/local/icon.svg', file('image/svg+xml', 'icon.svg')],
  ['/local/page.css', file('text/css', 'page.css')],
  ['/local/home.css', file('text/css', 'home.css')],
  ['/local/docs.css', file('text/css', 'docs.css')],
  ['/local/viewer.css', file('text/css', 'viewer.css')],
  ['/local/copy.js', script('copy.ts')],
  ['/local/docs.js', script('docs.ts')],
]);

/** Resolves to a file that the service's own pages load, or to `undefined` if the path is unknown. */
export async function asset(path: string): Promise<HttpResult | undefined> {
  return ASSETS.get(path)?.();
}

function file(type: string, name: string): () => Promise<HttpResult> {
  return async () => text(POLICY, type, await readFile(new URL(name, FOLDER), 'utf8'));
}

/** A script, bundled on its first use. */
function script(name: string): () => Promise<HttpResult> {
  let bundled: Promise<string> | undefined;
  return async () => {
    bundled ??= bundle(fileURLToPath(new URL(name, FOLDER)));
    return text(POLICY, 'text/javascript', await bundled);
  };
}
