import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type OperationId, ROUTES } from '../../functions/routes.ts';

const DOCUMENT = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(DOCUMENT, 'openapi');

/** Fails where an answer is not as the OpenAPI document says: its status, its headers, its body. */
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
  const documented = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  for (const name of [
    'x-request-id',
    'x-error-code',
    'link',
    'deprecation',
    'retry-after',
    'www-authenticate',
  ]) {
    if (headers[name] !== undefined) expect(documented).toContain(name);
  }
  expect(headers['x-request-id']).toBeTruthy();
  const schema = `${pointer}/content/application~1json/schema`;
  const validate = ajv.getSchema(`openapi#${schema}`) ?? ajv.compile({ $ref: `openapi#${schema}` });
  validate(body);
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
