import { z } from 'zod';
import type { HttpResult } from '../../../functions/http/context.ts';
import type { Demo } from '../demo/demo.ts';
import { type Html, html, page, projectFile } from './html.ts';

const OPERATION = z.object({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  deprecated: z.boolean().default(false),
});
const PATHS = z.record(z.string(), z.record(z.string(), OPERATION));
/** The part of the OpenAPI document that the page itself shows; the viewer shows the rest. */
const DOCUMENT = z.object({
  info: z.object({ title: z.string(), summary: z.string(), version: z.string() }),
  tags: z.array(z.object({ name: z.string() })),
  paths: PATHS,
  webhooks: PATHS,
});

/**
 * Returns the page at `/docs`, which shows the OpenAPI document and sends requests to this service. It loads nothing
 * from other hosts. With `demo`, it contains the demo's tokens.
 */
export async function docsPage(demo?: Demo): Promise<HttpResult> {
  const { info, tags, paths, webhooks } = DOCUMENT.parse(JSON.parse(await projectFile('openapi.json')));
  const menu = tags.map(({ name }) => {
    // The viewer shows all webhooks in a section of this name.
    const links = [...linksTo(paths, name, name), ...linksTo(webhooks, name, 'webhooks')];
    return html`<h2>${name}</h2>
    <ul>${links}</ul>
    `;
  });
  const values = {
    ...info,
    menu,
    slug: demo?.advocateSlug ?? '',
    // The tokens are in the page, not in a script: a page of another site could load a script and run it.
    program_token: demo?.programToken ?? '',
    affiliate_token: demo?.affiliateToken ?? '',
  };
  // Swagger UI sets inline styles, and its style sheet contains images.
  return page('web/local/docs.html', values, { 'style-src': "'self' 'unsafe-inline'", 'img-src': "'self' data:" });
}

/** Returns links to the operations with a tag in a section of the viewer. */
function linksTo(paths: z.infer<typeof PATHS>, tag: string, section: string): Html[] {
  const operations = Object.values(paths).flatMap((methods) => Object.entries(methods));
  return operations.flatMap(([method, { operationId, summary, tags, deprecated }]) => {
    if (!tags.includes(tag)) return [];
    const label = deprecated ? html`<s>${summary}</s>` : summary;
    return html`<li><a href="#/${section}/${operationId}"><span class="method ${method}">${method}</span> ${label}</a></li>
      `;
  });
}
