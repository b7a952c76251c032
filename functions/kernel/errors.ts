/** The values of the header `x-error-code`. `functions/kernel/http` maps them to a status. */
export type ErrorCode =
  | 'not_through_edge'
  | 'unauthorized'
  | 'forbidden'
  | 'missing_scope'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'invalid_json'
  | 'invalid_field'
  | 'invalid_signature'
  | 'invalid_affiliate_slug'
  | 'invalid_code'
  | 'referral_exists'
  | 'range_too_large'
  | 'referral_not_found'
  | 'advocate_not_found'
  | 'state_refused'
  | 'not_converted'
  | 'uid_taken'
  | 'slug_taken'
  | 'advocate_erased'
  | 'too_many_groups'
  | 'code_taken'
  | 'promotion_code_taken'
  | 'too_many_codes'
  | 'rules_not_found'
  | 'logo_not_found'
  | 'too_many_tokens'
  | 'token_not_found'
  | 'sign_in_required'
  | 'sign_in_too_old'
  | 'invalid_link'
  | 'member_not_found'
  | 'member_exists'
  | 'too_many_members'
  | 'last_admin'
  | 'applications_closed'
  | 'application_not_found'
  | 'application_decided'
  | 'too_many_applications'
  | 'webhook_not_found'
  | 'event_not_found'
  | 'too_many_webhooks'
  | 'webhook_disabled'
  | 'payment_not_found'
  | 'payout_run_not_found'
  | 'payment_exists'
  | 'refund_exists'
  | 'adjustment_exists'
  | 'settlement_exists'
  | 'balance_changed'
  | 'void_exists'
  | 'payment_at_stripe'
  | 'idempotency_key_reused'
  | 'unavailable'
  | 'internal';

/** An error that callers see. The message says what is wrong and what to do, without any value of the request. */
export class ServiceError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceError';
    this.code = code;
  }
}

/** A field, parameter or header is missing or not valid. */
export class InvalidField extends ServiceError {
  /** `field` is the name in the API; `problem` completes the sentence, such as "is required". */
  constructor(field: string, problem: string) {
    super('invalid_field', `${field} ${problem}`);
  }
}

/** The cursor is malformed, or was issued for another list, other filters or another owner. */
export class InvalidCursor extends InvalidField {
  constructor() {
    super('cursor', 'is not valid for this list and these filters: request the first page again');
  }
}

/** A page number skips more rows than one request may count. */
export class PageTooDeep extends InvalidField {
  constructor(rows: number) {
    super('page', `must not skip more than ${rows.toLocaleString('en-US')} rows: follow the Link header instead`);
  }
}

/** The calling token was revoked a moment ago, while it was still remembered. */
export class TokenRevoked extends ServiceError {
  constructor() {
    super('unauthorized', 'The token is revoked or expired: use another one');
  }
}

/** The token is valid for the program, but its scopes do not allow the operation. */
export class MissingScope extends ServiceError {
  constructor(scope: string) {
    super('missing_scope', `The token lacks the scope ${scope}: use a token that has it`);
  }
}

/** No program has the public key. */
export class UnknownPublicKey extends InvalidField {
  constructor() {
    super('pk', 'must be the public key of a program');
  }
}

/** Email, uid and id belong to different referrals, or only some of them are known. */
export class AmbiguousCustomer extends InvalidField {
  constructor() {
    super('email, uid and id', 'must belong to the same referral');
  }
}

/** The `Idempotency-Key` belongs to an earlier request with other fields. */
export class IdempotencyKeyReused extends ServiceError {
  constructor() {
    super('idempotency_key_reused', 'Idempotency-Key was already used with a different request');
  }
}

/** The affiliate is unknown, belongs to another program or is deactivated. The response does not reveal which. */
export class InvalidAffiliate extends ServiceError {
  constructor() {
    super('invalid_affiliate_slug', 'Invalid affiliate slug');
  }
}

/** The promotion code is unknown, malformed or inactive, and the only reference. The response does not reveal which. */
export class InvalidCode extends ServiceError {
  constructor() {
    super('invalid_code', 'Invalid promotion code');
  }
}

/** The program already has a referral of this customer, whichever advocate referred it. */
export class ReferralExists extends ServiceError {
  constructor() {
    super('referral_exists', 'Referral already exists');
  }
}

/** The program has no referral of this customer. */
export class ReferralNotFound extends ServiceError {
  constructor() {
    super('referral_not_found', 'Referral not found');
  }
}

/** The program has no advocate with this slug. */
export class AdvocateNotFound extends ServiceError {
  constructor() {
    super('advocate_not_found', 'Advocate not found');
  }
}

/** Another advocate of the program has the slug. Nothing was written. */
export class SlugTaken extends ServiceError {
  constructor() {
    super('slug_taken', 'slug is already in use. Choose another slug.');
  }
}

/** Another advocate of the program has the uid. Nothing was written. */
export class UidTaken extends ServiceError {
  constructor() {
    super('uid_taken', 'uid is already in use. If you are retrying, the first request succeeded.');
  }
}

/** The program has as many groups as it may have. Nothing was written. */
export class TooManyGroups extends ServiceError {
  constructor() {
    super('too_many_groups', 'The program has 50 groups. Change one of them.');
  }
}

/** Neither the program nor a group has ever had the rules. */
export class RulesNotFound extends ServiceError {
  constructor() {
    super('rules_not_found', 'Commission rules not found');
  }
}

/** No program has the public key, or its program has no logo. The response does not reveal which. */
export class LogoNotFound extends ServiceError {
  constructor() {
    super('logo_not_found', 'Logo not found');
  }
}

/** The person who was the advocate is erased. Nothing was written. */
export class AdvocateErased extends ServiceError {
  constructor() {
    super('advocate_erased', 'The advocate was erased. Create a new advocate.');
  }
}

/** The program has no program token with this id. */
export class TokenNotFound extends ServiceError {
  constructor() {
    super('token_not_found', 'Token not found');
  }
}

/** The program has as many live program tokens as it may have. Nothing was written. */
export class TooManyTokens extends ServiceError {
  constructor() {
    super('too_many_tokens', 'The program has 1,000 tokens. Revoke unused tokens.');
  }
}

/** The sentence about a payment of a click. */
export const STILL_CLICK = 'The referral is still a click. Report its conversion first.';

/** The referral never converted, so it belongs to the advocate whose link was followed. Nothing was written. */
export class NotConverted extends ServiceError {
  constructor(sentence = 'A click cannot be reassigned') {
    super('not_converted', sentence);
  }
}

/** A count would have to read more rows than one request may. */
export class RangeTooLarge extends ServiceError {
  constructor(rows: number) {
    super(
      'range_too_large',
      `There are more than ${rows.toLocaleString('en-US')} referrals and clicks: narrow created_at_gt and created_at_lt, or leave clicks out with clicks=false`,
    );
  }
}

/** The statistics of all advocates would have to read more sums than one request may. */
export class TooManySums extends ServiceError {
  constructor(sums: number) {
    super(
      'range_too_large',
      `There are more than ${sums.toLocaleString('en-US')} months of advocates: narrow from and to, or list advocates in slugs`,
    );
  }
}

/** The requested state cannot follow the current state. `allowed` lists the states that can. */
export class StateRefused extends ServiceError {
  constructor(current: string, allowed: readonly string[]) {
    const alternatives = allowed.length === 0 ? '' : ` to the requested state; allowed: ${allowed.join(', ')}`;
    // A click can be rejected, but a merchant who reports its payment has forgotten its conversion.
    const isClick = current === 'clicked';
    super('state_refused', isClick ? STILL_CLICK : `Cannot change state from ${current}${alternatives}`);
  }
}

/** A generated id already exists, which only a broken source of randomness can cause. Nothing was written. */
export class IdTaken extends Error {}
/** No program has the id. */
export class ProgramNotFound extends Error {}

/** The reason of `Unavailable` if other writes changed the same items again and again. */
export const CONFLICT = 'TransactionConflict';

/** The table did not respond in time, throttled or failed. A write may have been carried out, but never in part. */
export class Unavailable extends ServiceError {
  /**
   * DynamoDB's name for the failure, `CONFLICT` or `SUSPENDED`; `undefined` if DynamoDB did not respond. In the local
   * service, also the sentence about a secret that cannot be read.
   */
  readonly reason: string | undefined;

  /** Only the name of `cause` is logged. */
  constructor(cause?: unknown, reason?: string) {
    super('unavailable', 'The service is busy: try again later', { cause });
    this.reason = reason;
  }
}

/** A service of AWS refused a request, because of a mistake in the code or in the permissions. */
export class RequestRefused extends Error {
  /** The service's name for the refusal; `undefined` if the response did not come from it. */
  readonly reason: string | undefined;

  constructor(cause: Error, reason: string | undefined) {
    super('A service of AWS refused the request.', { cause });
    // The log contains the names of errors, but not their messages.
    this.name = cause.name;
    this.reason = reason;
  }
}

/** The table does not exist. */
export class TableMissing extends RequestRefused {
  constructor(cause: Error) {
    super(cause, cause.name);
  }
}
