import { createHash } from 'node:crypto';
import { InvalidField } from '../../kernel/errors.ts';
import { isEmpty } from '../../kernel/fields/field-list.ts';
import type { ReportedFields } from '../../referrals/rules/referral-fields.ts';

/**
 * Identifies the advocate who referred the customer: by slug, with the id of the visitor's click if the request has
 * one, or by the program's public key and the merchant's own id of the advocate. `isExplicit`: the slug is not only part of
 * the `gr_id`, so that it decides before any promotion code.
 */
export type Attribution =
  | { readonly slug: string; readonly clickId: string | null; readonly isExplicit?: boolean }
  | { readonly publicKey: string; readonly uid: string };

/** A conversion as a merchant reports it, in any version of the API. */
export interface Conversion {
  /** `null` if a promotion code is the only reference. */
  readonly attribution: Attribution | null;
  /** Present if the request has a promotion code: in upper case, `null` for a malformed one. */
  readonly promotion?: { readonly code: string | null };
  readonly reported: ReportedFields;
}

/** A request with an `Idempotency-Key`: it is carried out once, however often it is sent. */
export interface IdempotentRequest {
  readonly key: string;
  /** As `routeKey` returns it. Keys of different routes are independent. */
  readonly route: string;
}

/** Checks an `Idempotency-Key`: 1 to 255 printable ASCII characters. Throws `InvalidField`. */
export function parseIdempotencyKey(text: string): string {
  if (!/^[\x20-\x7e]{1,255}$/.test(text)) {
    throw new InvalidField('Idempotency-Key', 'must be 1 to 255 printable ASCII characters');
  }
  return text;
}

/** SHA-256 of a conversion after normalization, in hex: equal for requests with the same fields. */
export function conversionFingerprint({ attribution, promotion, reported }: Conversion): string {
  const advocate = attribution && referenceIn(attribution);
  const code = promotion?.code ?? null;
  const { email, customerUid, subId, ...others } = reported;
  // Each has its name, because values of different fields may be equal. A field that is not set changes nothing, so that
  // a retry still matches the record of a request that was sent before the service knew the field.
  const named = Object.entries(others).filter(([, value]) => !isEmpty(value));
  // A slug decides before a code, the slug in a `gr_id` may not.
  const isExplicit = attribution !== null && 'slug' in attribution && attribution.isExplicit;
  const promotionFields = code === null ? [] : [['code', code, isExplicit]];
  const fields = [email, customerUid, advocate, subId, ...named, ...promotionFields];
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex');
}

const referenceIn = (attribution: Attribution) =>
  'uid' in attribution
    ? ['uid', attribution.publicKey, attribution.uid]
    : ['click', attribution.slug, attribution.clickId];
