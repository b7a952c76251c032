import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { HttpResult } from '../../functions/http/call.ts';
import { image, text } from './page.ts';

const TITLE = 'Referral Tracking API';

// What the page may load: nothing from elsewhere. It may call other servers of the document, though.
const POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  'connect-src *',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${TITLE}</title>
  <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  <link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
  <main id="docs"></main>
  <noscript>This page needs JavaScript; the document itself is <a href="/openapi.json">openapi.json</a>.</noscript>
  <script src="/docs/swagger-ui-bundle.js" defer></script>
  <script src="/docs/start.js" defer></script>
</body>
</html>
`;

// A token that is typed in lives as long as the page. No validator: it would send the document to another host.
const START = `SwaggerUIBundle(${JSON.stringify(
  {
    url: '/openapi.json',
    dom_id: '#docs',
    deepLinking: true,
    displayRequestDuration: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    validatorUrl: null,
  },
  null,
  2,
)});
`;

const OPENAPI = fileURLToPath(new URL('../../openapi.json', import.meta.url));
const viewer = createRequire(import.meta.url);
const asset = (name: string) => readFile(viewer.resolve(`swagger-ui-dist/${name}`));

/** All that is served, by its exact path: no other name ever reaches the file system. */
const PAGES = new Map<string, () => Promise<HttpResult>>([
  ['/openapi.json', async () => text(POLICY, 'application/json', await readFile(OPENAPI, 'utf8'))],
  ['/docs', async () => text(POLICY, 'text/html', PAGE)],
  ['/docs/', async () => text(POLICY, 'text/html', PAGE)],
  ['/docs/start.js', async () => text(POLICY, 'text/javascript', START)],
  ['/docs/swagger-ui.css', async () => text(POLICY, 'text/css', String(await asset('swagger-ui.css')))],
  [
    '/docs/swagger-ui-bundle.js',
    async () => text(POLICY, 'text/javascript', String(await asset('swagger-ui-bundle.js'))),
  ],
  ['/docs/favicon-32x32.png', async () => image(POLICY, await asset('favicon-32x32.png'))],
]);

/** The OpenAPI document at `/openapi.json`, and at `/docs` a page to read it and try it out, without any network. */
export async function docs(path: string): Promise<HttpResult | undefined> {
  return PAGES.get(path)?.();
}
