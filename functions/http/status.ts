import type { ErrorCode } from '../domain/errors.ts';

/** The HTTP status of each error code. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_json: 400,
  invalid_field: 400,
  invalid_affiliate_slug: 400,
  unauthorized: 401,
  forbidden: 403,
  referral_not_found: 404,
  referral_exists: 409,
  state_refused: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  internal: 500,
  unavailable: 503,
};
