import type { HttpResult } from '../../../functions/http/context.ts';
import type { Demo } from '../demo/demo.ts';
import { html, page, projectFile } from './html.ts';
import { type ApiDocument, type Endpoint, endpointsOf, markdown, reference } from './reference.ts';

/** The page `/docs` shows the OpenAPI document and sends requests to this service, with the tokens of `demo`. */
export async function docsPage(demo?: Demo): Promise<HttpResult> {
  const document: ApiDocument = JSON.parse(await projectFile('openapi.json'));
  const sections = document.tags.map((tag) => ({ ...tag, endpoints: endpointsOf(document, tag.name) }));
  const [introduction = '', ...prose] = document.info.description.split(/^## /m);
  const values = {
    ...document.info,
    menu: sections.map(
      ({ name, endpoints }) => html`<h2>${name}</h2><ul>${endpoints.map(linkTo)}</ul>
    `,
    ),
    operations: sections.map(
      ({ name, description, endpoints }) => html`<section>
      <h2>${name}</h2>
      ${markdown(description)}
      ${endpoints.map(reference(document))}
    </section>
    `,
    ),
    introduction: markdown(introduction),
    prose: prose.map((section) => {
      const [title = '', ...lines] = section.split('\n');
      return html`<details><summary><h3>${title}</h3></summary>${markdown(lines.join('\n'))}</details>`;
    }),
    slug: demo?.advocateSlug ?? '',
    // The tokens are in the page, not in a script: a page of another site could load a script and run it.
    program_token: demo?.programToken ?? '',
    affiliate_token: demo?.affiliateToken ?? '',
  };
  return page('web/local/docs.html', values);
}

function linkTo({ operationId, method, summary, deprecated }: Endpoint) {
  const label = deprecated ? html`<s>${summary}</s>` : summary;
  return html`<li><a href="#${operationId}"><span class="method ${method}">${method}</span> ${label}</a></li>`;
}
