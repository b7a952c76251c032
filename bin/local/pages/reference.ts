import { marked } from 'marked';
import { Html, html } from './html.ts';

interface Ref {
  readonly $ref: string;
}
type Named<Value> = Readonly<Record<string, Value>>;

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Named<Schema | Ref>;
  readonly required?: readonly string[];
  readonly items?: Schema | Ref;
  readonly allOf?: readonly (Schema | Ref)[];
  readonly anyOf?: readonly (Schema | Ref)[];
}
interface Content {
  readonly schema?: Schema | Ref;
  readonly examples?: Named<{ readonly summary?: string; readonly value: unknown } | Ref>;
}
interface Message {
  readonly description?: string;
  readonly headers?: Named<{ readonly description?: string; readonly schema: Schema | Ref } | Ref>;
  readonly content?: Named<Content>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema | Ref;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly security: readonly Named<readonly string[]>[];
  readonly parameters?: readonly (Parameter | Ref)[];
  readonly requestBody?: Message;
  readonly responses: Named<Message | Ref>;
}

/** The part of the OpenAPI document that the page shows. `npm run check` holds the document against its standard. */
export interface ApiDocument {
  readonly info: {
    readonly title: string;
    readonly summary: string;
    readonly version: string;
    readonly description: string;
  };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Named<Named<Operation>>;
  readonly webhooks: Named<Named<Operation>>;
  readonly components: {
    readonly schemas: Named<Schema>;
    readonly headers: Named<{ readonly description?: string; readonly schema: Schema | Ref }>;
    readonly parameters: Named<Parameter>;
    readonly responses: Named<Message>;
    readonly examples: Named<{ readonly summary?: string; readonly value: unknown }>;
  };
}
/** An operation with its method and path. Webhooks have none: the service sends them. */
export interface Endpoint extends Operation {
  readonly method: string;
  readonly path: string | undefined;
}

export function endpointsOf({ paths, webhooks }: ApiDocument, tag: string): Endpoint[] {
  const all = [...Object.entries(paths), ...Object.values(webhooks).map((each) => [undefined, each] as const)];
  return all.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, each]) => (each.tags.includes(tag) ? [{ ...each, method, path }] : [])),
  );
}

/** Markdown of this project, which may contain HTML. A table can be wider than a screen. */
export function markdown(text = ''): Html {
  const tables = /<table>[\s\S]*?<\/table>/g;
  const scrolling = (table: string) => `<div class="wide" role="group" aria-label="Table" tabindex="0">${table}</div>`;
  return new Html(marked.parse(text, { async: false }).replace(tables, scrolling));
}

/** Returns a function that shows an operation, folded. Its script adds the request. */
export function reference({ components }: ApiDocument): (endpoint: Endpoint) => Html {
  const schemaOf = (schema: Schema | Ref) => found(components.schemas, schema);

  function fieldsOf(schema: Schema | Ref, prefix = ''): Field[] {
    const { properties = {}, required = [], items, allOf = [], anyOf = [] } = schemaOf(schema);
    const own = Object.entries(properties).flatMap(([name, each]) => [
      { name: prefix + name, required: required.includes(name), ...aboutSchema(schemaOf(each)) },
      ...fieldsOf(each, `${prefix}${name}.`),
    ]);
    const parts = [...allOf, ...anyOf].flatMap((part) => fieldsOf(part, prefix));
    const all = [...own, ...(items ? fieldsOf(items, prefix.replace(/\.?$/, '[].')) : []), ...parts];
    // A part of a schema repeats fields in order to require them.
    return all.filter(({ name }, index) => all.findIndex((field) => field.name === name) === index);
  }

  function parameters({ parameters: all = [] }: Operation): Html {
    const fields = all.map((each) => {
      const { name, in: place, required = false, description = '', schema } = found(components.parameters, each);
      const { type } = aboutSchema(schemaOf(schema));
      return { name, required, type: `${type}, in the ${place}`, description };
    });
    return fields.length === 0 ? html`` : html`<h4>Parameters</h4>${fieldList(fields)}`;
  }

  function message({ description, headers = {}, content = {} }: Message): Html {
    const sent = Object.entries(headers).map(([name, each]) => {
      const { schema, ...header } = found(components.headers, each);
      return { name, required: false, ...aboutSchema(schemaOf(schema)), description: header.description ?? '' };
    });
    const { schema, examples = {} } = content['application/json'] ?? {};
    const fields = schema ? fieldsOf(schema) : [];
    const shown = Object.values(examples).map((each) => {
      const { summary, value } = found(components.examples, each);
      return html`${summary ? html`<p>${summary}:</p>` : ''}<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
    });
    return html`${markdown(description)}${shown}${folded('Headers', sent)}${folded('Fields', fields)}`;
  }

  function response([status, given]: [string, Message | Ref]): Html {
    const sent = found(components.responses, given);
    const codes = Object.keys(sent.content?.['application/json']?.examples ?? {});
    const isSuccess = status.startsWith('2');
    const label = isSuccess || codes.length === 0 ? '' : html` <code>${codes.join(', ')}</code>`;
    return html`<details class="response"${isSuccess ? html` open` : ''}><summary><b>${status}</b>${label}</summary>${message(sent)}</details>`;
  }

  return (endpoint) => {
    const { operationId, summary, description, deprecated, method, path, security, requestBody, responses } = endpoint;
    const title = deprecated ? html`<s>${summary}</s> (deprecated)` : summary;
    const request = html`<div class="request" data-path="${path ?? ''}" data-method="${method}"></div>`;
    return html`<details class="operation" id="${operationId}">
      <summary><h3><span class="method ${method}">${method}</span> <code>${path ?? 'your URL'}</code> ${title}</h3></summary>
      ${markdown(description)}
      <p>Credential: ${credentials(security)}</p>
      ${parameters(endpoint)}
      ${requestBody ? html`<h4>Body</h4>${message(requestBody)}` : ''}
      ${path === undefined ? '' : request}
      <h4>Responses</h4>
      ${Object.entries(responses).map(response)}
    </details>
    `;
  };
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

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly type: string;
  readonly description: string;
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

/** Returns the type of a schema in words, and its description. */
function aboutSchema({ type = 'object', enum: values, const: value, description = '' }: Schema) {
  const constants = (value === undefined ? values : [value])?.map((each) => JSON.stringify(each));
  return { type: constants?.join(' or ') ?? [type].flat().join(' or '), description };
}

/** Returns a node of the document, or the node of a name that it refers to. What stands beside the reference counts. */
function found<Node extends object>(nodes: Named<Node>, node: Node | Ref): Node {
  if (!('$ref' in node)) return node;
  const { $ref, ...beside } = node;
  const target = nodes[String($ref).split('/').at(-1) ?? ''];
  if (!target) throw new Error(`The OpenAPI document has no ${$ref}.`);
  return { ...target, ...beside };
}
