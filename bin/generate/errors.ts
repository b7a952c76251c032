import {
  type ErrorCode,
  InvalidAffiliate,
  ReferralExists,
  ReferralNotFound,
  StateRefused,
  Unavailable,
} from '../../functions/domain/errors.ts';
import type { State } from '../../functions/domain/state.ts';
import type { Access, Route } from '../../functions/routes.ts';
import type { HeaderKey } from './headers.ts';

/** An error in the document. A test compares statuses, headers and sentences with the responses of the code. */
interface DocumentedError {
  /** When it is returned, depending on the route if need be. */
  readonly reason: string | ((route: Route) => string);
  /** Headers of this error alone. */
  readonly headers?: readonly HeaderKey[];
  /** Sentences that the body may contain, depending on the route if need be. */
  readonly sentences: readonly string[] | ((route: Route) => readonly string[]);
}

const NO_TOKEN = 'A valid access token is required in the header Authorization, as "Bearer <token>"';
const NO_TOKEN_NOR_KEY =
  'A valid access token is required in the header Authorization, or the public key of a program in pk';
const OF_A_PROGRAM = 'This operation takes the token of a program';

const UNAUTHORIZED: Readonly<Record<Access, readonly string[]>> = {
  program: [NO_TOKEN],
  affiliate: [NO_TOKEN],
  'program or page': [NO_TOKEN, NO_TOKEN_NOR_KEY],
  anyone: [],
};
const FORBIDDEN: Readonly<Record<Access, readonly string[]>> = {
  program: [OF_A_PROGRAM],
  affiliate: ['This operation takes the token of an affiliate'],
  'program or page': [OF_A_PROGRAM, 'pk stands for a token only on pages of origins that the program lists'],
  anyone: [],
};

/** Every error of the service: a code that is missing here does not compile. */
export const ERRORS: Readonly<Record<ErrorCode, DocumentedError>> = {
  invalid_json: {
    reason: 'the body is missing, or is not valid JSON in UTF-8',
    sentences: [
      'The body is missing: send a JSON object',
      'The body must be valid JSON, not nested too deeply',
      'The body must not hold the key __proto__, or constructor with prototype in it',
      'The body must be JSON in valid UTF-8',
      'The body must not begin with a byte order mark',
    ],
  },
  invalid_field: {
    reason: 'a field, parameter or header is missing or not valid',
    // Each operation has its own.
    sentences: [],
  },
  invalid_affiliate_slug: {
    reason: 'the affiliate is unknown, belongs to another program or is deactivated: the response does not say which',
    sentences: [new InvalidAffiliate().message],
  },
  unauthorized: {
    reason: ({ access }) => {
      const token = 'the token is missing, malformed, unknown, revoked or expired: the response does not say which';
      return access === 'program or page' ? `${token}; or, without a token, \`pk\` is missing or unknown` : token;
    },
    headers: ['WwwAuthenticate'],
    sentences: ({ access }) => UNAUTHORIZED[access],
  },
  forbidden: {
    reason: ({ access }) => {
      const token = 'the token is valid but of the wrong kind';
      return access === 'program or page' ? `${token}; or the origin of the page is not allowed` : token;
    },
    sentences: ({ access }) => FORBIDDEN[access],
  },
  referral_exists: {
    reason: 'the program already has a referral of this customer, whichever advocate referred it',
    sentences: [new ReferralExists().message],
  },
  referral_not_found: {
    reason: 'the program has no referral of this customer',
    sentences: [new ReferralNotFound().message],
  },
  state_refused: {
    reason: 'the referral is in a state that this one cannot follow; nothing was changed',
    sentences: (['rejected', 'paid'] satisfies State[]).map((state) => new StateRefused(state).message),
  },
  body_too_large: {
    reason: 'the body is larger than 16 KiB',
    sentences: ['The body must not be larger than 16 KiB'],
  },
  unsupported_media_type: {
    reason: ({ plainText }) =>
      `the content type is not JSON${plainText ? ' or plain text' : ''}, or its charset not UTF-8`,
    sentences: ({ plainText }) => [
      plainText
        ? 'The Content-Type must be application/json or text/plain in UTF-8'
        : 'The Content-Type must be application/json in UTF-8',
    ],
  },
  idempotency_key_reused: {
    reason: 'the `Idempotency-Key` was used before with other fields; nothing was written',
    sentences: ['Idempotency-Key was used with other fields before; use a new key for a new request'],
  },
  internal: {
    reason: 'the service failed; the response does not reveal the cause',
    sentences: ['Something went wrong; the failure was recorded'],
  },
  unavailable: {
    reason:
      'the service could not finish in time: try again after `Retry-After`, conversions with the same `Idempotency-Key`',
    headers: ['RetryAfter'],
    sentences: [new Unavailable().message],
  },
};

/** The words of `x-error-code`. */
export const ERROR_CODES = Object.keys(ERRORS);

/** When a route returns an error. */
export function reasonOf(code: ErrorCode, route: Route): string {
  const { reason } = ERRORS[code];
  return typeof reason === 'function' ? reason(route) : reason;
}

/** The sentences that a route may return. */
export function sentencesOf(code: ErrorCode, route: Route): readonly string[] {
  const { sentences } = ERRORS[code];
  return typeof sentences === 'function' ? sentences(route) : sentences;
}
