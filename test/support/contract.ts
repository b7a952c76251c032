import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type OperationId, ROUTES } from '../../functions/routes.ts';

const DOCUMENT = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
// test/documents/openapi/openapi.test.ts validates the document itself. Its formats are hints for readers.
const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
ajv.addSchema(DOCUMENT, 'openapi');

/** Headers that callers use: the document must describe each of them that a response has. */
const HEADERS = [
  'x-request-id',
  'x-error-code',
  'x-click',
  'x-warning',
  'link',
  'deprecation',
  'retry-after',
  'www-authenticate',
  'allow',
  'idempotent-replayed',
  'cache-control',
  'etag',
];

/**
 * Fails if the OpenAPI document does not describe a response: its status, its headers, its body. `body` is the parsed
 * JSON, or the text if the response is not JSON.
 */
export function expectDocumented(
  operation: OperationId,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): void {
  // `expect` would take longer than the request, and a test may send a thousand requests.
  const [problem] = problems(operation, status, headers, body);
  if (problem !== undefined) throw new Error(`${operation}, status ${status}: ${problem}`);
}

function* problems(
  operation: OperationId,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): Generator<string> {
  const { method, path } = ROUTES[operation];
  const pointer = resolve(
    `/paths/${encodeURIComponent(path.replaceAll('/', '~1'))}/${method.toLowerCase()}/responses/${status}`,
  );
  const response = at(pointer);
  if (response === undefined) {
    yield 'the status is not documented';
    return;
  }
  const documented = new Map(Object.keys(response.headers ?? {}).map((name) => [name.toLowerCase(), name]));
  for (const name of HEADERS.filter((each) => headers[each] !== undefined)) {
    if (!documented.has(name)) yield `the header ${name} is not documented`;
    else yield* mismatches(`${resolve(`${pointer}/headers/${documented.get(name)}`)}/schema`, headers[name]);
  }
  if (!headers['x-request-id']) yield 'the header x-request-id is missing';
  const type = headers['content-type']?.replace(/;.*$/, '');
  if (response.content === undefined) {
    if (body !== '' || type !== undefined) yield 'a body is not documented';
  } else if (type === undefined || !(type in response.content)) {
    yield `the content type ${type} is not documented`;
  } else {
    yield* mismatches(`${pointer}/content/${type.replaceAll('/', '~1')}/schema`, body);
  }
}

function* mismatches(schema: string, value: unknown): Generator<string> {
  const validate = ajv.getSchema(`openapi#${schema}`) ?? ajv.compile({ $ref: `openapi#${schema}` });
  if (!validate(value)) yield `${JSON.stringify(value)} ${ajv.errorsText(validate.errors)}`;
}

/** Follows references. Returns the pointer of the object that they lead to. */
function resolve(pointer: string): string {
  const reference: unknown = at(pointer)?.$ref;
  return typeof reference === 'string' ? resolve(reference.slice(1)) : pointer;
}

function at(pointer: string) {
  const parts = pointer.slice(1).split('/');
  return parts.reduce(
    (node, part) => node?.[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')],
    DOCUMENT,
  );
}
