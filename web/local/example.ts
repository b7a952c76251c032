export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly example?: string;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly examples: Examples }>> };
}
type Examples = Readonly<Record<string, { readonly summary?: string; readonly value: Json }>>;

/** Where the service is, and tokens by the names of their security schemes. */
interface Caller {
  readonly baseUrl: string;
  readonly tokens: Readonly<Record<string, string>>;
  /** The name of the example, by default the first. */
  readonly example?: string;
}

export interface ApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
}

/**
 * Returns a request example of an operation; `undefined` if only a provider can sign the request.
 */
export function exampleOf(document: ApiDocument, path: string, method: string, caller: Caller): ApiRequest | undefined {
  const operation = document.paths[path]?.[method];
  const [scheme] = Object.keys(operation?.security[0] ?? {});
  const token = scheme === undefined ? '' : caller.tokens[scheme];
  if (!operation || token === undefined) return undefined;

  const parameters = (operation.parameters ?? []).flatMap((parameter) =>
    '$ref' in parameter ? (document.components.parameters[parameter.$ref.split('/').at(-1) ?? ''] ?? []) : parameter,
  );
  const given = (place: string) =>
    parameters.flatMap(({ in: where, name, example }): [string, string][] =>
      // A page sends its origin instead of a token.
      where === place && example !== undefined && name !== 'Origin' ? [[name, example]] : [],
    );
  const query = new URLSearchParams(given('query'));
  const pathname = given('path').reduce((whole, [name, value]) => whole.replace(`{${name}}`, value), path);
  const examples = examplesIn(document, path, method);
  const example = examples[caller.example ?? ''] ?? Object.values(examples)[0];
  return {
    method: method.toUpperCase(),
    url: `${caller.baseUrl}${pathname}${query.size > 0 ? `?${query}` : ''}`,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(example && { 'Content-Type': 'application/json' }),
      ...Object.fromEntries(given('header')),
    },
    body: example?.value,
  };
}

/** Returns the examples of the bodies that an operation accepts, by name. */
export function examplesIn(document: ApiDocument, path: string, method: string): Examples {
  return document.paths[path]?.[method]?.requestBody?.content['application/json']?.examples ?? {};
}
