import * as codes from '../../functions/codes/rules/errors.ts';
import type { ErrorCode } from '../../functions/kernel/errors.ts';
import * as errors from '../../functions/kernel/errors.ts';
import { NO_TOKEN, wrongToken } from '../../functions/kernel/http/authentication.ts';
import { INVALID_JSON, limitOf, tooLarge, unsupportedType } from '../../functions/kernel/http/body.ts';
import { NOT_THROUGH_EDGE } from '../../functions/kernel/http/edge.ts';
import { INTERNAL, STATUS } from '../../functions/kernel/http/errors.ts';
import type { Access, Route } from '../../functions/kernel/http/route.ts';
import { ERROR } from '../../functions/kernel/http/schema.ts';
import { assertNoQuery } from '../../functions/kernel/http/validation.ts';
import * as ledger from '../../functions/ledger/rules/errors.ts';
import { FOREIGN_ORIGIN, NO_STREAM } from '../../functions/mcp/rules/protocol.ts';
import { type JsonObject, type Operation, RESPONSE_HEADERS } from '../../functions/openapi/operation.ts';
import * as people from '../../functions/people/rules/errors.ts';
import { COUNT_LIMITS } from '../../functions/referrals/rules/counts.ts';
import { assertSettable } from '../../functions/referrals/rules/state.ts';
import { ROUTES } from '../../functions/routes.ts';
import { MAX_SUMS } from '../../functions/statistics/table/advocates.ts';
import { INVALID_SIGNATURE } from '../../functions/stripe/rules/signature.ts';
import * as webhooks from '../../functions/webhooks/rules/errors.ts';
import { type Components, GATEWAY_ERROR, mapValues, referenced, shared } from './schemas.ts';

/** The codes of all errors that the service returns for an operation; within a status, in the order of the checks. */
export function errorsOf(
  { access, method }: Route,
  { body, query, errors: specific = [] }: Operation,
): errors.ErrorCode[] {
  const isRefused = specific.includes('method_not_allowed');
  return [
    ...(typeof access === 'object' ? (['unauthorized'] as const) : []),
    // Any token is of the right kind.
    ...(typeof access === 'object' && !acceptsAnyToken(access) ? (['forbidden'] as const) : []),
    ...(typeof access === 'object' && access.scope ? (['missing_scope'] as const) : []),
    ...(access === 'stripe' ? (['invalid_signature'] as const) : []),
    ...(body ? (['body_too_large', 'unsupported_media_type', 'invalid_json'] as const) : []),
    // Every GET of a caller refuses unknown parameters.
    ...(body || query || (method === 'GET' && access !== 'anyone' && !isRefused) ? (['invalid_field'] as const) : []),
    ...specific,
    'internal',
    'unavailable',
  ];
}

const acceptsAnyToken = (access: Access) => typeof access === 'object' && access.token === 'any';

const REASONS: Readonly<Record<errors.ErrorCode, string>> = {
  invalid_json: 'the body is not valid JSON in UTF-8, or a required body is missing',
  invalid_field: 'a field, parameter or header is missing or not valid',
  invalid_signature:
    'the signature is missing, malformed, not made with a secret of the program, or its time differs by more than 300 seconds; or the body is larger than 256 KiB, or the program is unknown: the response does not reveal which',
  invalid_affiliate_slug:
    'the affiliate is unknown, belongs to another program or is deactivated: the response does not reveal which',
  invalid_code:
    'the promotion code is unknown, malformed or inactive, and no other reference is given: the response does not reveal which',
  unauthorized: 'the token is missing, malformed, unknown, revoked or expired: the response does not reveal which',
  forbidden: 'the token is valid but of the wrong kind',
  method_not_allowed: 'the service opens no stream: it sends nothing by itself',
  missing_scope: 'the token does not have the scope of the operation',
  not_through_edge: 'the request did not come through the public address of the service',
  range_too_large:
    'the range has more than 100,000 referrals and clicks, or months of advocates: the sentence says how to narrow it',
  advocate_not_found: 'the program has no advocate with this slug',
  not_converted: 'the referral never converted; nothing was changed',
  payment_not_found: 'the program has no payment with this id',
  payout_run_not_found: 'the program has no settlement of this run in this currency',
  logo_not_found: 'no program has this public key, or it has no logo: the response does not reveal which',
  rules_not_found: 'neither the program nor a group has ever had these rules',
  payment_exists: 'the payment was recorded with other fields; nothing was written',
  refund_exists: 'the refund was recorded with other fields; nothing was written',
  adjustment_exists: 'the adjustment was recorded with other fields; nothing was written',
  settlement_exists: 'the settlement was recorded with other fields; nothing was written',
  balance_changed:
    'the advocate has another number of settlements in the currency than `settlement_count`; nothing was written',
  void_exists: 'the payment was voided with another note; nothing was written',
  payment_at_stripe: 'Stripe has reported the payment, a refund or a dispute of it; nothing was written',
  uid_taken: 'another advocate of the program has this `uid`; nothing was written',
  token_not_found: 'the program has no program token with this id',
  sign_in_required: 'the token does not come from a sign-in',
  sign_in_too_old: 'the sign-in is older than 15 minutes; nothing was changed',
  invalid_link: 'the code is malformed, unknown, used or expired: the response does not reveal which',
  member_not_found: 'the program has no member with this id',
  member_exists: 'a member with this email has another name or other scopes; nothing was written',
  too_many_members: 'the program has 100 members; nothing was written',
  last_admin: 'no other member would have the scope `admin`; nothing was written',
  applications_closed: 'the program takes no applications; nothing was written',
  application_not_found: 'the program has no confirmed application with this id, or it has expired',
  application_decided: 'the application was decided otherwise before; nothing was written',
  too_many_applications: 'more than 200 people an hour apply to the program; nothing was written',
  webhook_not_found: 'the program has no webhook with this id',
  event_not_found: 'the program has no change with this id, or its history no longer contains it',
  too_many_webhooks: 'the program has 20 webhooks; nothing was written',
  too_many_groups: 'the program has 50 groups; nothing was written',
  code_taken: 'the code belongs to another advocate; nothing was written',
  promotion_code_taken: 'another code has this `promotion_code_id`; nothing was written',
  too_many_codes: 'the program has 10,000 codes; nothing was written',
  webhook_disabled: 'the webhook is disabled, so nothing was queued',
  too_many_tokens: 'the program has 1,000 program tokens that are neither revoked nor expired; nothing was written',
  advocate_erased: 'the person who was the advocate is erased; nothing was written',
  slug_taken: 'another advocate of the program has this `slug`; nothing was written',
  referral_exists: 'the program already has a referral of this customer, whichever advocate referred it',
  referral_not_found: 'the program has no referral of this customer',
  state_refused: 'the requested state cannot follow the current one; nothing was changed',
  body_too_large: "the body is larger than the operation's limit; over 10 MB, the response is API Gateway's own",
  unsupported_media_type: 'the operation does not accept the content type, or its charset is not UTF-8',
  idempotency_key_reused: 'the `Idempotency-Key` was used before with other fields; nothing was written',
  internal: 'the service failed; the response does not reveal the cause',
  unavailable:
    'the service could not finish in time: try again after `Retry-After`, and repeat conversions with the same `Idempotency-Key`',
};
const REPLAY_REASON =
  'the period is longer than 7 days, has more than 10,000 referrals, or could not be queued within 20 seconds, which alone can leave a part of the events queued: shorten it, or run `webhook replay` at the command line';
const ORIGIN_REASON =
  'a page sent the request, whose origin is neither the service nor an allowed origin of the program';
/** Additional reasons on routes that accept a public key. */
const PAGE_REASONS: Readonly<Partial<Record<errors.ErrorCode, string>>> = {
  unauthorized: '; or, without a token, `pk` is missing or unknown',
  forbidden: '; or the origin of the page is not allowed',
};

export function reasonOf(code: errors.ErrorCode, route?: Route): string {
  const acceptsPublicKey = typeof route?.access === 'object' && route.access.publicKey;
  if (code === 'range_too_large' && route?.function === 'integrations') return REPLAY_REASON;
  if (code === 'forbidden' && route && acceptsAnyToken(route.access)) return ORIGIN_REASON;
  return REASONS[code] + ((acceptsPublicKey && PAGE_REASONS[code]) || '');
}

/** The sentences of the errors that always have the same one. */
const CONSTANT = Object.values({ ...errors, ...codes, ...ledger, ...people, ...webhooks }).flatMap((value) => {
  const error: unknown = typeof value === 'function' && value.length === 0 ? Reflect.construct(value, []) : undefined;
  return error instanceof errors.ServiceError ? [[error.code, error.message] as const] : [];
});

const JSON_TYPE = 'application/json';

type Sentences = Readonly<Partial<Record<string, string | ((route: Route, operation: Operation) => string)>>>;
/** The sentence of each error, from the code that throws it. A function returns it for an operation. */
const SENTENCES: Sentences = {
  ...Object.fromEntries(CONSTANT),
  invalid_json: INVALID_JSON.malformed,
  invalid_field: (_, operation) => fieldSentence(operation),
  invalid_signature: INVALID_SIGNATURE,
  unauthorized: NO_TOKEN,
  forbidden: ({ access }) => (acceptsAnyToken(access) ? FOREIGN_ORIGIN : wrongToken(access)),
  method_not_allowed: NO_STREAM,
  missing_scope: ({ access }) => new errors.MissingScope((typeof access === 'object' && access.scope) || '').message,
  not_through_edge: NOT_THROUGH_EDGE,
  range_too_large: (route) => rangeError(route).message,
  not_converted: ({ path }) =>
    new errors.NotConverted(path === ROUTES.recordPayment.path ? errors.STILL_CLICK : undefined).message,
  payment_exists: new ledger.EntryExists('payment').message,
  refund_exists: new ledger.EntryExists('refund').message,
  adjustment_exists: new ledger.EntryExists('adjustment').message,
  settlement_exists: new ledger.EntryExists('settlement').message,
  payout_run_not_found: new ledger.PayoutRunNotFound().message,
  state_refused: thrownBy(() => assertSettable({ state: 'paid', convertedAt: null }, 'clicked')),
  body_too_large: (route) => tooLarge(limitOf(route)),
  unsupported_media_type: ({ plainText }) => unsupportedType(plainText),
  internal: INTERNAL,
  unavailable: new errors.Unavailable().message,
};

function rangeError({ function: name, path }: Route): errors.ServiceError {
  if (name === 'integrations') return new webhooks.ReplayTooLarge();
  if (path === ROUTES.listAdvocateStatistics.path) return new errors.TooManySums(MAX_SUMS);
  return new errors.RangeTooLarge(COUNT_LIMITS.rows);
}

export function sentenceOf(code: errors.ErrorCode, route: Route, operation: Operation): string {
  const sentence = SENTENCES[code];
  if (sentence === undefined) throw new Error(`The error ${code} has no sentence.`);
  return typeof sentence === 'string' ? sentence : sentence(route, operation);
}

/** Returns the error for an empty body or query; if that is valid, for a value that no field or parameter accepts. */
function fieldSentence({ body, query }: Operation): string {
  const [first = ''] = Object.keys((body ?? query)?.schema.properties ?? {});
  return thrownBy(() => {
    if (!body && !query) assertNoQuery({ rawQueryString: 'page=1' });
    body?.parse({});
    body?.parse({ [first]: [] });
    query?.parse({ rawQueryString: '' });
    query?.parse({ rawQueryString: `${first}=` });
  });
}

function thrownBy(work: () => void): string {
  try {
    work();
  } catch (error) {
    if (error instanceof errors.ServiceError) return error.message;
    throw error;
  }
  throw new Error('Nothing throws the error to document.');
}

type HeaderKey = keyof typeof RESPONSE_HEADERS;
type HeadersByCode = Partial<Record<ErrorCode, HeaderKey>>;
const ERROR_HEADERS: HeadersByCode = {
  method_not_allowed: 'Allow',
  unauthorized: 'WwwAuthenticate',
  unavailable: 'RetryAfter',
  too_many_applications: 'RetryAfter',
};
const TOO_MANY_REQUESTS = {
  description: "More requests than `x-throttle` allows: API Gateway's own response.",
  content: contentOf(GATEWAY_ERROR, { too_many_requests: { value: { message: 'Too Many Requests' } } }),
};

export function responsesOf(route: Route, operation: Operation, components: Components): JsonObject {
  const successes = mapValues(operation.successes, ({ description, headers = [], type, schema, examples, links }) => ({
    description,
    headers: headersOf([...commonHeaders(route), ...headers]),
    ...(schema && { content: contentsOf(schema, examples, type) }),
    ...(links && { links }),
  }));
  const byStatus = Object.groupBy(errorsOf(route, operation), (code) => STATUS[code]);
  const failures = mapValues(byStatus, (codes = []) => errorResponse(codes, route, operation, components));
  const tooMany = {
    ...shared(components, 'responses', 'too_many_requests', TOO_MANY_REQUESTS),
    description: describeThrottle(route),
  };
  return { 429: tooMany, ...successes, ...failures };
}

/** A response that the codes share. A response with a single code is a component. */
function errorResponse(codes: readonly ErrorCode[], route: Route, operation: Operation, components: Components) {
  const examples = codes.map((code) => {
    const error = sentenceOf(code, route, operation);
    return [code, shared(components, 'examples', code, { value: { error } })];
  });
  const isGateways = codes.some((code) => code === 'body_too_large' || code === 'too_many_applications');
  const other = operation.errorSchema && codes.includes('invalid_field') ? operation.errorSchema : undefined;
  const own = isGateways ? [ERROR, GATEWAY_ERROR] : [ERROR];
  const schema = other || isGateways ? { anyOf: [...own, ...(other ? [other] : [])] } : ERROR;
  const response = {
    description: describe(codes),
    headers: headersOf([...commonHeaders(route), 'ErrorCode', ...codes.flatMap((code) => ERROR_HEADERS[code] ?? [])]),
    content: contentOf(schema, Object.fromEntries(examples)),
  };
  const [code = '', ...others] = codes;
  const shown = others.length === 0 ? shared(components, 'responses', code, response) : response;
  const throttle = codes.includes('too_many_applications') ? `\n* ${describeThrottle(route)}` : '';
  const description = describe(codes, route) + throttle;
  return description === response.description ? shown : { ...shown, description };
}

const describe = (codes: readonly ErrorCode[], route?: Route) =>
  codes.map((code) => `* \`${code}\`: ${reasonOf(code, route)}.`).join('\n');

const describeThrottle = ({ throttle: { rate, burst } }: Route) =>
  `More than ${rate} requests per second (burst ${burst}): API Gateway's own response. Try again later.`;

const commonHeaders = ({ deprecated }: Route): HeaderKey[] =>
  deprecated ? ['RequestId', 'CacheControl', 'Deprecation', 'Successor'] : ['RequestId', 'CacheControl'];

function headersOf(keys: readonly HeaderKey[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [RESPONSE_HEADERS[key].name, { $ref: `#/components/headers/${key}` }]));
}

/** The content of a response that may have one of several types. */
function contentsOf(
  schema: JsonObject,
  examples: JsonObject = {},
  types: string | readonly string[] = JSON_TYPE,
): JsonObject {
  return Object.fromEntries([types].flat().flatMap((type) => Object.entries(contentOf(schema, examples, type))));
}

export function contentOf(schema: JsonObject, examples: JsonObject = {}, type: string = JSON_TYPE): JsonObject {
  return { [type]: { schema: referenced(schema), examples } };
}
