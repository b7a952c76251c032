import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type OperationId, ROUTES } from '../../functions/routes.ts';

const DOCUMENT = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(DOCUMENT, 'openapi');

/** Headers that say something to a caller: where an answer has one, the document must. */
const TELLING = [
  'x-request-id',
  'x-error-code',
  'x-click',
  'link',
  'deprecation',
  'retry-after',
  'www-authenticate',
  'idempotent-replayed',
  'cache-control',
  'etag',
];

/**
 * Fails where an answer is not as the OpenAPI document says: its status, its headers, its body. `body` is JSON where the
 * answer is, else its text.
 */
export function expectDocumented(
  operation: OperationId,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): void {
  const { method, path } = ROUTES[operation];
  const responses = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses`;
  const pointer = resolve(`${responses}/${status}`);
  const response = at(pointer);
  expect(response).toBeDefined();
  const documented = new Map(
    Object.keys(response.headers ?? {}).map((name) => [name.toLowerCase(), resolve(`${pointer}/headers/${name}`)]),
  );
  for (const name of TELLING.filter((told) => headers[told] !== undefined)) {
    expect([...documented.keys()]).toContain(name);
    expectValid(`${documented.get(name)}/schema`, headers[name]);
  }
  expect(headers['x-request-id']).toBeTruthy();
  if (response.content === undefined) {
    expect([body, headers['content-type']]).toEqual(['', undefined]);
    return;
  }
  const type = headers['content-type']?.replace(/;.*$/, '') ?? '';
  expect(Object.keys(response.content)).toContain(type);
  expectValid(`${pointer}/content/${type.replaceAll('/', '~1')}/schema`, body);
}

function expectValid(schema: string, value: unknown): void {
  const validate = ajv.getSchema(`openapi#${schema}`) ?? ajv.compile({ $ref: `openapi#${schema}` });
  validate(value);
  expect(validate.errors ?? []).toEqual([]);
}

/** Follows a reference, so that the pointer leads to what is meant. */
function resolve(pointer: string): string {
  const reference: unknown = at(pointer)?.$ref;
  return typeof reference === 'string' ? resolve(reference.slice(1)) : pointer;
}

function at(pointer: string) {
  const parts = pointer.slice(1).split('/');
  return parts.reduce((node, part) => node?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], DOCUMENT);
}
