import type { ErrorCode } from '../../functions/domain/errors.ts';
import { STATUS } from '../../functions/http/errors.ts';
import { type JsonObject, type Operation, RESPONSE_HEADERS } from '../../functions/http/openapi.ts';
import { ERROR } from '../../functions/http/schema.ts';
import type { Route } from '../../functions/routes.ts';
import { errorsOf, reasonOf, sentenceOf } from './errors.ts';
import { type Components, GATEWAY_ERROR, mapValues, referenced, shared } from './schemas.ts';

type HeaderKey = keyof typeof RESPONSE_HEADERS;
type HeadersByCode = Partial<Record<ErrorCode, HeaderKey>>;
const ERROR_HEADERS: HeadersByCode = { unauthorized: 'WwwAuthenticate', unavailable: 'RetryAfter' };
const TOO_MANY_REQUESTS = {
  description: "More requests than `x-throttle` allows: API Gateway's own response.",
  content: contentOf(GATEWAY_ERROR, { too_many_requests: { value: { message: 'Too Many Requests' } } }),
};

export function responsesOf(route: Route, operation: Operation, components: Components): JsonObject {
  const successes = mapValues(operation.successes, ({ description, headers = [], type, schema, examples, links }) => ({
    description,
    headers: headersOf([...commonHeaders(route), ...headers]),
    ...(schema && { content: contentOf(schema, examples, type) }),
    ...(links && { links }),
  }));
  const byStatus = Object.groupBy(errorsOf(route, operation), (code) => STATUS[code]);
  const failures = mapValues(byStatus, (codes = []) => errorResponse(codes, route, operation, components));
  const { rate, burst } = route.throttle;
  const tooMany = {
    ...shared(components, 'responses', 'too_many_requests', TOO_MANY_REQUESTS),
    description: `More than ${rate} requests per second (burst ${burst}): API Gateway's own response. Try again later.`,
  };
  return { ...successes, ...failures, 429: tooMany };
}

/** A response that the codes share. A response with a single code is a component. */
function errorResponse(codes: readonly ErrorCode[], route: Route, operation: Operation, components: Components) {
  const examples = codes.map((code) => {
    const error = sentenceOf(code, route, operation);
    return [code, shared(components, 'examples', code, { value: { error } })];
  });
  const schema = codes.includes('body_too_large') ? { anyOf: [ERROR, GATEWAY_ERROR] } : ERROR;
  const response = {
    description: describe(codes),
    headers: headersOf([...commonHeaders(route), 'ErrorCode', ...codes.flatMap((code) => ERROR_HEADERS[code] ?? [])]),
    content: contentOf(schema, Object.fromEntries(examples)),
  };
  const [code = '', ...others] = codes;
  const shown = others.length === 0 ? shared(components, 'responses', code, response) : response;
  const description = describe(codes, route);
  return description === response.description ? shown : { ...shown, description };
}

const describe = (codes: readonly ErrorCode[], route?: Route) =>
  codes.map((code) => `* \`${code}\`: ${reasonOf(code, route)}.`).join('\n');

const commonHeaders = ({ deprecated }: Route): HeaderKey[] =>
  deprecated ? ['RequestId', 'CacheControl', 'Deprecation', 'Successor'] : ['RequestId', 'CacheControl'];

function headersOf(keys: readonly HeaderKey[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [RESPONSE_HEADERS[key].name, { $ref: `#/components/headers/${key}` }]));
}

export function contentOf(schema: JsonObject, examples: JsonObject = {}, type = 'application/json'): JsonObject {
  return { [type]: { schema: referenced(schema), examples } };
}
