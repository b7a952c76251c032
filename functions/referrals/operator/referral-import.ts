import { NOT_EXISTS, notExistsOrSame } from '../../kernel/dynamodb/conditions.ts';
import {
  advocateState,
  emailKey,
  keyOf,
  referralKey,
  stripeCustomerKey,
  stripeCustomerName,
} from '../../kernel/dynamodb/keys.ts';
import { PARTITION_KEY } from '../../kernel/dynamodb/schema.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { type EvaluableCondition, type FailedConditions, putWrite } from '../../kernel/dynamodb/writes.ts';
import { type BulkStore, bulkStoreOf, type Group } from '../../kernel/operator/bulk-writes.ts';
import { contradicts, type ReferralRecord } from '../rules/imported-referral.ts';
import { addProviderCustomer } from '../rules/provider-changes.ts';
import { isErased, type Referral } from '../rules/referral.ts';
import { claimedId } from '../table/customers.ts';
import { parseReferral } from '../table/referral-item.ts';
import { type ReferralWriteName, referralWrites } from '../table/referrals.ts';
import { addProviderCustomers } from './provider-customers.ts';

/** Attempts to read the referral of a claim until it is visible, and the maximum pause between them in milliseconds. */
const MAX_READS = 4;
const LONGEST_PAUSE = 100;

/** A referral to import. */
export interface ImportedReferral {
  readonly referral: Referral;
  /** True if the import file contains the id. Otherwise, an existing referral of the customer counts as this one. */
  readonly hasId: boolean;
  /** The line of a file that the referral comes from. */
  readonly record?: ReferralRecord;
}

/**
 * The result of storing a referral. `known`: it already exists, in any state. `contradicted`: it already exists, and an
 * earlier line or import of the same customer says something else, which stays.
 */
export type ReferralOutcome =
  | 'created'
  | 'known'
  | 'contradicted'
  | 'id taken'
  | 'email taken'
  | 'uid taken'
  | 'stripe customer taken';

type WriteName = ReferralWriteName | 'stripe customer';

/**
 * Stores many referrals, each in one transaction with the claims of its customer, and returns the result for each. A
 * known referral gets new customers at Stripe, and does not change otherwise. Reads only if a claim is taken.
 * Throws `Unavailable`; then only some referrals are stored, and the import can safely be repeated. With a
 * `DryRunStore` as `store`, nothing is written.
 */
export async function storeReferrals(
  table: Table,
  program: string,
  entries: readonly ImportedReferral[],
  store = bulkStoreOf(table),
): Promise<ReferralOutcome[]> {
  const failed = await store.write(entries.map((entry) => writesOf(program, entry)));
  const holderIds = entries.flatMap(({ hasId }, index) => {
    const claim = hasId ? undefined : failed[index]?.get('customer');
    return claim ? [claimedId(claim)] : [];
  });
  const holders = await findHolders(table, store, program, new Set(holderIds));
  const results = entries.map((entry, index) => resultOf(program, entry, holders, failed[index]));
  const newCustomers = entries.flatMap(({ record }, index) => {
    const result = results[index];
    const name = claimName(record);
    if (name === null || typeof result !== 'object') return [];
    const claim = failed[index]?.get('stripe customer');
    const isClaimed = claim !== undefined && claimedId(claim) === result.known.id;
    return isClaimed ? [] : [{ line: index, referral: result.known.id, name }];
  });
  const refused = await addProviderCustomers(table, store, program, newCustomers);
  return results.map((result, index) => {
    if (typeof result === 'string') return result;
    if (refused.get(index) === 'taken') return 'stripe customer taken';
    const record = entries[index]?.record;
    return refused.has(index) || (record && contradicts(record, result.known)) ? 'contradicted' : 'known';
  });
}

/** The name of the claim of the customer at Stripe; `null` if the line contains none. */
function claimName(record: ReferralRecord | undefined): string | null {
  const id = record?.stripeCustomer ?? null;
  return id === null ? null : stripeCustomerName(id);
}

/** Builds the writes that store a referral and the claims of its customer, if it is new or replaces a click. */
function writesOf(program: string, { referral, record }: ImportedReferral): Group<WriteName> {
  const condition = newOrFromClick(program, referral);
  const name = claimName(record);
  if (name === null) return referralWrites(program, referral, condition);
  const claim = { ...stripeCustomerKey(program, name), referral: referral.id };
  const writes = referralWrites(program, addProviderCustomer(referral, name), condition);
  return [putWrite('stripe customer', claim, NOT_EXISTS), ...writes];
}

/** The outcome for a referral, or the stored referral that it is. */
function resultOf(
  program: string,
  { referral, hasId }: ImportedReferral,
  holders: ReadonlyMap<string, Referral>,
  failed: FailedConditions<WriteName> = new Map(),
): Exclude<ReferralOutcome, 'known' | 'contradicted'> | { readonly known: Referral } {
  const row = failed.get('referral');
  if (row) {
    const stored = parseReferral(row);
    return isSameOrErased(referral, stored) ? { known: stored } : 'id taken';
  }
  const claim = failed.get('customer');
  if (!claim) return failed.has('stripe customer') ? 'stripe customer taken' : 'created';
  const holder = hasId ? undefined : holders.get(claimedId(claim));
  if (holder && isSame(referral, holder)) return { known: holder };
  const isEmail =
    referral.email !== null && keyOf(claim)[PARTITION_KEY] === emailKey(program, referral.email)[PARTITION_KEY];
  return isEmail ? 'email taken' : 'uid taken';
}

/**
 * Reads the referrals with these ids. While a transaction of another import is being committed, its claim may be
 * visible before its referral, so missing referrals are read again
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation).
 */
async function findHolders(
  table: Table,
  store: BulkStore,
  program: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Referral>> {
  const found = new Map<string, Referral>();
  for (let reads = 0; found.size < ids.size && reads < MAX_READS; reads += 1) {
    if (reads > 0) await table.backOff(LONGEST_PAUSE);
    const missing = [...ids].filter((id) => !found.has(id));
    const items = await store.read(missing.map((id) => referralKey(program, id)));
    for (const referral of items.filter((item) => item !== undefined).map(parseReferral))
      found.set(referral.id, referral);
  }
  return found;
}

/**
 * The condition that a referral is new, or replaces an unconverted click of its advocate: a click that converted during
 * an export is in the file twice, as a click and as a referral.
 */
function newOrFromClick(program: string, referral: Referral): EvaluableCondition {
  if (referral.convertedAt === null) return NOT_EXISTS;
  return notExistsOrSame('owner_state', advocateState(program, referral.advocateSlug, 'clicked'));
}

/** True if both have the same advocate, and the stored referral has the email and the uid that the file contains. */
function isSame(referral: Referral, stored: Referral): boolean {
  const agree = (given: string | null, kept: string | null) => given === null || given === kept;
  return (
    referral.advocateSlug === stored.advocateSlug &&
    agree(referral.email, stored.email) &&
    agree(referral.customerUid, stored.customerUid)
  );
}

/** Compares referrals with the same id. The person of the stored one may have been erased. */
function isSameOrErased(referral: Referral, stored: Referral): boolean {
  return isSame(isErased(stored) ? { ...referral, email: null, customerUid: null } : referral, stored);
}
