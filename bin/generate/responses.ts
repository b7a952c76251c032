import * as errors from '../../functions/domain/errors.ts';
import { NO_PUBLIC_KEY, NO_TOKEN, WRONG_ORIGIN, wrongToken } from '../../functions/http/authentication.ts';
import { INVALID_JSON, TOO_LARGE, unsupportedType } from '../../functions/http/body.ts';
import { ERROR_HEADERS, INTERNAL, STATUS } from '../../functions/http/errors.ts';
import {
  type Examples,
  example,
  type JsonObject,
  type Operation,
  RESPONSE_HEADERS,
} from '../../functions/http/openapi.ts';
import { ERROR } from '../../functions/http/schema.ts';
import type { Access, Route } from '../../functions/routes.ts';
import { GATEWAY_ERROR, mapValues, referenced } from './schemas.ts';

type HeaderKey = keyof typeof RESPONSE_HEADERS;
const HEADER_KEYS = Object.keys(RESPONSE_HEADERS).filter((key): key is HeaderKey => key in RESPONSE_HEADERS);

const acceptsPublicKey = (access: Access) => access !== 'anyone' && access.publicKey === true;

/** When a route returns each error, and its sentences. Those of `invalid_field` belong to the operation. */
const ERRORS: Readonly<Record<errors.ErrorCode, (route: Route) => readonly [string, readonly string[]]>> = {
  invalid_json: () => ['the body is missing, or is not valid JSON in UTF-8', Object.values(INVALID_JSON)],
  invalid_field: () => ['a field, parameter or header is missing or not valid', []],
  invalid_affiliate_slug: () => [
    'the affiliate is unknown, belongs to another program or is deactivated: the response does not say which',
    [new errors.InvalidAffiliate().message],
  ],
  unauthorized: ({ access }) => {
    const reason = 'the token is missing, malformed, unknown, revoked or expired: the response does not say which';
    return acceptsPublicKey(access)
      ? [`${reason}; or, without a token, \`pk\` is missing or unknown`, [NO_TOKEN, NO_PUBLIC_KEY]]
      : [reason, [NO_TOKEN]];
  },
  forbidden: ({ access }) => {
    const reason = 'the token is valid but of the wrong kind';
    return acceptsPublicKey(access)
      ? [`${reason}; or the origin of the page is not allowed`, [wrongToken(access), WRONG_ORIGIN]]
      : [reason, [wrongToken(access)]];
  },
  referral_exists: () => [
    'the program already has a referral of this customer, whichever advocate referred it',
    [new errors.ReferralExists().message],
  ],
  referral_not_found: () => ['the program has no referral of this customer', [new errors.ReferralNotFound().message]],
  state_refused: () => [
    'the referral is in a state that this one cannot follow; nothing was changed',
    ['rejected', 'paid'].map((state) => new errors.StateRefused(state).message),
  ],
  body_too_large: () => ['the body is larger than 16 KiB', [TOO_LARGE]],
  unsupported_media_type: ({ plainText }) => [
    `the content type is not JSON${plainText ? ' or plain text' : ''}, or its charset is not UTF-8`,
    [unsupportedType(plainText)],
  ],
  idempotency_key_reused: () => [
    'the `Idempotency-Key` was used before with other fields; nothing was written',
    [new errors.IdempotencyKeyReused().message],
  ],
  internal: () => ['the service failed; the response does not reveal the cause', [INTERNAL]],
  unavailable: () => [
    'the service could not finish in time: try again after `Retry-After`, conversions with the same `Idempotency-Key`',
    [new errors.Unavailable().message],
  ],
};

/** `responses` of an operation: every status that it can return. */
export function responsesOf(route: Route, operation: Operation): JsonObject {
  const common: HeaderKey[] = ['RequestId', 'CacheControl', ...(route.deprecated ? DEPRECATION : [])];
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
      `More than ${rate} requests a second (burst ${burst}) on this route, counted for all programs and callers together. ` +
      "API Gateway's own response: try again later.",
    content: contentOf(GATEWAY_ERROR, { too_many: summarized({ message: 'Too Many Requests' }) }),
  };
  return { ...successes, ...failures, 429: tooMany };
}

const DEPRECATION = ['Deprecation', 'Successor'] as const;

/** Every error that the service itself can return for an operation. */
function errorsOf({ access }: Route, { body, query, errors = [] }: Operation): readonly errors.ErrorCode[] {
  return [
    ...(access === 'anyone' ? [] : (['unauthorized', 'forbidden'] as const)),
    ...(body ? (['body_too_large', 'unsupported_media_type', 'invalid_json'] as const) : []),
    ...(body || query ? (['invalid_field'] as const) : []),
    ...errors,
    'internal',
    'unavailable',
  ];
}

/** `headers` of a response, by reference. */
function headersOf(keys: readonly HeaderKey[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [RESPONSE_HEADERS[key].name, { $ref: `#/components/headers/${key}` }]));
}

/** `content` of a request or a response. */
export function contentOf(schema: JsonObject, examples: Examples = {}, type = 'application/json'): JsonObject {
  return { [type]: { schema: referenced(schema), examples: mapValues(examples, (one) => ({ ...one })) } };
}

function errorResponse(
  codes: readonly errors.ErrorCode[],
  common: readonly HeaderKey[],
  route: Route,
  operation: Operation,
): JsonObject {
  const documented = codes.map((code) => ({ code, reason: ERRORS[code](route)[0] }));
  const own = codes.flatMap((code) => Object.keys(ERROR_HEADERS[code] ?? {}));
  const headers = [
    ...common,
    'ErrorCode' as const,
    ...HEADER_KEYS.filter((key) => own.includes(RESPONSE_HEADERS[key].name.toLowerCase())),
  ];
  const reasons = documented.map(({ code, reason }) => `* \`${code}\`: ${reason}.`);
  const examples = Object.fromEntries(codes.flatMap((code) => errorExamples(code, route, operation)));
  const isTooLarge = codes.includes('body_too_large');
  return {
    description: [...reasons, ...(isTooLarge ? ['', "A body over 10 MB gets API Gateway's own response."] : [])].join(
      '\n',
    ),
    headers: headersOf(headers),
    content: isTooLarge
      ? contentOf(
          { anyOf: [ERROR, GATEWAY_ERROR] },
          { ...examples, gateway: summarized({ message: 'Request Entity Too Large' }) },
        )
      : contentOf(ERROR, examples),
  };
}

/** The examples of an error, named after its code: `invalid_json`, `invalid_json_2` and so on. */
function errorExamples(code: errors.ErrorCode, route: Route, { invalidFields = [] }: Operation) {
  const sentences = code === 'invalid_field' ? invalidFields : ERRORS[code](route)[1];
  return sentences.map((error, index) => [index === 0 ? code : `${code}_${index + 1}`, summarized({ error })]);
}

/** An example with its only sentence as its summary. */
const summarized = (value: Readonly<Record<string, string>>) => example(Object.values(value).join(), value);
