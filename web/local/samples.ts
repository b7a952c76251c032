import type { ApiRequest, Json } from './example.ts';

/** Each sample is a whole program. It prints the body of the response, and fails unless the status is 2xx. */
export const LANGUAGES = ['curl', 'JavaScript', 'Python', 'PHP'] as const;
export type Language = (typeof LANGUAGES)[number];

export function samplesOf(request: ApiRequest): Readonly<Record<Language, string>> {
  return { curl: curl(request), JavaScript: javascript(request), Python: python(request), PHP: php(request) };
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
  return `${body === undefined ? '' : 'import json\n'}from urllib.request import Request, urlopen

request = Request${block('(', options, ')', PYTHON)}
with urlopen(request, timeout=10) as response:
    print(response.read().decode())
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
