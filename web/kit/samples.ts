/** Each sample is a whole program. It prints the body of the response, and fails unless the status is 2xx. */
export const LANGUAGES = ['curl', 'JavaScript', 'Python', 'PHP', 'Ruby'] as const;
export type Language = (typeof LANGUAGES)[number];

export function samplesOf(request: ApiRequest): Readonly<Record<Language, string>> {
  return {
    curl: curl(request),
    JavaScript: javascript(request),
    Python: python(request),
    PHP: php(request),
    Ruby: ruby(request),
  };
}

function curl({ method, url, headers, body }: ApiRequest): string {
  return [
    `curl --fail-with-body ${method === 'GET' ? '' : `-X ${method} `}${shellText(url)}`,
    ...headerLines(headers).map((line) => `-H ${shellText(line)}`),
    ...(body === undefined ? [] : [`-d ${shellText(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

function javascript({ method, url, headers, body }: ApiRequest): string {
  const options = [
    `method: ${quoted(method)}`,
    ...(isEmpty(headers) ? [] : [`headers: ${literal(headers, JAVASCRIPT)}`]),
    ...(body === undefined ? [] : [`body: JSON.stringify(${literal(body, JAVASCRIPT)})`]),
  ];
  return `const response = await fetch(${quoted(url)}, ${block('{', options, '}', JAVASCRIPT)});
const text = await response.text();
if (!response.ok) throw new Error(\`\${response.status} \${text}\`);
console.log(text);
`;
}

function python({ method, url, headers, body }: ApiRequest): string {
  const options = [
    quoted(url),
    `method=${quoted(method)}`,
    ...(isEmpty(headers) ? [] : [`headers=${literal(headers, PYTHON)}`]),
    ...(body === undefined ? [] : [`data=json.dumps(${literal(body, PYTHON)}).encode()`]),
  ];
  return `${body === undefined ? '' : 'import json\n'}import sys
from urllib.request import Request, urlopen

request = Request${block('(', options, ')', PYTHON)}
with urlopen(request, timeout=10) as response:
    sys.stdout.buffer.write(response.read())
`;
}

function php({ method, url, headers, body }: ApiRequest): string {
  const options = [
    `CURLOPT_CUSTOMREQUEST => ${phpText(method)}`,
    ...(isEmpty(headers) ? [] : [`CURLOPT_HTTPHEADER => ${literal(headerLines(headers), PHP)}`]),
    ...(body === undefined ? [] : [`CURLOPT_POSTFIELDS => json_encode(${literal(body, PHP)})`]),
    'CURLOPT_RETURNTRANSFER => true',
    'CURLOPT_TIMEOUT => 10',
  ];
  return `<?php
$request = curl_init(${phpText(url)});
curl_setopt_array($request, ${block('[', options, ']', PHP)});
$text = curl_exec($request);
$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
if ($status < 200 || $status > 299) {
    throw new RuntimeException("$status $text" . curl_error($request));
}
echo $text, "\\n";
`;
}

function ruby({ method, url, headers, body }: ApiRequest): string {
  const type = method.charAt(0) + method.slice(1).toLowerCase();
  return `require 'json'
require 'net/http'

url = URI(${literal(url, RUBY)})
request = Net::HTTP::${type}.new(url, ${literal(headers, RUBY)})
${body === undefined ? '' : `request.body = JSON.generate(${literal(body, RUBY)})\n`}options = { use_ssl: url.scheme == 'https', read_timeout: 10 }
response = Net::HTTP.start(url.host, url.port, **options) { |http| http.request(request) }
raise "#{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)
puts response.body
`;
}

interface Style {
  readonly indent: string;
  readonly open: string;
  readonly colon: string;
  readonly close: string;
  readonly emptyObject: string;
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly text: (value: string) => string;
  readonly name: (name: string) => string;
}

const quoted = (text: string) => JSON.stringify(text);
const JAVASCRIPT: Style = {
  ...{ indent: '  ', open: '{', colon: ': ', close: '}', emptyObject: '{}' },
  words: { true: 'true', false: 'false', null: 'null' },
  text: quoted,
  name: (name) => (/^[a-z]\w*$/i.test(name) ? name : quoted(name)),
};
const PYTHON: Style = {
  ...JAVASCRIPT,
  indent: '    ',
  name: quoted,
  words: { true: 'True', false: 'False', null: 'None' },
};
const PHP: Style = {
  ...JAVASCRIPT,
  ...{ indent: '    ', open: '[', colon: ' => ', close: ']', emptyObject: '(object) []' },
  text: phpText,
  name: phpText,
};
/** Ruby's single quotes are PHP's. */
const RUBY: Style = {
  ...PHP,
  ...{ indent: '  ', open: '{', close: '}', emptyObject: '{}' },
  words: { true: 'true', false: 'false', null: 'nil' },
};

function literal(value: Json, style: Style): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value === 'number') return String(value);
  if (value === null || typeof value === 'boolean') return style.words[`${value}`];
  if (isList(value))
    return block(
      '[',
      value.map((each) => literal(each, style)),
      ']',
      style,
    );
  const fields = Object.entries(value).map(([name, each]) => style.name(name) + style.colon + literal(each, style));
  return fields.length === 0 ? style.emptyObject : block(style.open, fields, style.close, style);
}

/** Writes items on a line each, indented as a whole: no text contains a line break, because the API accepts none. */
function block(open: string, items: readonly string[], close: string, { indent }: Style): string {
  if (items.length === 0) return open + close;
  return `${open}\n${items.map((item) => `${indent}${item.replaceAll('\n', `\n${indent}`)},\n`).join('')}${close}`;
}

const isList = (value: object): value is readonly Json[] => Array.isArray(value);
const isEmpty = (headers: ApiRequest['headers']) => Object.keys(headers).length === 0;
const headerLines = (headers: ApiRequest['headers']) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

function shellText(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Within single quotes, only backslashes and single quotes have a meaning. */
function phpText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

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
