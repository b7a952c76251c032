import type { Referral } from '../../domain/referral.ts';
import { type Item, required, text } from '../item.ts';
import { advocateState, emailKey, keyOf, referralKey } from '../keys.ts';
import { referralOf } from '../referral-item.ts';
import { type ReferralWriteName, referralWrites } from '../referrals.ts';
import { PARTITION_KEY } from '../schema.ts';
import type { Table } from '../table.ts';
import { type Condition, type FailedConditions, NOT_EXISTS } from '../writes.ts';
import { bulkTransact } from './bulk-writes.ts';

/** Keys in one BatchGetItem, at most. */
const BATCH = 100;
/** How often a referral that holds a claim is read until it is visible. */
const MAX_READS = 4;
/** Longest pause before it is read again, in milliseconds. */
const LONGEST_PAUSE = 100;

/** A referral to import. */
export interface ImportedReferral {
  readonly referral: Referral;
  /** True if the file gives its id. Otherwise a referral of the same customer that exists already is this one. */
  readonly hasOwnId: boolean;
}

/** The result of storing a referral. `known`: it exists already, in whatever state it is now. */
export type ReferralOutcome = 'created' | 'known' | 'id taken' | 'email taken' | 'uid taken';

/**
 * Stores many referrals from another system, each with the claims of its customer or not at all, and returns the result
 * for each. Reads only if a claim is taken. Throws `Unavailable`; then some of them are stored, and storing all of them
 * again completes the rest.
 */
export async function storeReferrals(
  table: Table,
  program: string,
  entries: readonly ImportedReferral[],
): Promise<ReferralOutcome[]> {
  const groups = entries.map(({ referral }) => referralWrites(program, referral, newOrOwnClick(program, referral)));
  const failedConditions = await bulkTransact(table, groups);
  const holderIds = entries.flatMap(({ hasOwnId }, index) => {
    const claim = hasOwnId ? undefined : failedConditions[index]?.get('customer');
    return claim ? [holderIdOf(claim)] : [];
  });
  const holders = await findHolders(table, program, holderIds);
  return entries.map((entry, index) => outcomeOf(program, entry, holders, failedConditions[index]));
}

function outcomeOf(
  program: string,
  { referral, hasOwnId }: ImportedReferral,
  holders: ReadonlyMap<string, Referral>,
  failedConditions: FailedConditions<ReferralWriteName> = new Map(),
): ReferralOutcome {
  const row = failedConditions.get('referral');
  if (row) return isSameOrErased(referral, referralOf(row)) ? 'known' : 'id taken';
  const claim = failedConditions.get('customer');
  if (!claim) return 'created';
  const holder = hasOwnId ? undefined : holders.get(holderIdOf(claim));
  if (holder && isSame(referral, holder)) return 'known';
  const isEmail =
    referral.email !== null && keyOf(claim)[PARTITION_KEY] === emailKey(program, referral.email)[PARTITION_KEY];
  return isEmail ? 'email taken' : 'uid taken';
}

/** The id of the referral that holds a claim. */
function holderIdOf(claim: Item): string {
  return required(claim, 'referral', text);
}

/**
 * The referrals with these ids, by id. While a transaction of another import is being committed, its claim may be visible
 * before its referral is, so a missing one is read again
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation).
 */
async function findHolders(
  table: Table,
  program: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Referral>> {
  const found = new Map<string, Referral>();
  let missing = [...new Set(ids)];
  for (let reads = 0; missing.length > 0 && reads < MAX_READS; reads += 1) {
    if (reads > 0) await table.backOff(LONGEST_PAUSE);
    for (let start = 0; start < missing.length; start += BATCH) {
      const keys = missing.slice(start, start + BATCH).map((id) => referralKey(program, id));
      const items = await table.batchGet(keys);
      for (const referral of items.flatMap((item) => (item ? [referralOf(item)] : []))) {
        found.set(referral.id, referral);
      }
    }
    missing = missing.filter((id) => !found.has(id));
  }
  return found;
}

/**
 * The condition of a referral that is new, or that a click of its advocate becomes: an export tells a click that converts
 * meanwhile twice, as the click and as the referral.
 */
function newOrOwnClick(program: string, referral: Referral): Condition {
  if (referral.convertedAt === null) return NOT_EXISTS;
  return {
    ConditionExpression: `${NOT_EXISTS.ConditionExpression} OR owner_state = :click`,
    ExpressionAttributeValues: { ':click': advocateState(program, referral.advocateSlug, 'clicked') },
  };
}

/** True if both belong to the same advocate and all that the file says about the customer is stored. */
function isSame(referral: Referral, stored: Referral): boolean {
  const agree = (given: string | null, kept: string | null) => given === null || given === kept;
  return (
    referral.advocateSlug === stored.advocateSlug &&
    agree(referral.email, stored.email) &&
    agree(referral.customerUid, stored.customerUid)
  );
}

/** The same for a referral that was found by its id, which stays when its person is erased. */
function isSameOrErased(referral: Referral, stored: Referral): boolean {
  const { convertedAt, email, customerUid } = stored;
  const isErased = convertedAt !== null && email === null && customerUid === null;
  return isSame(isErased ? { ...referral, email, customerUid } : referral, stored);
}
