import type { ErrorCode } from '../../functions/domain/errors.ts';
import { STATUS } from '../../functions/http/errors.ts';
import {
  type Examples,
  example,
  type JsonObject,
  type Operation,
  RESPONSE_HEADERS,
} from '../../functions/http/openapi.ts';
import { ERROR } from '../../functions/http/schema.ts';
import type { Route } from '../../functions/routes.ts';
import { errorsOf, reasonOf, SENTENCES } from './errors.ts';
import { GATEWAY_ERROR, mapValues, referenced } from './schemas.ts';

type HeaderKey = keyof typeof RESPONSE_HEADERS;
const ERROR_HEADERS: Partial<Record<ErrorCode, HeaderKey>> = {
  unauthorized: 'WwwAuthenticate',
  unavailable: 'RetryAfter',
};

/** `responses` of an operation: every status that it can return. */
export function responsesOf(route: Route, operation: Operation): JsonObject {
  const deprecation = ['Deprecation', 'Successor'] as const;
  const common: HeaderKey[] = ['RequestId', 'CacheControl', ...(route.deprecated ? deprecation : [])];
  const successes = mapValues(operation.successes, ({ description, headers = [], type, schema, examples, links }) => ({
    description,
    headers: headersOf([...common, ...headers]),
    ...(schema && { content: contentOf(schema, examples, type) }),
    ...(links && { links }),
  }));
  const byStatus = Object.groupBy(errorsOf(route, operation), (code) => STATUS[code]);
  const failures = mapValues(byStatus, (codes = []) => errorResponse(codes, common, route, operation));
  const { rate, burst } = route.throttle;
  const tooMany = {
    description:
      `More than ${rate} requests per second (burst ${burst}) on this route, counted for all programs and callers together. ` +
      "API Gateway's own response: try again later.",
    content: contentOf(GATEWAY_ERROR, { too_many: summarized({ message: 'Too Many Requests' }) }),
  };
  return { ...successes, ...failures, 429: tooMany };
}

function errorResponse(
  codes: readonly ErrorCode[],
  common: readonly HeaderKey[],
  route: Route,
  operation: Operation,
): JsonObject {
  const reasons = codes.map((code) => `* \`${code}\`: ${reasonOf(code, route)}.`);
  // Examples are named after the code: `invalid_json`, `invalid_json_2` and so on.
  const examples = codes.flatMap((code) =>
    SENTENCES[code](route, operation).map((error, index) => [
      index === 0 ? code : `${code}_${index + 1}`,
      summarized({ error }),
    ]),
  );
  const specific = codes.flatMap((code) => ERROR_HEADERS[code] ?? []);
  const response = {
    description: reasons.join('\n'),
    headers: headersOf([...common, 'ErrorCode', ...specific]),
    content: contentOf(ERROR, Object.fromEntries(examples)),
  };
  if (!codes.includes('body_too_large')) return response;
  const gateway = summarized({ message: 'Request Entity Too Large' });
  return {
    ...response,
    description: `${response.description}\n\nA body over 10 MB gets API Gateway's own response.`,
    content: contentOf({ anyOf: [ERROR, GATEWAY_ERROR] }, { ...Object.fromEntries(examples), gateway }),
  };
}

/** `headers` of a response, as references. */
function headersOf(keys: readonly HeaderKey[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [RESPONSE_HEADERS[key].name, { $ref: `#/components/headers/${key}` }]));
}

/** `content` of a request or a response. */
export function contentOf(schema: JsonObject, examples: Examples = {}, type = 'application/json'): JsonObject {
  return { [type]: { schema: referenced(schema), examples: mapValues(examples, (one) => ({ ...one })) } };
}

/** An example of an error body, with its sentence as the summary. */
const summarized = (value: Readonly<Record<string, string>>) => example(Object.values(value).join(), value);
