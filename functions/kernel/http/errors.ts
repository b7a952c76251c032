import { type ErrorCode, ServiceError } from '../errors.ts';
import type { HttpEvent, Middleware } from './context.ts';
import { json } from './response.ts';

/** The HTTP status of each error code. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  invalid_json: 400,
  invalid_field: 400,
  invalid_signature: 400,
  invalid_affiliate_slug: 400,
  invalid_code: 400,
  invalid_link: 400,
  range_too_large: 400,
  unauthorized: 401,
  forbidden: 403,
  not_through_edge: 403,
  missing_scope: 403,
  sign_in_required: 403,
  sign_in_too_old: 403,
  applications_closed: 403,
  referral_not_found: 404,
  advocate_not_found: 404,
  token_not_found: 404,
  member_not_found: 404,
  application_not_found: 404,
  webhook_not_found: 404,
  event_not_found: 404,
  payment_not_found: 404,
  payout_run_not_found: 404,
  rules_not_found: 404,
  logo_not_found: 404,
  method_not_allowed: 405,
  referral_exists: 409,
  state_refused: 409,
  not_converted: 409,
  advocate_erased: 409,
  uid_taken: 409,
  slug_taken: 409,
  too_many_tokens: 409,
  member_exists: 409,
  too_many_members: 409,
  last_admin: 409,
  application_decided: 409,
  too_many_webhooks: 409,
  too_many_groups: 409,
  code_taken: 409,
  promotion_code_taken: 409,
  too_many_codes: 409,
  webhook_disabled: 409,
  payment_exists: 409,
  refund_exists: 409,
  adjustment_exists: 409,
  settlement_exists: 409,
  balance_changed: 409,
  void_exists: 409,
  payment_at_stripe: 409,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  too_many_applications: 429,
  internal: 500,
  unavailable: 503,
};

/** Additional headers of an error. `Retry-After` is in whole seconds (RFC 9110 section 10.2.3). */
export const ERROR_HEADERS: Readonly<Partial<Record<ErrorCode, Record<string, string>>>> = {
  unauthorized: { 'www-authenticate': 'Bearer' },
  method_not_allowed: { allow: 'POST' },
  unavailable: { 'retry-after': '1' },
  too_many_applications: { 'retry-after': '3600' },
};

/** The sentence of `internal`. */
export const INTERNAL = 'The service failed: try again, and report the x-request-id if it fails again';

/** Maps every error to a response `{"error": "<sentence>"}`. Unexpected errors become a 500 without their cause. */
export function errorsToHttp(): Middleware {
  return {
    onError: async (request) => {
      const cause = request.error;
      const error = cause instanceof ServiceError ? cause : new ServiceError('internal', INTERNAL, { cause });
      const { code, message } = error;
      if (STATUS[code] >= 500) logFailure(request.event, error);
      request.response = errorResponse(code, message);
    },
  };
}

/** Returns the response of an error, without the headers that all responses of a route have. */
export function errorResponse(code: ErrorCode, message: string) {
  return json(STATUS[code], { error: message }, { 'x-error-code': code, ...ERROR_HEADERS[code] });
}

/**
 * Logs a 5xx: request id, route, names of the errors and stack frames. Error messages are left out, because they may
 * contain personal data (docs/contract.md, Privacy).
 *
 * Lambda's JSON log format puts the object under `message` and adds `timestamp`, `level` and `requestId`
 * (https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html). A logging library would add 35 KB to each bundle.
 */
function logFailure(event: HttpEvent, error: ServiceError): void {
  const cause = error.cause instanceof Error ? error.cause : undefined;
  console.error({
    error: error.code,
    requestId: event.requestContext.requestId,
    route: event.routeKey,
    cause: cause && 'code' in cause ? String(cause.code) : cause?.name,
    thrownAt: cause?.stack?.split('\n').filter((line) => /^\s+at /.test(line)),
  });
}
