import { MAX_UID, parseEmail, parseText } from '../domain/fields.ts';
import type { Customer } from '../domain/referral.ts';

/** Reads of whom a V2 body speaks: the schema has seen to it that at least one is there. Throws `InvalidField`. */
export function customerOf({ email, uid }: { readonly email?: string; readonly uid?: string }): Customer {
  return {
    email: email === undefined ? null : parseEmail('email', email),
    uid: uid === undefined ? null : parseText('uid', uid, MAX_UID),
  };
}
