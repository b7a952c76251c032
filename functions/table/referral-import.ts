import type { Referral } from '../domain/referral.ts';
import type { Milliseconds } from '../domain/time.ts';
import { ABSENT } from './conditions.ts';
import { transactGroups } from './groups.ts';
import { emailKey, keyOf } from './keys.ts';
import { referralOf } from './referral-item.ts';
import { type ReferralWriteName, referralWrites } from './referrals.ts';
import { PARTITION_KEY } from './schema.ts';
import type { Table } from './table.ts';
import type { Refusals } from './transaction.ts';

/** What became of a referral that was to be stored. `known`: it is there already, in whatever state it is now. */
export type ReferralOutcome = 'created' | 'known' | 'id taken' | 'email taken' | 'uid taken';

/**
 * Stores many referrals that came about elsewhere: each with the claims of its customer, or not at all. Returns what
 * became of each. Throws `Unavailable`; then some of them are stored, and storing them all again completes the rest.
 */
export async function storeReferrals(
  table: Table,
  program: string,
  referrals: readonly Referral[],
  deadline: Milliseconds,
): Promise<ReferralOutcome[]> {
  const groups = referrals.map((referral) => referralWrites(table.name, program, referral, ABSENT));
  const refusals = await transactGroups(table, groups, deadline);
  return referrals.map((referral, index) => outcomeOf(program, referral, refusals[index]));
}

function outcomeOf(
  program: string,
  referral: Referral,
  refusals: Refusals<ReferralWriteName> = new Map(),
): ReferralOutcome {
  const row = refusals.get('referral');
  if (row) return isSame(referral, referralOf(row)) ? 'known' : 'id taken';
  const claim = refusals.get('customer');
  if (!claim) return 'created';
  const isEmail =
    referral.email !== null &&
    keyOf(claim)[PARTITION_KEY] === emailKey(program, referral.email)[PARTITION_KEY];
  return isEmail ? 'email taken' : 'uid taken';
}

/** True where the stored referral can be the one to store: a click may have converted since, a person may be erased. */
function isSame(referral: Referral, stored: Referral): boolean {
  const agree = (one: string | null, other: string | null) => one === null || other === null || one === other;
  return (
    referral.advocateSlug === stored.advocateSlug &&
    agree(referral.email, stored.email) &&
    agree(referral.customerUid, stored.customerUid)
  );
}
