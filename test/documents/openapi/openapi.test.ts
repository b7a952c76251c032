import { stat } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openapiDocument } from '../../../bin/generate/openapi.ts';
import { isJsonObject } from '../../../bin/generate/schemas.ts';
import { parseIdempotencyKey } from '../../../functions/domain/referral/conversion.ts';
import { STATUS } from '../../../functions/http/errors.ts';
import type { Json, JsonObject } from '../../../functions/http/openapi.ts';
import { isOperationId, type OperationId, ROUTES, type Route } from '../../../functions/routes.ts';
import { operationOf } from '../../support/openapi.ts';

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
  expect(documented).toEqual(routes);
});

describe('operations', () => {
  // A page's public key is a field of the body, which OpenAPI cannot describe as a security scheme.
  const SECURITY: Record<OperationId, JsonObject[]> = {
    trackConversionV2: [{ programToken: [] }, {}],
    setState: [{ programToken: [] }],
    recordPayment: [{ programToken: [] }],
    recordRefund: [{ programToken: [] }],
    voidPayment: [{ programToken: [] }],
    recordAdjustment: [{ programToken: [] }],
    recordSettlement: [{ programToken: [] }],
    reassignReferral: [{ programToken: [] }],
    eraseCustomer: [{ programToken: [] }],
    getProgram: [{ programToken: [] }],
    updateProgram: [{ programToken: [] }],
    listTokens: [{ programToken: [] }],
    createProgramToken: [{ programToken: [] }],
    revokeToken: [{ programToken: [] }],
    listWebhooks: [{ programToken: [] }],
    createWebhook: [{ programToken: [] }],
    getWebhook: [{ programToken: [] }],
    updateWebhook: [{ programToken: [] }],
    deleteWebhook: [{ programToken: [] }],
    rotateWebhookSecret: [{ programToken: [] }],
    testWebhook: [{ programToken: [] }],
    listDeliveries: [{ programToken: [] }],
    resendEvent: [{ programToken: [] }],
    replayEvents: [{ programToken: [] }],
    getStripe: [{ programToken: [] }],
    connectStripe: [{ programToken: [] }],
    disconnectStripe: [{ programToken: [] }],
    listAdvocatesV2: [{ programToken: [] }],
    createAdvocate: [{ programToken: [] }],
    getAdvocate: [{ programToken: [] }],
    updateAdvocate: [{ programToken: [] }],
    eraseAdvocate: [{ programToken: [] }],
    createAdvocateToken: [{ programToken: [] }],
    revokeAdvocateTokens: [{ programToken: [] }],
    listReferralsV2: [{ programToken: [] }],
    lookUpReferral: [{ programToken: [] }],
    countReferrals: [{ programToken: [] }],
    getAffiliate: [{ affiliateToken: [] }],
    countOwnReferrals: [{ affiliateToken: [] }],
    getStatistics: [{ programToken: [] }],
    getOwnStatistics: [{ affiliateToken: [] }],
    listAdvocateStatistics: [{ programToken: [] }],
    listEntries: [{ programToken: [] }],
    listOwnEntries: [{ affiliateToken: [] }],
    getStatements: [{ programToken: [] }],
    getOwnStatements: [{ affiliateToken: [] }],
    trackClick: [],
    receiveStripeEvent: [{ stripeSignature: [] }],
    getScript: [],
    getPortal: [],
    getPortalScript: [],
    getDashboard: [],
    listAdvocates: [{ programToken: [] }],
    listReferrals: [{ affiliateToken: [] }],
    trackConversionV1: [{ programToken: [] }],
  };

  test.each(Object.entries<Route>(ROUTES))(
    'the operation %s documents the token and the deprecation of its route',
    (id, route) => {
      const operation = operations.find(({ object }) => object['operationId'] === id)?.object;
      expect(operation?.['security']).toEqual(Object.entries(SECURITY).find(([name]) => name === id)?.[1]);
      expect(operation?.['deprecated']).toBe(route.deprecated && true);
    },
  );

  test.each([
    ['/paths/~1v1~1tracking~1conversion/post', '201 400 401 403 409 413 415 422 429 500 503'],
    ['/paths/~1v2~1tracking~1conversion/post', '201 204 400 401 403 409 413 415 422 429 500 503'],
    ['/paths/~1v2~1tracking~1state/post', '200 400 401 403 404 409 413 415 429 500 503'],
    ['/paths/~1v2~1tracking~1click/post', '204 400 413 415 429 500 503'],
    ['/paths/~1v2~1tracking~1reassign/post', '200 400 401 403 404 409 413 415 429 500 503'],
    ['/paths/~1v2~1tracking~1erase/post', '204 400 401 403 404 413 415 429 500 503'],
    ['/paths/~1v2~1advocates/get', '200 400 401 403 429 500 503'],
    ['/paths/~1v2~1advocates/post', '201 400 401 403 409 413 415 429 500 503'],
    ['/paths/~1v2~1advocates~1{slug}/get', '200 400 401 403 404 429 500 503'],
    ['/paths/~1v2~1advocates~1{slug}/patch', '200 400 401 403 404 409 413 415 429 500 503'],
    ['/paths/~1v2~1advocates~1{slug}~1tokens/post', '201 400 401 403 404 409 413 415 429 500 503'],
    ['/paths/~1v2~1advocates~1{slug}~1tokens/delete', '204 401 403 404 429 500 503'],
    ['/paths/~1v2~1referrals/get', '200 400 401 403 429 500 503'],
    ['/paths/~1v2~1referrals~1lookup/post', '200 400 401 403 404 413 415 429 500 503'],
    ['/paths/~1v2~1referrals~1counts/get', '200 400 401 403 429 500 503'],
    ['/paths/~1v2~1affiliate~1referrals~1counts/get', '200 400 401 403 429 500 503'],
    ['/paths/~1v2~1statistics/get', '200 400 401 403 429 500 503'],
    ['/paths/~1v2~1affiliate~1statistics/get', '200 400 401 403 429 500 503'],
    ['/paths/~1v2~1statistics~1advocates/get', '200 400 401 403 429 500 503'],
    ['/paths/~1v2~1ledger/get', '200 400 401 403 429 500 503'],
    ['/paths/~1v2~1affiliate~1ledger/get', '200 400 401 403 429 500 503'],
    ['/paths/~1v2~1statements/get', '200 400 401 403 429 500 503'],
    ['/paths/~1v2~1affiliate~1statements/get', '200 400 401 403 429 500 503'],
    ['/paths/~1gr.js/get', '200 304 429 500 503'],
    ['/paths/~1portal/get', '200 304 429 500 503'],
    ['/paths/~1portal.js/get', '200 304 429 500 503'],
    ['/paths/~1dashboard/get', '200 304 429 500 503'],
    ['/paths/~1v1~1advocates/get', '200 400 401 403 429 500 503'],
    ['/paths/~1v1~1affiliate~1referrals/get', '200 400 401 403 429 500 503'],
  ])('the operation %s documents the statuses %s', (pointer, statuses) => {
    expect(Object.keys(at(`${pointer}/responses`) ?? {}).join(' ')).toBe(statuses);
  });
});

test.each(Object.keys(ROUTES).filter(isOperationId))('the operation %s documents the limits of its route', (id) => {
  const { rate, burst } = ROUTES[id].throttle;
  const operation = operationOf(id);
  expect(operation['x-throttle']).toEqual({ rate, burst });
  expect(operation.responses[429]).toMatchObject({
    description: expect.stringContaining(`More than ${rate} requests per second (burst ${burst})`),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/GatewayError' } } },
  });
});

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

test.each([
  ['/v1/tracking/conversion', { email: '$response.body#/data/attributes/email' }],
  [
    '/v2/tracking/conversion',
    { email: '$response.body#/data/attributes/email', uid: '$response.body#/data/attributes/uid' },
  ],
])('a conversion by POST %s links to the state of its customer', (path, customer) => {
  expect(at(`/paths/${path.replaceAll('/', '~1')}/post/responses/201/links`)).toEqual({
    payment: {
      operationId: 'setState',
      description: expect.any(String),
      requestBody: { ...customer, state: 'paid' },
    },
  });
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

test('an invalid example would be found', () => {
  const schema = { $ref: 'openapi#/components/schemas/ConvertedReferral' };
  expect(ajv.validate(schema, { id: '1', type: 'advocate', attributes: {} })).toBe(false);
});

test('x-error-code lists every code once', () => {
  expect(at('/components/headers/ErrorCode/schema/enum')).toEqual([...new Set(Object.keys(STATUS))]);
});

test.each([
  { name: 'a letter', key: 'a', isValid: true },
  { name: 'the outermost characters', key: ' ~', isValid: true },
  { name: '255 characters', key: 'k'.repeat(255), isValid: true },
  { name: '256 characters', key: 'k'.repeat(256), isValid: false },
  { name: 'nothing', key: '', isValid: false },
  { name: 'a letter beyond ASCII', key: 'é', isValid: false },
  { name: 'a tab', key: 'a\tb', isValid: false },
  { name: 'a line feed at the end', key: 'a\n', isValid: false },
])('Idempotency-Key with $name is documented as it is parsed', ({ key, isValid }) => {
  const schema = { $ref: 'openapi#/components/parameters/IdempotencyKey/schema' };
  expect(ajv.validate(schema, key)).toBe(isValid);
  const parse = () => parseIdempotencyKey(key);
  if (isValid) expect(parse()).toBe(key);
  else expect(parse).toThrow();
});
