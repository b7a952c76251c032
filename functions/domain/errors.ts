/**
 * Every way in which the service refuses or fails a request: the stable machine words of the header `x-error-code`.
 * The HTTP status of each stands in one place, `http/errors.ts`.
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

/** An answer other than success. The message is a sentence for the caller: it never repeats a value. */
export class ServiceError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceError';
    this.code = code;
  }
}

/** A field, parameter or header of the request that is not of its form. */
export class InvalidField extends ServiceError {
  /** `problem` continues the sentence that begins with the field's name. */
  constructor(field: string, problem: string) {
    super('invalid_field', `${field} ${problem}`);
  }
}

/** A cursor that the list, its filters and its owner did not give. */
export class InvalidCursor extends InvalidField {
  constructor() {
    super('cursor', 'is not one that this list gave with these filters');
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
    super(
      'idempotency_key_reused',
      'Idempotency-Key was used with other fields before; use a new key for a new request',
    );
  }
}

/** The affiliate is unknown, of another program or deactivated: which of them is not told. */
export class InvalidAffiliate extends ServiceError {
  constructor() {
    super('invalid_affiliate_slug', 'Invalid affiliate slug');
  }
}

/** The program has a referral with this e-mail already, whichever advocate brought it. */
export class ReferralExists extends ServiceError {
  constructor() {
    super('referral_exists', 'Referral already exists');
  }
}

/** The program has no referral with this e-mail or uid. */
export class ReferralNotFound extends ServiceError {
  constructor() {
    super('referral_not_found', 'Referral not found');
  }
}

/** The state cannot follow the one that the referral has. */
export class StateRefused extends ServiceError {
  /** `present` is the referral's state, no value of the request. */
  constructor(present: string) {
    super('state_refused', `The referral is ${present}: this state cannot follow`);
  }
}

/** A generated id is taken already: chance, or the caller's random numbers, failed. Nothing was written. */
export class IdTaken extends Error {}

/** An advocate, or the claim of its uid, is not there. */
export class AdvocateNotFound extends Error {}

/** A program that was to be removed holds an item that is not part of it as a throw-away program. Nothing was removed. */
export class NotThrowAway extends Error {}

/** The table did not respond in time, throttled or failed: the caller may try again. Nothing is known to be half-written. */
export class Unavailable extends ServiceError {
  /** DynamoDB's name for the failure; `undefined` if DynamoDB did not respond. */
  readonly reason: string | undefined;

  /** `cause` is for the log, which shows its name only. */
  constructor(cause?: unknown, reason?: string) {
    super('unavailable', 'The service is busy; try again later', { cause });
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
