import type { ErrorCode } from '../../functions/domain/errors.ts';
import { ERROR } from '../../functions/http/schema.ts';
import { STATUS } from '../../functions/http/status.ts';
import type { Route } from '../../functions/routes.ts';
import type { DocumentedBody, DocumentedLink, DocumentedOperation } from './documented-operation.ts';
import { ERRORS, reasonOf, sentencesOf } from './errors.ts';
import type { Examples } from './examples.ts';
import { type HeaderKey, headersOf } from './headers.ts';
import { type Json, type JsonObject, mapValues } from './json.ts';
import { GATEWAY_ERROR, written } from './schemas.ts';

const OF_TOKENS = ['unauthorized', 'forbidden'] as const;
const OF_BODIES = ['body_too_large', 'unsupported_media_type', 'invalid_json', 'invalid_field'] as const;
const OF_QUERIES = ['invalid_field'] as const;
const OF_EVERY_OPERATION = ['internal', 'unavailable'] as const;

const GATEWAY_TOO_LARGE = { gateway: example({ message: 'Request Entity Too Large' }) };
const GATEWAY_TOO_MANY = { too_many: example({ message: 'Too Many Requests' }) };

/** `responses` of an operation: every status that it can return. */
export function responsesOf(route: Route, operation: DocumentedOperation): JsonObject {
  const common: HeaderKey[] = ['RequestId', 'CacheControl', ...deprecationHeaders(route)];
  const successes = operation.successes.map(({ status, description, headers, body, links }): [number, Json] => [
    status,
    {
      description,
      headers: headersOf([...common, ...headers]),
      ...(body && { content: contentOf(body) }),
      ...(links && { links: mapValues(links, linkOf) }),
    },
  ]);
  const byStatus = Map.groupBy(errorsOf(route, operation), (code) => STATUS[code]);
  const errors = [...byStatus].map(([status, codes]): [number, Json] => [
    status,
    errorResponse(status, codes, common, route, operation),
  ]);
  return { ...Object.fromEntries<Json>([...successes, ...errors]), 429: tooManyRequests(route) };
}

/** Every error that the service itself can return for an operation. */
export function errorsOf({ access }: Route, { body, query, errors }: DocumentedOperation): readonly ErrorCode[] {
  return [
    ...(access === 'anyone' ? [] : OF_TOKENS),
    ...(body ? OF_BODIES : []),
    ...(query ? OF_QUERIES : []),
    ...errors,
    ...OF_EVERY_OPERATION,
  ];
}

/** `content` of a request or a response. */
export function contentOf({ types, schema, examples }: DocumentedBody): JsonObject {
  const content = { schema: written(schema), examples: mapValues(examples, (one) => ({ ...one })) };
  const text = {
    schema: { type: 'string', contentMediaType: 'application/json', contentSchema: written(schema) },
    examples: mapValues(examples, (one) => ({ ...one, value: JSON.stringify(one.value) })),
  };
  return Object.fromEntries(types.map((type) => [type, type === 'text/plain' ? text : content]));
}

/** API Gateway's own response to more requests than the route allows. */
function tooManyRequests({ throttle: { rate, burst } }: Route): JsonObject {
  return {
    description:
      `More than ${rate} requests a second (burst ${burst}) on this route, counted for all programs and callers together. ` +
      "API Gateway's own response: try again later.",
    content: contentOf({ types: ['application/json'], schema: GATEWAY_ERROR, examples: GATEWAY_TOO_MANY }),
  };
}

function linkOf({ operation, description, requestBody }: DocumentedLink): JsonObject {
  return { operationId: operation, description, requestBody };
}

function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  common: readonly HeaderKey[],
  route: Route,
  operation: DocumentedOperation,
): JsonObject {
  const reasons = codes.map((code) => `* \`${code}\`: ${reasonOf(code, route)}.`);
  const examples = Object.fromEntries(codes.flatMap((code) => Object.entries(errorExamples(code, route, operation))));
  const headers = headersOf([...common, 'ErrorCode', ...codes.flatMap((code) => ERRORS[code].headers ?? [])]);
  const types = ['application/json'];
  if (status !== 413) {
    return {
      description: reasons.join('\n'),
      headers,
      content: contentOf({ types, schema: ERROR, examples }),
    };
  }
  return {
    description: [...reasons, '', "A body over 10 MB gets API Gateway's own response."].join('\n'),
    headers,
    content: contentOf({
      types,
      schema: { anyOf: [ERROR, GATEWAY_ERROR] },
      examples: { ...examples, ...GATEWAY_TOO_LARGE },
    }),
  };
}

/** The examples of an error, named after its code: `invalid_json`, `invalid_json_2` and so on. */
function errorExamples(code: ErrorCode, route: Route, { invalidFields }: DocumentedOperation): Examples {
  const sentences = code === 'invalid_field' ? invalidFields : sentencesOf(code, route);
  return Object.fromEntries(
    sentences.map((error, index) => [index === 0 ? code : `${code}_${index + 1}`, example({ error })]),
  );
}

/** An example with its only sentence as its summary. */
function example<Body extends Readonly<Record<string, Json>>>(value: Body) {
  return { summary: Object.values(value).join(' '), value };
}

function deprecationHeaders(route: Route): HeaderKey[] {
  return route.deprecated ? ['Deprecation', 'Successor'] : [];
}
