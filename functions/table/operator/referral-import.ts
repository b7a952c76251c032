import type { Referral } from '../../domain/referral.ts';
import { type Condition, NOT_EXISTS } from '../conditions.ts';
import { advocateState, emailKey, keyOf, referralKey } from '../keys.ts';
import { referralOf } from '../referral-item.ts';
import { claimedId, type ReferralWriteName, referralWrites } from '../referrals.ts';
import { PARTITION_KEY } from '../schema.ts';
import type { Table } from '../table.ts';
import type { FailedConditions } from '../writes.ts';
import { bulkTransact } from './bulk-writes.ts';

/** Reads of a referral that holds a claim until it is visible, and the longest pause between them in milliseconds. */
const MAX_READS = 4;
const LONGEST_PAUSE = 100;

/** A referral to import. */
export interface ImportedReferral {
  readonly referral: Referral;
  /** True if the file gives its id. Otherwise it is the same as an existing referral of the same customer. */
  readonly hasOwnId: boolean;
}

/** The result of storing a referral. `known`: it already exists, in any state. */
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
  const failed = await bulkTransact(table, groups);
  const holderIds = entries.flatMap(({ hasOwnId }, index) => {
    const claim = hasOwnId ? undefined : failed[index]?.get('customer');
    return claim ? [claimedId(claim)] : [];
  });
  const holders = await findHolders(table, program, new Set(holderIds));
  return entries.map((entry, index) => outcomeOf(program, entry, holders, failed[index]));
}

function outcomeOf(
  program: string,
  { referral, hasOwnId }: ImportedReferral,
  holders: ReadonlyMap<string, Referral>,
  failed: FailedConditions<ReferralWriteName> = new Map(),
): ReferralOutcome {
  const row = failed.get('referral');
  if (row) return isSameOrErased(referral, referralOf(row)) ? 'known' : 'id taken';
  const claim = failed.get('customer');
  if (!claim) return 'created';
  const holder = hasOwnId ? undefined : holders.get(claimedId(claim));
  if (holder && isSame(referral, holder)) return 'known';
  const isEmail =
    referral.email !== null && keyOf(claim)[PARTITION_KEY] === emailKey(program, referral.email)[PARTITION_KEY];
  return isEmail ? 'email taken' : 'uid taken';
}

/**
 * Reads the referrals with these ids, by id. While a transaction of another import is being committed, its claim may be
 * visible before its referral, so a missing one is read again
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-isolation).
 */
async function findHolders(
  table: Table,
  program: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Referral>> {
  const found = new Map<string, Referral>();
  for (let reads = 0; found.size < ids.size && reads < MAX_READS; reads += 1) {
    if (reads > 0) await table.backOff(LONGEST_PAUSE);
    const missing = [...ids].filter((id) => !found.has(id));
    const items = await table.batchGet(missing.map((id) => referralKey(program, id)));
    for (const referral of items.filter((item) => item !== undefined).map(referralOf)) found.set(referral.id, referral);
  }
  return found;
}

/**
 * The condition that a referral is new, or that a click of its advocate becomes it: an export contains a click that
 * converts meanwhile twice, as the click and as the referral.
 */
function newOrOwnClick(program: string, referral: Referral): Condition {
  if (referral.convertedAt === null) return NOT_EXISTS;
  return {
    ConditionExpression: `${NOT_EXISTS.ConditionExpression} OR owner_state = :click`,
    ExpressionAttributeValues: { ':click': advocateState(program, referral.advocateSlug, 'clicked') },
  };
}

/** True if both belong to the same advocate and the stored referral has the email and the uid of the file. */
function isSame(referral: Referral, stored: Referral): boolean {
  const agree = (given: string | null, kept: string | null) => given === null || given === kept;
  return (
    referral.advocateSlug === stored.advocateSlug &&
    agree(referral.email, stored.email) &&
    agree(referral.customerUid, stored.customerUid)
  );
}

/** The same for a referral that was found by its id: its person may have been erased. */
function isSameOrErased(referral: Referral, stored: Referral): boolean {
  const { convertedAt, email, customerUid } = stored;
  const isErased = convertedAt !== null && email === null && customerUid === null;
  return isSame(isErased ? { ...referral, email, customerUid } : referral, stored);
}
