import { COUNT_LIMITS } from '../../functions/domain/counts.ts';
import * as errors from '../../functions/domain/errors.ts';
import { parseIdempotencyKey } from '../../functions/domain/referral/conversion.ts';
import { assertSettable } from '../../functions/domain/referral/state.ts';
import { NO_PUBLIC_KEY, NO_TOKEN, WRONG_ORIGIN, wrongToken } from '../../functions/http/authentication.ts';
import { INVALID_JSON, TOO_LARGE, unsupportedType } from '../../functions/http/body.ts';
import { INTERNAL } from '../../functions/http/errors.ts';
import type { Operation } from '../../functions/http/openapi.ts';
import type { Access, Route } from '../../functions/routes.ts';
import { INVALID_SIGNATURE } from '../../functions/tracking/stripe/endpoint.ts';

const acceptsPublicKey = (access: Access) => typeof access === 'object' && access.publicKey === true;

/** The codes of all errors that the service returns for an operation; within a status, in the order of the checks. */
export function errorsOf({ access }: Route, { body, query, errors: specific = [] }: Operation): errors.ErrorCode[] {
  return [
    ...(typeof access === 'object' ? (['unauthorized', 'forbidden'] as const) : []),
    ...(access === 'stripe' ? (['invalid_signature'] as const) : []),
    ...(body ? (['body_too_large', 'unsupported_media_type', 'invalid_json'] as const) : []),
    ...(body || query ? (['invalid_field'] as const) : []),
    ...specific,
    'internal',
    'unavailable',
  ];
}

/** Why the service returns each error. */
const REASONS: Readonly<Record<errors.ErrorCode, string>> = {
  invalid_json: 'the body is missing, or is not valid JSON in UTF-8',
  invalid_field: 'a field, parameter or header is missing or not valid',
  invalid_signature:
    'the signature is missing, malformed, not made with a secret of the program, or its time differs by more than 300 seconds; or the body is larger than 256 KiB, or the program is unknown: the response does not reveal which',
  invalid_affiliate_slug:
    'the affiliate is unknown, belongs to another program or is deactivated: the response does not reveal which',
  unauthorized: 'the token is missing, malformed, unknown, revoked or expired: the response does not reveal which',
  forbidden: 'the token is valid but of the wrong kind',
  range_too_large:
    'the range has more than 100,000 referrals and clicks: narrow `created_at_gt` and `created_at_lt`, or leave clicks out with `clicks=false`',
  advocate_not_found: 'the program has no advocate with this slug',
  not_converted: 'the referral never converted, so it cannot be moved; nothing was changed',
  uid_taken: 'another advocate of the program has this `uid`; nothing was written',
  slug_taken: 'another advocate of the program has this `slug`; nothing was written',
  referral_exists: 'the program already has a referral of this customer, whichever advocate referred it',
  referral_not_found: 'the program has no referral of this customer',
  state_refused: 'the requested state cannot follow the current one; nothing was changed',
  body_too_large: 'the body is larger than 16 KiB',
  unsupported_media_type: 'the operation does not accept the content type, or its charset is not UTF-8',
  idempotency_key_reused: 'the `Idempotency-Key` was used before with other fields; nothing was written',
  internal: 'the service failed; the response does not reveal the cause',
  unavailable:
    'the service could not finish in time: try again after `Retry-After`, and repeat conversions with the same `Idempotency-Key`',
};
/** Additional reasons on routes that accept a public key. */
const PAGE_REASONS: Readonly<Partial<Record<errors.ErrorCode, string>>> = {
  unauthorized: '; or, without a token, `pk` is missing or unknown',
  forbidden: '; or the origin of the page is not allowed',
};

/** Returns why the service returns an error on a route, for the description of the response. */
export function reasonOf(code: errors.ErrorCode, { access, optionalBody }: Route): string {
  if (code === 'invalid_json' && optionalBody) return 'the body is not valid JSON in UTF-8';
  return REASONS[code] + ((acceptsPublicKey(access) && PAGE_REASONS[code]) || '');
}

/** The sentences of each error, taken from the code that throws it. */
export const SENTENCES: Readonly<Record<errors.ErrorCode, (route: Route, operation: Operation) => readonly string[]>> =
  {
    invalid_json: ({ optionalBody }) => {
      const { missing, ...others } = INVALID_JSON;
      return [...(optionalBody ? [] : [missing]), ...Object.values(others)];
    },
    invalid_field: (_, operation) => fieldSentences(operation),
    invalid_signature: () => [INVALID_SIGNATURE],
    invalid_affiliate_slug: () => [new errors.InvalidAffiliate().message],
    unauthorized: ({ access }) => [NO_TOKEN, ...(acceptsPublicKey(access) ? [NO_PUBLIC_KEY] : [])],
    forbidden: ({ access }) => [wrongToken(access), ...(acceptsPublicKey(access) ? [WRONG_ORIGIN] : [])],
    range_too_large: () => [new errors.RangeTooLarge(COUNT_LIMITS.rows).message],
    advocate_not_found: () => [new errors.AdvocateNotFound().message],
    not_converted: () => [new errors.NotConverted().message],
    uid_taken: () => [new errors.UidTaken().message],
    slug_taken: () => [new errors.SlugTaken().message],
    referral_exists: () => [new errors.ReferralExists().message],
    referral_not_found: () => [new errors.ReferralNotFound().message],
    state_refused: () =>
      (['clicked', 'rejected', 'paid'] as const).flatMap(
        (state) => sentenceOf(() => assertSettable({ state, convertedAt: null }, 'clicked')) ?? [],
      ),
    body_too_large: () => [TOO_LARGE],
    unsupported_media_type: ({ plainText }) => [unsupportedType(plainText)],
    idempotency_key_reused: () => [new errors.IdempotencyKeyReused().message],
    internal: () => [INTERNAL],
    unavailable: () => [new errors.Unavailable().message],
  };

/** Values that are not valid, by field or query parameter. Those of parameters are percent-encoded. */
const INVALID: Readonly<Record<string, readonly (string | number | boolean)[]>> = {
  id: ['1'],
  first_name: [1, 'x'.repeat(201), 'a\n', '\u200b'],
  last_name: ['x'.repeat(201), 'a\n', '\u200b'],
  slug: ['jane doe'],
  company_id: ['x'.repeat(129), 'a\n'],
  company: ['x'.repeat(201), 'a\n', '\u200b'],
  commission_percentage: ['25', -1, 101],
  active: ['yes'],
  expires_in: ['3600', 59, 31_536_001],
  group_by: ['week'],
  clicks: ['no'],
  affiliate_slug: ['jane doe'],
  gr_id: ['jane-doe'],
  email: [1, 'a@b'],
  uid: ['x'.repeat(129), 'a\n'],
  sub_id: ['x'.repeat(129), 'a\n'],
  state: ['clicked'],
  page: ['0', '1.0', '1&cursor=a'],
  per_page: ['51', '1&per_page=1'],
  created_at_gt: ['2026-02-30'],
  created_at_lt: ['%zz'],
  state_set_at_gt: ['2026-02-30'],
  state_set_at_lt: ['2026-02-30'],
  state_eq: ['new'],
  sub_id_eq: ['', '%0a'],
};

/**
 * The sentences of `invalid_field`: those that the parsers throw for the examples with a field that is missing or not
 * valid and for queries with invalid parameters, and those of errors that depend on the table.
 */
function fieldSentences({ body, query, requestHeaders, fieldErrors = [] }: Operation): string[] {
  const bodies = Object.values(body?.examples ?? {}).flatMap(({ value }) =>
    Object.keys(body?.schema.properties ?? {}).flatMap((name) =>
      [null, ...(INVALID[name] ?? [])].map((invalid) => ({ ...value, [name]: invalid })),
    ),
  );
  const required = query?.schema.required ?? [];
  const queries = Object.keys(query?.schema.properties ?? {}).flatMap((name) => {
    // One letter is a valid slug.
    const others = required.filter((other) => other !== name).map((other) => `${other}=a`);
    return (INVALID[name] ?? []).map((invalid) => [...others, `${name}=${invalid}`].join('&'));
  });
  const sentences = [
    ...[...bodies, []].map((invalid) => sentenceOf(() => body?.parse(invalid))),
    ...[...queries, ''].map((rawQueryString) => sentenceOf(() => query?.parse({ rawQueryString }))),
    ...(query ? [new errors.InvalidCursor().message] : []),
    ...fieldErrors.map(({ message }) => message),
    ...(requestHeaders?.includes('IdempotencyKey') ? [sentenceOf(() => parseIdempotencyKey(''))] : []),
  ];
  return [...new Set(sentences)].filter((sentence) => sentence !== undefined);
}

/** Returns the sentence of the error that `parse` throws; `undefined` if it throws none. */
function sentenceOf(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    if (error instanceof errors.ServiceError) return error.message;
    throw error;
  }
}
