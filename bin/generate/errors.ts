import type { Caller } from '../../functions/domain/caller.ts';
import {
  type ErrorCode,
  InvalidAffiliate,
  ReferralExists,
  Unavailable,
} from '../../functions/domain/errors.ts';
import type { HeaderKey } from './headers.ts';

/** What the document says of an error. A test holds statuses, headers and sentences against what the code answers. */
interface DocumentedError {
  /** When it is answered. */
  readonly reason: string;
  /** Headers of this error alone. */
  readonly headers?: readonly HeaderKey[];
  /** Sentences that the body may hold; where they differ by it, those of the token that a route takes. */
  readonly sentences: readonly string[] | Readonly<Record<Caller['kind'], readonly string[]>>;
}

/** Every error of the service: a code that is missing here does not compile. */
export const ERRORS: Readonly<Record<ErrorCode, DocumentedError>> = {
  invalid_json: {
    reason: 'the body is no JSON in UTF-8',
    sentences: [
      'The body must be valid JSON, not nested too deeply',
      'The body must not hold the key __proto__, or constructor with prototype in it',
      'The body must be JSON in valid UTF-8',
      'The body must not begin with a byte order mark',
    ],
  },
  invalid_field: {
    reason: 'a field, parameter or header is missing or not of its form',
    // Each operation has its own.
    sentences: [],
  },
  invalid_affiliate_slug: {
    reason: 'the affiliate is unknown, of another program, or deactivated: which of them is not told',
    sentences: [new InvalidAffiliate().message],
  },
  unauthorized: {
    reason: 'the token is missing, malformed, unknown, revoked or expired: which of them is not told',
    headers: ['WwwAuthenticate'],
    sentences: ['A valid access token is required in the header Authorization, as "Bearer <token>"'],
  },
  forbidden: {
    reason: 'the token is valid but of the other kind',
    sentences: {
      program: ['This operation takes the token of a program'],
      affiliate: ['This operation takes the token of an affiliate'],
    },
  },
  referral_exists: {
    reason: 'the program has a referral with this e-mail already, whichever advocate brought it',
    sentences: [new ReferralExists().message],
  },
  body_too_large: {
    reason: 'the body is larger than 16 KiB',
    sentences: ['The body must not be larger than 16 KiB'],
  },
  unsupported_media_type: {
    reason: 'the content type is not JSON, or its charset not UTF-8',
    sentences: ['The Content-Type must be application/json in UTF-8'],
  },
  idempotency_key_reused: {
    reason: 'the `Idempotency-Key` was used with other fields before; nothing was written',
    sentences: ['Idempotency-Key was used with other fields before; use a new key for a new request'],
  },
  internal: {
    reason: 'the service failed; the answer says nothing of the cause',
    sentences: ['Something went wrong; the failure was recorded'],
  },
  unavailable: {
    reason:
      'the service could not finish in time: try again after `Retry-After`, a conversion with the same `Idempotency-Key`',
    headers: ['RetryAfter'],
    sentences: [new Unavailable().message],
  },
};

/** The words of `x-error-code`. */
export const ERROR_CODES = Object.keys(ERRORS);

/** The sentences that a route which takes this kind of token may answer with. */
export function sentencesOf(code: ErrorCode, token: Caller['kind']): readonly string[] {
  const { sentences } = ERRORS[code];
  return 'program' in sentences ? sentences[token] : sentences;
}
