import { createHash } from 'node:crypto';
import { InvalidField } from './errors.ts';
import type { Customer } from './referral.ts';

/**
 * Who brought the customer: an advocate by its slug, with the visitor's click where one is known, or a program's
 * advocate by the merchant's own id of it.
 */
export type Attribution =
  | { readonly slug: string; readonly clickId: string | null }
  | { readonly publicKey: string; readonly uid: string };

/** A conversion as a merchant reports it, whichever version of the interface it came by. */
export interface Conversion {
  readonly customer: Customer;
  readonly attribution: Attribution;
  readonly subId: string | null;
}

/** A request that may be sent again without being carried out again. */
export interface IdempotentRequest {
  /** The caller's `Idempotency-Key`. */
  readonly key: string;
  /** The route, which has a name space of keys of its own. */
  readonly route: string;
}

/** Checks an `Idempotency-Key`: 1 to 255 printable ASCII characters. Throws `InvalidField`. */
export function parseIdempotencyKey(text: string): string {
  if (!/^[\x20-\x7e]{1,255}$/.test(text)) {
    throw new InvalidField('Idempotency-Key', 'must be 1 to 255 printable ASCII characters');
  }
  return text;
}

/** SHA-256 in hex of what a conversion says after normalisation: the same for requests with the same fields. */
export function conversionFingerprint({ customer, attribution, subId }: Conversion): string {
  const who =
    'uid' in attribution
      ? ['uid', attribution.publicKey, attribution.uid]
      : ['click', attribution.slug, attribution.clickId];
  return createHash('sha256')
    .update(JSON.stringify([customer.email, customer.uid, who, subId]))
    .digest('hex');
}
