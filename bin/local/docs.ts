import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { HttpResult } from '../../functions/http/context.ts';
import { POLICY } from './assets.ts';
import type { Demo } from './demo.ts';
import { type Html, html, htmlPage } from './html.ts';
import { text } from './page.ts';

// Swagger UI writes styles into its elements.
const VIEWER_POLICY = [...POLICY.filter((rule) => !rule.startsWith('style-src')), "style-src 'self' 'unsafe-inline'"];

const OPENAPI = fileURLToPath(new URL('../../openapi.json', import.meta.url));
const viewer = createRequire(import.meta.url);

/** The part of the document that the page itself shows; the viewer shows the rest. */
const DOCUMENT = z.object({
  info: z.object({ title: z.string(), summary: z.string(), version: z.string() }),
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        summary: z.string(),
        tags: z.array(z.string()),
        deprecated: z.boolean().default(false),
      }),
    ),
  ),
});
type Document = z.infer<typeof DOCUMENT>;

/** Everything that is served beside the page, by its exact path: no other name ever reaches the file system. */
const FILES = new Map<string, () => Promise<HttpResult>>([
  ['/openapi.json', openapi],
  ['/docs/swagger-ui.css', () => viewerFile('text/css', 'swagger-ui.css')],
  ['/docs/swagger-ui-bundle.js', () => viewerFile('text/javascript', 'swagger-ui-bundle.js')],
]);

/**
 * The OpenAPI document at `/openapi.json`, and at `/docs` a page to read it and to try it out, without any network. The
 * page holds the demo's tokens if `demo` is given.
 */
export async function docs(path: string, demo?: Demo): Promise<HttpResult | undefined> {
  if (path === '/docs' || path === '/docs/') return text(VIEWER_POLICY, 'text/html', await docsPage(demo));
  return FILES.get(path)?.();
}

async function openapi(): Promise<HttpResult> {
  const { headers, ...result } = text(POLICY, 'application/json', await readFile(OPENAPI, 'utf8'));
  // The document holds no secret: tools in a browser may read it.
  return { ...result, headers: { ...headers, 'access-control-allow-origin': '*' } };
}

async function viewerFile(type: string, name: string): Promise<HttpResult> {
  return text(POLICY, type, await readFile(viewer.resolve(`swagger-ui-dist/${name}`), 'utf8'));
}

async function docsPage(demo: Demo | undefined): Promise<string> {
  const document = DOCUMENT.parse(JSON.parse(await readFile(OPENAPI, 'utf8')));
  const { title, summary, version } = document.info;
  const head = html`<script src="/docs/swagger-ui-bundle.js" defer></script>
  <script src="/local/docs.js" defer></script>`;
  // The tokens stand in the page, not in a script: a page of another site could load a script and run it.
  const body = html`<a class="skip" href="#docs">Skip to the operations</a>
<header class="top">
  <a class="brand" href="/"><img src="/local/icon.svg" alt="" width="32" height="32"> Referral Tracking</a>
  <nav aria-label="Site"><a href="/">Overview</a> ${demo ? html`<a href="/demo?via=${demo.advocateSlug}">Demo shop</a> ` : []}<a href="/openapi.json">OpenAPI document</a></nav>
</header>
<div class="columns">
  <nav class="operations" aria-label="Operations"><details id="menu"><summary>Operations</summary>
    ${document.tags.map(({ name }) => tagLinks(document, name))}
    <h2>More</h2>
    <ul><li><a href="#about">About this API</a></li></ul>
  </details></nav>
  <main>
    <h1>${title} API <span class="version">${version}</span></h1>
    <p class="lead">${summary}</p>
    ${tokensNote(demo)}
    <div id="docs" tabindex="-1" data-program-token="${demo?.programToken ?? ''}" data-affiliate-token="${demo?.affiliateToken ?? ''}"></div>
    <noscript><p>This page needs JavaScript. The document itself is <a href="/openapi.json">openapi.json</a>.</p></noscript>
  </main>
</div>`;
  return htmlPage(
    `${title} API`,
    ['/docs/swagger-ui.css', '/local/page.css', '/local/docs.css', '/local/viewer.css'],
    head,
    body,
  );
}

function tagLinks({ paths }: Document, tag: string): Html {
  const operations = Object.values(paths).flatMap((methods) =>
    Object.entries(methods).filter(([, { tags }]) => tags.includes(tag)),
  );
  const links = operations.map(
    ([
      method,
      { operationId, summary, deprecated },
    ]) => html`<li><a href="#/${tag}/${operationId}"><span class="method ${method}">${method}</span> ${
      deprecated ? html`<s>${summary}</s>` : summary
    }</a></li>
      `,
  );
  return html`<h2>${tag}</h2>
    <ul>${links}</ul>
    `;
}

function tokensNote(demo: Demo | undefined): Html {
  return demo
    ? html`<p class="note">The tokens of the demo are filled in: open an operation and press <b>Execute</b>.</p>`
    : html`<p class="note">Press <b>Authorize</b> and enter a token to try the operations: <code>npm run --silent admin -- token create --help</code> says how to get one.</p>`;
}
