import { marked } from 'marked';
import type { HttpResult } from '../../../functions/kernel/http/context.ts';
import { valueAt } from '../../../functions/kernel/json.ts';
import type { Demo } from '../demo/demo.ts';
import { Html, html, page, projectFile } from './html.ts';

type Named<Value> = Readonly<Record<string, Value>>;

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Named<Schema>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}
interface Described {
  readonly description?: string;
  readonly schema: Schema;
}
type Parameter = Described & { readonly name: string; readonly in: string; readonly required?: boolean };
interface Message {
  readonly description?: string;
  readonly headers?: Named<Described>;
  readonly content?: Named<{
    readonly schema?: Schema;
    readonly examples?: Named<{ readonly summary?: string; readonly value: unknown }>;
  }>;
}
interface Operation extends Readonly<Record<'operationId' | 'summary' | 'description', string>> {
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security: readonly Named<readonly string[]>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Message;
  readonly responses: Named<Message>;
}

/** The part of the OpenAPI document that the page shows. `npm run check` holds the document against its standard. */
interface ApiDocument {
  readonly info: Readonly<Record<'title' | 'summary' | 'version' | 'description', string>>;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Named<Named<Operation>>;
  readonly webhooks: Named<Named<Operation>>;
}
/** An operation with its method and path. Webhooks have none: the service sends them. */
type Endpoint = Operation & { readonly method: string; readonly path: string | undefined };

/** The page `/docs` shows the OpenAPI document and sends requests to this service, with the tokens of `demo`. */
export async function docsPage(demo?: Demo): Promise<HttpResult> {
  const document = resolved(await projectFile('openapi.json'));
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
      ${endpoints.map(reference)}
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

/** Parses the document with the nodes that it refers to in the place of references. What stands beside one counts. */
function resolved(text: string): ApiDocument {
  const document: unknown = JSON.parse(text);
  const resolve = (_: string, value: unknown): unknown => {
    const reference = valueAt(value, '$ref');
    if (typeof value !== 'object' || typeof reference !== 'string') return value;
    const { $ref: _ref, ...beside } = { $ref: '', ...value };
    const target = valueAt(document, ...reference.slice('#/'.length).split('/'));
    return { ...JSON.parse(JSON.stringify(target), resolve), ...beside };
  };
  return JSON.parse(text, resolve);
}

function endpointsOf({ paths, webhooks }: ApiDocument, tag: string): Endpoint[] {
  const all = [...Object.entries(paths), ...Object.values(webhooks).map((each) => [undefined, each] as const)];
  return all.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, each]) => (each.tags.includes(tag) ? [{ ...each, method, path }] : [])),
  );
}

function linkTo({ operationId, method, summary, deprecated }: Endpoint) {
  const label = deprecated ? html`<s>${summary}</s>` : summary;
  return html`<li><a href="#${operationId}"><span class="method ${method}">${method}</span> ${label}</a></li>`;
}

/** Markdown of this project, which may contain HTML. A table can be wider than a screen. */
function markdown(text = ''): Html {
  const tables = /<table>[\s\S]*?<\/table>/g;
  const scrolling = (table: string) => `<div class="wide" role="group" aria-label="Table" tabindex="0">${table}</div>`;
  return new Html(marked.parse(text, { async: false }).replace(tables, scrolling));
}

function reference(endpoint: Endpoint): Html {
  const { operationId, summary, description, deprecated, method, path, security, requestBody, responses } = endpoint;
  const title = deprecated ? html`<s>${summary}</s> (deprecated)` : summary;
  const request = html`<div class="request" data-path="${path ?? ''}" data-method="${method}"></div>`;
  return html`<details class="operation" id="${operationId}">
      <summary><h3><span class="method ${method}">${method}</span> <code>${path ?? 'your URL'}</code> ${title}</h3></summary>
      ${markdown(description)}
      <p>Credential: ${credentials(security)}</p>
      ${parametersOf(endpoint)}
      ${requestBody ? html`<h4>Body</h4>${message(requestBody)}` : ''}
      ${path === undefined ? '' : request}
      <h4>Responses</h4>
      ${Object.entries(responses).map(response)}
    </details>
    `;
}

const CREDENTIALS: Named<string> = {
  programToken: 'program token',
  affiliateToken: 'affiliate token',
  stripeSignature: 'Stripe’s signature',
};

function credentials(security: Operation['security']): string {
  const names = security.map((scheme) => Object.keys(scheme).map((name) => CREDENTIALS[name] ?? name)[0] ?? 'none');
  return names.join(' or ') || 'none';
}

function parametersOf({ parameters = [] }: Operation): Html {
  const fields = parameters.map(({ name, in: place, required = false, description = '', schema }) => {
    return { name, required, type: `${aboutSchema(schema).type}, in the ${place}`, description };
  });
  return fields.length === 0 ? html`` : html`<h4>Parameters</h4>${fieldList(fields)}`;
}

function response([status, sent]: [string, Message]): Html {
  const codes = Object.keys(sent.content?.['application/json']?.examples ?? {});
  const isSuccess = status.startsWith('2');
  const label = isSuccess || codes.length === 0 ? '' : html` <code>${codes.join(', ')}</code>`;
  return html`<details class="response"${isSuccess ? html` open` : ''}><summary><b>${status}</b>${label}</summary>${message(sent)}</details>`;
}

function message({ description, headers = {}, content = {} }: Message): Html {
  const sent = Object.entries(headers).map(([name, { schema, description = '' }]) => {
    return { name, required: false, ...aboutSchema(schema), description };
  });
  const { schema, examples = {} } = content['application/json'] ?? {};
  const fields = schema ? fieldsOf(schema) : [];
  const shown = Object.values(examples).map(({ summary, value }) => {
    return html`${summary ? html`<p>${summary}:</p>` : ''}<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
  });
  return html`${markdown(description)}${shown}${folded('Headers', sent)}${folded('Fields', fields)}`;
}

type Field = Readonly<Record<'name' | 'type' | 'description', string>> & { readonly required: boolean };

function fieldsOf({ properties = {}, required = [], items, allOf = [], anyOf = [] }: Schema, prefix = ''): Field[] {
  const own = Object.entries(properties).flatMap(([name, each]) => [
    { name: prefix + name, required: required.includes(name), ...aboutSchema(each) },
    ...fieldsOf(each, `${prefix}${name}.`),
  ]);
  const parts = [...allOf, ...anyOf].flatMap((part) => fieldsOf(part, prefix));
  const all = [...own, ...(items ? fieldsOf(items, prefix.replace(/\.?$/, '[].')) : []), ...parts];
  // A part of a schema repeats fields in order to require them.
  return all.filter(({ name }, index) => all.findIndex((field) => field.name === name) === index);
}

function fieldList(fields: readonly Field[]): Html {
  const rows = fields.map(
    ({ name, required, type, description }) =>
      html`<dt><code>${name}</code> ${type}${required ? html`, <b>required</b>` : ''}</dt><dd>${markdown(description)}</dd>`,
  );
  return html`<dl>${rows}</dl>`;
}

function folded(title: string, fields: readonly Field[]): Html {
  return fields.length === 0 ? html`` : html`<details><summary>${title}</summary>${fieldList(fields)}</details>`;
}

function aboutSchema({ type = 'object', enum: values, const: value, description = '' }: Schema) {
  const constants = (value === undefined ? values : [value])?.map((each) => JSON.stringify(each));
  return { type: constants?.join(' or ') ?? [type].flat().join(' or '), description };
}
