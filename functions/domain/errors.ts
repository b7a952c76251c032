/**
 * All errors of the service: the machine-readable codes of the header `x-error-code`. `functions/http` maps them to a
 * status.
 */
export type ErrorCode =
  | 'unauthorized'
  | 'forbidden'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'invalid_json'
  | 'invalid_field'
  | 'invalid_affiliate_slug'
  | 'referral_exists'
  | 'referral_not_found'
  | 'state_refused'
  | 'idempotency_key_reused'
  | 'unavailable'
  | 'internal';

/** An error for the caller. The message is a sentence that never repeats a value of the request. */
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
  /** `problem` continues the sentence that begins with the field's name in the API. */
  constructor(field: string, problem: string) {
    super('invalid_field', `${field} ${problem}`);
  }
}

/** A cursor that was not issued for this list, these filters and this owner. */
export class InvalidCursor extends InvalidField {
  constructor() {
    super('cursor', 'is not valid for this list and these filters: request the first page again');
  }
}

/** A public key that no program has. */
export class UnknownPublicKey extends InvalidField {
  constructor() {
    super('pk', 'must be the public key of a program');
  }
}

/** An email and a uid that belong to different referrals. */
export class AmbiguousCustomer extends InvalidField {
  constructor() {
    super('email and uid', 'must belong to the same referral');
  }
}

/** The `Idempotency-Key` belongs to an earlier request with other fields. */
export class IdempotencyKeyReused extends ServiceError {
  constructor() {
    super('idempotency_key_reused', 'Idempotency-Key was used with other fields: use a new key for a new request');
  }
}

/** The affiliate is unknown, belongs to another program or is deactivated: the caller does not learn which. */
export class InvalidAffiliate extends ServiceError {
  constructor() {
    super('invalid_affiliate_slug', 'Invalid affiliate slug');
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

/** The new state cannot follow the referral's present one. */
export class StateRefused extends ServiceError {
  constructor(present: string, possible: readonly string[]) {
    const advice = possible.length === 0 ? 'its state is final' : `only ${possible.join(' or ')} can follow`;
    super('state_refused', `A ${present} referral cannot get this state: ${advice}`);
  }
}

/** A generated id is already taken, because the random numbers were not random. Nothing was written. */
export class IdTaken extends Error {}

/** An advocate, or the claim of its uid, does not exist. */
export class AdvocateNotFound extends Error {}

/** A program to remove contains an item that is not part of a throw-away program. Nothing was removed. */
export class NotThrowAway extends Error {}

/** The table did not respond in time, throttled or failed. The caller may try again: nothing is half-written. */
export class Unavailable extends ServiceError {
  /** DynamoDB's name for the failure; `undefined` if DynamoDB did not respond. */
  readonly reason: string | undefined;

  /** `cause` is for the log, which shows its name only. */
  constructor(cause?: unknown, reason?: string) {
    super('unavailable', 'The service is busy: try again later', { cause });
    this.reason = reason;
  }
}

/** DynamoDB refused a request: a mistake in the code or in the permissions. */
export class RequestRefused extends Error {
  /** DynamoDB's name for the refusal; `undefined` if the response did not come from DynamoDB. */
  readonly reason: string | undefined;

  constructor(cause: Error, reason: string | undefined) {
    super('DynamoDB refused the request.', { cause });
    // The log shows the names of errors only.
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
