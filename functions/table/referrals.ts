import { InvalidField, ReferralNotFound } from '../domain/errors.ts';
import type { Customer, Referral } from '../domain/referral.ts';
import { required, text } from './item.ts';
import { customerKey, emailKey, type Key, referralKey } from './keys.ts';
import { referralItem, referralOf } from './referral-item.ts';
import type { Table } from './table.ts';
import { type Condition, type LabelledPut, NOT_EXISTS, putWrite } from './writes.ts';

/** Names of the writes that store a referral: the referral itself, and the claims of its customer. */
export type ReferralWriteName = 'referral' | 'customer';

/**
 * The writes that store a referral together: its row, under a condition, and the claims of its customer's e-mail and
 * uid, which no other referral may have.
 */
export function referralWrites(
  program: string,
  referral: Referral,
  condition: Condition,
): LabelledPut<ReferralWriteName>[] {
  const claims = claimKeys(program, { email: referral.email, uid: referral.customerUid }).map((key) =>
    putWrite('customer', { ...key, referral: referral.id }, NOT_EXISTS),
  );
  return [...claims, putWrite('referral', referralItem(program, referral), condition)];
}

/** Keys of the claims of a customer's e-mail and uid, in this order. */
export function claimKeys(program: string, { email, uid }: Customer): Key[] {
  return [...(email === null ? [] : [emailKey(program, email)]), ...(uid === null ? [] : [customerKey(program, uid)])];
}

/** The referral with this id, or `undefined` where there is none. */
export async function findReferral(table: Table, program: string, id: string): Promise<Referral | undefined> {
  const item = await table.get(referralKey(program, id));
  return item && referralOf(item);
}

/**
 * The id of the referral of a customer. Throws `ReferralNotFound`, or `InvalidField` where e-mail and uid are not those
 * of one referral.
 */
export async function findReferralId(table: Table, program: string, customer: Customer): Promise<string> {
  const claims = await table.batchGet(claimKeys(program, customer));
  const ids = new Set(claims.map((claim) => claim && required(claim, 'referral', text)));
  if (ids.size > 1) throw new InvalidField('email and uid', 'must be those of one referral');
  const [id] = ids;
  if (id === undefined) throw new ReferralNotFound();
  return id;
}
