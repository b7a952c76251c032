import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { HttpResult } from '../../functions/http/context.ts';
import { bundle } from './bundle.ts';
import type { Demo } from './demo.ts';
import type { Pages } from './gateway.ts';
import { text } from './page.ts';

// What the page may load and ask: nothing from elsewhere, and no script or style that stands in it.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const FOLDER = new URL('../../web/demo/', import.meta.url);
const PAGE_ADDRESSES = ['/demo', '/demo/'];
/** Files beside the page, by their exact addresses: no other name ever reaches the file system. */
const FILES = new Map([
  ['/demo/layout.css', 'text/css'],
  ['/demo/shop.css', 'text/css'],
  ['/demo/form.css', 'text/css'],
  ['/demo/panel.css', 'text/css'],
  ['/demo/steps.css', 'text/css'],
  ['/demo/dashboard.css', 'text/css'],
  ['/demo/cup.svg', 'image/svg+xml'],
  ['/demo/icon.svg', 'image/svg+xml'],
]);

const NO_DEMO = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>No demo here</title>
</head>
<body>
  <h1>No demo here</h1>
  <p>This service was started without its demo program: with <code>DEMO=off</code>, or on a table that holds other
    programs. Start it with an empty <code>DATA_DIR</code> and without <code>DEMO</code> to see it.</p>
  <p><a href="/docs">API reference</a></p>
</body>
</html>
`;

/** The demo's marketing site at `/demo`; where there is no demo, a page that says why. */
export function demoSite(demo: Demo | undefined): Pages {
  let script: Promise<string> | undefined;
  return async ({ method, path }) => {
    if (method !== 'GET') return undefined;
    if (PAGE_ADDRESSES.includes(path)) return demo ? page(demo) : noDemo();
    if (path === '/demo/main.js') {
      script ??= bundle(fileURLToPath(new URL('main.ts', FOLDER)));
      return text(POLICY, 'text/javascript', await script);
    }
    const type = FILES.get(path);
    return type === undefined ? undefined : text(POLICY, type, await read(path.slice('/demo/'.length)));
  };
}

/** The page, filled in with what differs from demo to demo. */
async function page({ publicKey, advocateSlug, advocateName }: Demo): Promise<HttpResult> {
  const names = advocateName.split(' ');
  const values = new Map([
    ['public_key', publicKey],
    ['advocate_slug', advocateSlug],
    ['advocate_name', advocateName],
    ['advocate_first_name', names[0] ?? ''],
    ['advocate_initials', names.map((name) => name.slice(0, 1)).join('')],
  ]);
  const html = await read('index.html');
  const filled = html.replace(/\{\{(\w+)\}\}/g, (_, name) => escapeHtml(values.get(name) ?? ''));
  return text(POLICY, 'text/html', filled);
}

function escapeHtml(value: string): string {
  return value.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function noDemo(): HttpResult {
  return { ...text(POLICY, 'text/html', NO_DEMO), statusCode: 404 };
}

function read(name: string): Promise<string> {
  return readFile(new URL(name, FOLDER), 'utf8');
}
