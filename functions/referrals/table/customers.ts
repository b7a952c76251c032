import { type Item, optional, required } from '../../kernel/dynamodb/item.ts';
import { customerKey, emailKey, type Key, moneyKey, referralKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, get, type Table } from '../../kernel/dynamodb/table.ts';
import { AmbiguousCustomer, ReferralNotFound } from '../../kernel/errors.ts';
import { text } from '../../kernel/fields/parsers.ts';
import type { Brought } from '../rules/money.ts';
import type { Customer, CustomerReference, Referral } from '../rules/referral.ts';
import { parseBrought } from './money.ts';
import { parseReferral } from './referral-item.ts';

/** Returns the keys of the claims of a customer's email and uid, in this order. */
export function claimKeys(program: string, { email, uid }: Customer): Key[] {
  return [...(email === null ? [] : [emailKey(program, email)]), ...(uid === null ? [] : [customerKey(program, uid)])];
}

/** Returns the id of the referral that a claim belongs to. */
export function claimedId(claim: Item): string {
  return required(claim, 'referral', text);
}

/** Reads a referral; `undefined` if it does not exist. */
export async function findReferral(table: Table, program: string, id: string): Promise<Referral | undefined> {
  const item = await get(table, referralKey(program, id));
  return item && parseReferral(item);
}

/** Reads the id of the referral that a reference identifies. Throws `ReferralNotFound` or `AmbiguousCustomer`. */
export async function findReferralId(table: Table, program: string, reference: CustomerReference): Promise<string> {
  // The caller reads the referral, so an id alone costs no request.
  if (reference.id !== null && reference.email === null && reference.uid === null) return reference.id;
  return referredId(await batchGet(table, referenceKeys(program, reference)));
}

/**
 * Returns the keys of the items that identify the referral: the claims of the customer, and the referral with the id.
 */
export function referenceKeys(program: string, reference: CustomerReference): Key[] {
  return [...claimKeys(program, reference), ...(reference.id === null ? [] : [referralKey(program, reference.id)])];
}

/** Returns the id of the referral that all items belong to. Throws `ReferralNotFound` or `AmbiguousCustomer`. */
export function referredId(items: readonly (Item | undefined)[]): string {
  const ids = new Set(items.map((item) => item && (optional(item, 'referral', text) ?? parseReferral(item).id)));
  if (ids.size > 1) throw new AmbiguousCustomer();
  const [id] = ids;
  if (id === undefined) throw new ReferralNotFound();
  return id;
}

/** A referral, and what it has brought its advocate. */
export interface FoundReferral {
  readonly referral: Referral;
  readonly brought: Brought;
}

/**
 * Reads the referral that a reference identifies, with two requests. The claim is read with the cheaper, eventually
 * consistent read, which is enough if the referral confirms it. Throws `ReferralNotFound` or `AmbiguousCustomer`.
 */
export async function lookUpReferral(
  table: Table,
  program: string,
  reference: CustomerReference,
): Promise<FoundReferral> {
  const keys = claimKeys(program, reference);
  const [claim] = keys.length === 1 && reference.id === null ? await batchGet(table, keys, { consistent: false }) : [];
  const likely = claim && (await findWithMoney(table, program, claimedId(claim)));
  if (likely && isOf(likely.referral, reference)) return likely;
  const found = await findWithMoney(table, program, await findReferralId(table, program, reference));
  // The person may have been erased since the claim was read.
  if (!found || !isOf(found.referral, reference)) throw new ReferralNotFound();
  return found;
}

async function findWithMoney(table: Table, program: string, id: string): Promise<FoundReferral | undefined> {
  const [item, money] = await batchGet(table, [referralKey(program, id), moneyKey(program, id)]);
  const referral = item && parseReferral(item);
  return referral && { referral, brought: parseBrought(money, referral.advocateSlug) };
}

/** True if a referral has the email and the uid of a reference. */
export function isOf({ email, customerUid }: Referral, reference: CustomerReference): boolean {
  const isEmail = reference.email === null || reference.email === email;
  return isEmail && (reference.uid === null || reference.uid === customerUid);
}
