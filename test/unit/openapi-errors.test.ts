import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { openapiDocument } from '../../bin/generate/openapi.ts';
import { contextOf } from '../../bin/local/event.ts';
import type { TokenCaller } from '../../functions/domain/caller.ts';
import { type ErrorCode, ServiceError } from '../../functions/domain/errors.ts';
import { systemClock } from '../../functions/domain/time.ts';
import type { HttpEvent } from '../../functions/http/context.ts';
import { endpoint, type Service, signedEndpoint } from '../../functions/http/endpoint.ts';
import { STATUS } from '../../functions/http/errors.ts';
import { ROUTES, type Route } from '../../functions/routes.ts';
import { httpEvent, program } from './samples.ts';

// The failures of these tests are logged. The log has its own tests.
beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
});

// biome-ignore lint/suspicious/noExplicitAny: the tests look into every corner of the document.
const DOCUMENT: any = openapiDocument();
const responsesOf = ({ path, method }: Route) => DOCUMENT.paths[path][method.toLowerCase()].responses;

/** The sentences that the document shows for an error of a route. */
function documentedSentences(route: Route, code: ErrorCode): string[] {
  const { examples } = responsesOf(route)[STATUS[code]].content['application/json'];
  const names = Object.keys(examples).filter((name) => name.replace(/_\d+$/, '') === code);
  return names.map((name) => examples[name].value.error);
}

const CALLERS: Readonly<Record<TokenCaller['kind'], TokenCaller>> = {
  program: { kind: 'program', program },
  affiliate: { kind: 'affiliate', program, slug: 'jane-doe' },
};
const kindOf = ({ access }: Route) => (typeof access === 'object' ? access.token : 'program');

/** The stack's response to `caller` on a route whose handler throws `failure`. */
async function responseOf(
  route: Route,
  caller: TokenCaller | undefined,
  event: Partial<HttpEvent> = { body: '{}' },
  failure = new Error('any'),
) {
  const service: Service<unknown> = {
    clock: systemClock,
    until: (deadline) => deadline,
    callers: { byToken: async () => caller, byPublicKey: async () => program, byProgramId: async () => program },
  };
  const fail = async () => {
    throw failure;
  };
  const { access } = route;
  const handler =
    access === 'stripe'
      ? signedEndpoint({ ...route, access }, service, fail)
      : endpoint({ route: { ...route, access }, service, input: () => ({}), handle: fail });
  return handler(httpEvent(event), contextOf(route.function));
}

const routes: readonly Route[] = Object.values(ROUTES);
const errors = routes.flatMap((route) =>
  Object.entries(STATUS).flatMap(([code, status]) =>
    String(responsesOf(route)[status]?.description).includes(`\`${code}\``)
      ? [{ route, path: route.path, code: code as ErrorCode }]
      : [],
  ),
);

test('every error of the service is documented for at least one operation', () => {
  expect([...new Set(errors.map(({ code }) => code))].toSorted()).toEqual(Object.keys(STATUS).toSorted());
});

test.each(errors)('$path returns $code with the documented headers', async ({ route, code }) => {
  const failure = new ServiceError(code, 'No.');
  const { statusCode = 0, headers = {} } = await responseOf(route, CALLERS[kindOf(route)], undefined, failure);
  expect(statusCode).toBe(STATUS[code]);
  const documented = Object.keys(responsesOf(route)[statusCode].headers).map((name) => name.toLowerCase());
  expect(Object.keys(headers).toSorted()).toEqual(['content-type', ...documented].toSorted());
});

const page = { headers: {}, body: JSON.stringify({ pk: program.publicKey }) };

/** Requests that together must return every documented sentence of an error. */
const REQUESTS: Partial<Record<ErrorCode, (route: Route) => ReturnType<typeof responseOf>[]>> = {
  unauthorized: (route) => [
    responseOf(route, undefined),
    ...(acceptsPages(route) ? [responseOf(route, undefined, { headers: {}, body: '{}' })] : []),
  ],
  forbidden: (route) => [
    responseOf(route, CALLERS[kindOf(route) === 'program' ? 'affiliate' : 'program']),
    ...(acceptsPages(route) ? [responseOf(route, undefined, page)] : []),
  ],
  body_too_large: (route) => [send(route, { body: 'x'.repeat(16_385) })],
  unsupported_media_type: (route) => [
    send(route, { headers: { authorization: 'Bearer token', 'content-type': 'text/csv' }, body: 'a' }),
  ],
  invalid_json: (route) => [
    ...(route.optionalBody ? [] : [send(route, { body: '' })]),
    send(route, { body: '{' }),
    send(route, { body: `${'['.repeat(8000)}${']'.repeat(8000)}` }),
    send(route, { body: '{"__proto__":1}' }),
    send(route, { body: Buffer.from([0xff]).toString('base64'), isBase64Encoded: true }),
    send(route, { body: '\ufeff{}' }),
  ],
  internal: (route) => [send(route)],
};
const acceptsPages = ({ access }: Route) => typeof access === 'object' && access.publicKey === true;
const send = (route: Route, event?: Partial<HttpEvent>) => responseOf(route, CALLERS[kindOf(route)], event);

test.each(errors.filter(({ code }) => REQUESTS[code]))(
  'the documented sentences of $code on $path are those of the stack',
  async ({ route, code }) => {
    const bodies = (await Promise.all(REQUESTS[code]?.(route) ?? [])).map(({ body }) => body ?? '');
    const sentences = bodies.map((body) => JSON.parse(body).error);
    expect(documentedSentences(route, code).toSorted()).toEqual(sentences.toSorted());
  },
);

test('the document shows a sentence for every field and parameter that can be invalid', () => {
  const schemaOf = (schema: { $ref: string }) => DOCUMENT.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
  const missing = Object.entries(ROUTES).flatMap(([id, route]: [string, Route]) => {
    const { parameters = [], requestBody } = DOCUMENT.paths[route.path][route.method.toLowerCase()];
    const query = parameters.filter(({ in: place }: { in: string }) => place === 'query');
    // A signed body has no invalid fields: everything with a valid signature is 200.
    const isRead = requestBody && route.access !== 'stripe';
    const body = isRead ? Object.keys(schemaOf(requestBody.content['application/json'].schema).properties) : [];
    const names = [...query.map(({ name }: { name: string }) => name), ...body];
    if (names.length === 0) return [];
    const sentences = documentedSentences(route, 'invalid_field');
    return names
      .filter((name) => !sentences.some((sentence) => new RegExp(`(?:^| )${name}(?: |,|$)`).test(sentence)))
      .map((name) => `${id}: ${name}`);
  });
  // An invalid public key of a page is a 401.
  expect(missing).toEqual(['trackConversionV2: pk']);
});
