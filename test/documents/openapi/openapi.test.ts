import { stat } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openapiDocument } from '../../../bin/generate/openapi.ts';
import { isJsonObject } from '../../../bin/generate/schemas.ts';
import { pageFile, pages } from '../../../bin/local/pages/pages.ts';
import { MAX_NAME, MAX_SUB_ID, MAX_UID } from '../../../functions/kernel/fields/fields.ts';
import { STATUS } from '../../../functions/kernel/http/errors.ts';
import { CORS, type Route } from '../../../functions/kernel/http/route.ts';
import type { Json, JsonObject } from '../../../functions/openapi/operation.ts';
import { TRANSITIONS } from '../../../functions/referrals/rules/state.ts';
import { isOperationId, type OperationId, ROUTES } from '../../../functions/routes.ts';
import { parseIdempotencyKey } from '../../../functions/tracking/rules/conversion.ts';
import { operationOf } from '../../support/openapi.ts';
import { refusal } from '../../support/samples.ts';

const document = openapiDocument();
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false }).addSchema(document, 'openapi');

/** Every object of the document with its JSON pointer (RFC 6901). */
function* objects(value: Json, pointer = ''): Generator<{ pointer: string; object: JsonObject }> {
  if (isJsonObject(value)) yield { pointer, object: value };
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    yield* objects(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

/** The value at a JSON pointer; `undefined` if it does not exist. */
function at(pointer: string): Json | undefined {
  const keys = pointer.split('/').slice(1);
  return keys.reduce<Json | undefined>((value, key) => {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof value === 'object' && value !== null
      ? Object.entries(value).find(([each]) => each === name)?.[1]
      : undefined;
  }, document);
}

/** Every example with the pointer of its schema. */
const examples = [...objects(document)].flatMap(({ pointer, object: { schema, example, examples } }) => {
  // An array of examples is part of its schema. A map of examples, or a single one, has its schema in `schema`.
  const inSchema = Array.isArray(examples) ? examples : [];
  const map = examples !== undefined && isJsonObject(examples) ? Object.values(examples) : [];
  const named = map.map((entry) => {
    const { $ref = '' } = Object(entry);
    return Object($ref === '' ? entry : at($ref.slice(1))).value;
  });
  const withSchema = schema === undefined ? [] : [example, ...named];
  return [
    ...inSchema.map((value) => ({ schema: pointer, value })),
    ...withSchema.filter((value) => value !== undefined).map((value) => ({ schema: `${pointer}/schema`, value })),
  ];
});

const operations = [...objects(document)].filter(({ pointer }) => /^\/paths\/[^/]+\/[^/]+$/.test(pointer));

test('the document has exactly the routes, with their names and in their order', () => {
  const documented = operations.map(({ pointer, object }) => [pointer, object['operationId']]);
  const routes = Object.entries<Route>(ROUTES).map(([id, { method, path }]) => [
    `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`,
    id,
  ]);
  // A path stands where its first method does.
  const paths = routes.map(([pointer = '']) => pointer.replace(/\/\w+$/, ''));
  const byPath = routes.toSorted(([one = ''], [other = '']) => {
    const [first, second] = [one, other].map((pointer) => paths.indexOf(pointer.replace(/\/\w+$/, '')));
    return Number(first) - Number(second);
  });
  expect(documented).toEqual(byPath);
});

/**
 * The security of the operations that do not take only a program's token. A page's public key is a field of the body,
 * which OpenAPI cannot describe as a security scheme.
 */
const SECURITY: Partial<Record<OperationId, JsonObject[]>> = {
  trackConversionV2: [{ programToken: [] }, {}],
  getAffiliate: [{ affiliateToken: [] }],
  countOwnReferrals: [{ affiliateToken: [] }],
  getOwnStatistics: [{ affiliateToken: [] }],
  listOwnEntries: [{ affiliateToken: [] }],
  getOwnStatements: [{ affiliateToken: [] }],
  listOwnReferrals: [{ affiliateToken: [] }],
  listOwnCodes: [{ affiliateToken: [] }],
  getOwnCommissionRules: [{ affiliateToken: [] }],
  getOwnResources: [{ affiliateToken: [] }],
  getLogo: [],
  listReferrals: [{ affiliateToken: [] }],
  trackClick: [],
  deleteSession: [{ affiliateToken: [] }, { programToken: [] }],
  updateAffiliate: [{ affiliateToken: [] }],
  requestSignIn: [],
  createSession: [],
  undoPayoutAccount: [],
  getApplicationForm: [],
  sendApplication: [],
  lookUpApplication: [],
  confirmApplication: [],
  showUnsubscribe: [],
  unsubscribe: [],
  receiveStripeEvent: [{ stripeSignature: [] }],
  getScript: [],
  getPortal: [],
  getPortalScript: [],
  getDashboard: [],
  getLlmsText: [],
  getAccount: [],
  callMcp: [{ affiliateToken: [] }, { programToken: [] }],
  openMcpStream: [{ affiliateToken: [] }, { programToken: [] }],
};

test.each(Object.keys(ROUTES).filter(isOperationId))(
  'the operation %s documents the token, the deprecation and the limits of its route',
  (id) => {
    const route: Route = ROUTES[id];
    const { rate, burst } = route.throttle;
    const operation = operationOf(id);
    expect(operation.security).toEqual(SECURITY[id] ?? [{ programToken: [] }]);
    expect(operation.deprecated).toBe(route.deprecated && true);
    expect(operation['x-throttle']).toEqual({ rate, burst });
    const [own, gateway] = ['Error', 'GatewayError'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
    const schema = id === 'sendApplication' ? { anyOf: [own, gateway] } : gateway;
    expect(operation.responses[429]).toMatchObject({
      description: expect.stringContaining(`More than ${rate} requests per second (burst ${burst})`),
      content: { 'application/json': { schema } },
    });
  },
);

test('a text/plain body is a string of JSON, with the examples of application/json', () => {
  const content = '/paths/~1v2~1tracking~1click/post/requestBody/content';
  const schema = { $ref: '#/components/schemas/Click' };
  expect(at(`${content}/application~1json/schema`)).toEqual(schema);
  expect(at(`${content}/text~1plain/schema`)).toEqual({
    type: 'string',
    contentMediaType: 'application/json',
    contentSchema: schema,
  });
  const [json, text] = ['application~1json', 'text~1plain'].map((type) =>
    Object.values(Object(at(`${content}/${type}/examples`))).map((example) => Object(example).value),
  );
  expect(text?.map((value) => JSON.parse(value))).toEqual(json);
});

test('the file takes at most 9 KB per operation', async () => {
  const { size } = await stat(new URL('../../../openapi.json', import.meta.url));
  expect(size / operations.length).toBeLessThanOrEqual(9000);
});

test('every reference resolves', () => {
  const references = [...objects(document)].flatMap(({ object: { $ref } }) => (typeof $ref === 'string' ? [$ref] : []));
  expect(references.length).toBeGreaterThan(50);
  expect(references.filter((reference) => at(reference.slice(1)) === undefined)).toEqual([]);
});

test('a reference has no fields beside it, except its description', () => {
  const references = [...objects(document)].filter(({ object: { $ref } }) => $ref !== undefined);
  const fields = references.flatMap(({ object }) => Object.keys(object));
  expect(new Set(fields)).toEqual(new Set(['$ref', 'description']));
});

/** Every list of the document that is a value of `keyword`, with the object that contains it. */
const listsOf = (keyword: string) =>
  [...objects(document)].flatMap(({ pointer, object }) => {
    const { [keyword]: values } = object;
    return Array.isArray(values) ? [{ pointer, object, values: values as readonly Json[] }] : [];
  });
const isUnique = (values: readonly Json[]) =>
  new Set(values.map((value) => JSON.stringify(value))).size === values.length;

test('every enumeration lists each value once, and the document each tag', () => {
  expect(listsOf('enum').filter(({ values }) => !isUnique(values))).toEqual([]);
  const tags = document['tags'] as readonly JsonObject[];
  expect(isUnique(tags.map(({ name = null }) => name))).toBe(true);
});

test.each(['allOf', 'anyOf', 'oneOf'])('every %s has several schemas, which differ and are not empty', (keyword) => {
  // A schema may add one `allOf` to its other keywords.
  const isTooShort = (object: JsonObject, { length }: readonly Json[]) =>
    length === 0 || (length === 1 && (keyword !== 'allOf' || Object.keys(object).length === 1));
  const lists = listsOf(keyword);
  expect(lists.length).toBeGreaterThan(0);
  expect(
    lists.filter(
      ({ object, values }) =>
        isTooShort(object, values) ||
        !isUnique(values) ||
        values.some((value) => Object.keys(Object(value)).length === 0),
    ),
  ).toEqual([]);
});

test('no value is valid by two schemas of a oneOf: each requires a field that the others forbid', () => {
  const excludes = (schema: JsonObject, { required }: JsonObject) =>
    schema['additionalProperties'] === false &&
    [required].flat().some((field) => !Object.hasOwn(Object(schema['properties']), String(field)));
  const overlaps = listsOf('oneOf').filter(({ values }) =>
    (values as readonly JsonObject[]).some((one, index, all) =>
      all.slice(index + 1).some((other) => !excludes(one, other) && !excludes(other, one)),
    ),
  );
  expect(overlaps).toEqual([]);
});

test('every schema is valid JSON Schema 2020-12', () => {
  const schemas = [...objects(document)].filter(({ pointer }) =>
    /\/schema$|^\/components\/schemas\/\w+$/.test(pointer),
  );
  expect(schemas.filter(({ object }) => !ajv.validateSchema(object))).toEqual([]);
});

test('every example is valid by its schema', () => {
  const failures = examples.filter(({ schema, value }) => !ajv.validate({ $ref: `openapi#${schema}` }, value));
  expect(examples.length).toBeGreaterThan(50);
  expect(failures).toEqual([]);
});

test('x-error-code lists every code once', () => {
  expect(at('/components/headers/ErrorCode/schema/enum')).toEqual([...new Set(Object.keys(STATUS))]);
});

test.each([
  ['a', true],
  [' ~', true],
  ['k'.repeat(255), true],
  ['k'.repeat(256), false],
  ['', false],
  ['é', false],
  ['a\tb', false],
  ['a\n', false],
])('the Idempotency-Key %j is documented as it is parsed', (key, isValid) => {
  expect(ajv.validate({ $ref: 'openapi#/components/parameters/IdempotencyKey/schema' }, key)).toBe(isValid);
  expect(refusal(() => parseIdempotencyKey(key)) === undefined).toBe(isValid);
});

describe('the description', () => {
  const description = String(Object(document['info'])['description']);
  const codeSpans = (text: string) => text.match(/`[^`]+`/g)?.map((span) => span.slice(1, -1)) ?? [];

  test('the description lists exactly the transitions between states', () => {
    const rows = /## States\n([^#]*)/.exec(description)?.[1]?.match(/^\| (?:`|–).*$/gm) ?? [];
    const documented = rows.map((row) => {
      const [, from = '', to = ''] = row.split('|');
      return {
        from: [...(from.includes('–') ? [null] : []), ...codeSpans(from)],
        to: codeSpans(to)[0],
        restores: /if/.test(from),
      };
    });
    expect(documented).toEqual(TRANSITIONS.map(({ from, to, restores = false }) => ({ from, to, restores })));
  });

  test('the description lists exactly the methods and headers of CORS', () => {
    const section = /## CORS\n([^#]*)/.exec(description)?.[1] ?? '';
    expect(codeSpans(section)).toEqual([...CORS.methods, ...CORS.requestHeaders, ...CORS.responseHeaders]);
  });

  test('the description contains no links: the document stands alone', () => {
    expect(description).not.toContain('](');
  });

  test('the description contains the limits of texts', () => {
    expect(description).toContain(`\`uid\` and \`sub_id\`**: 1 to ${MAX_UID} characters`);
    expect(MAX_SUB_ID).toBe(MAX_UID);
    expect(description).toContain(`**Names**: at most ${MAX_NAME} characters`);
  });
});

describe('the page /docs', () => {
  test.each(['/docs', '/docs/'])('%s loads nothing from elsewhere and has no inline script or style', async (path) => {
    const page = await pages(undefined)({
      method: 'GET',
      path,
      search: '',
      headers: {},
      body: Buffer.of(),
      port: 3000,
    });
    expect(page?.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
    expect(page?.headers?.['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'/,
    );
    expect(page?.body).not.toMatch(/<script>|<style|<[^>]+\s(?:style|on[a-z]+|src="(?!\/))=/);
    for (const id of Object.keys(ROUTES)) expect(page?.body).toMatch(new RegExp(`href="#${id}".* id="${id}"`, 's'));
    // Without a demo, the page explains how to create a token.
    expect(page?.body).toMatch(/id="program-token" value="".* id="affiliate-token" value=""/s);
    expect(page?.body).toContain('token create --help');
    const addresses = [...(page?.body ?? '').matchAll(/(?:src|href)="(\/(?:docs|local)\/[^"]+)"/g)];
    const files = await Promise.all(addresses.map(([, address = '']) => pageFile(address)));
    expect(files.length).toBeGreaterThanOrEqual(4);
    expect(files.every((file) => file?.statusCode === 200 && (file.body ?? '').length > 100)).toBe(true);
  });

  test('/openapi.json is the document, which any site may read', async () => {
    const response = await pageFile('/openapi.json');
    expect(JSON.parse(response?.body ?? '')).toEqual(document);
    expect(response?.headers?.['access-control-allow-origin']).toBe('*');
  });

  test.each([
    '/docs/package.json',
    '/docs/../package.json',
    '/docs/..%2fpackage.json',
    '/docs//etc/passwd',
    '/local/pages/docs.ts',
    '/openapi.json/',
    '/__proto__',
    '',
  ])('the path %j is not served', async (path) => {
    expect(await pageFile(path)).toBeUndefined();
  });
});
