import type { Referral } from '../domain/referral.ts';
import type { Milliseconds } from '../domain/time.ts';
import { ABSENT, type Condition } from './conditions.ts';
import { transactGroups } from './groups.ts';
import { advocateState, emailKey, keyOf } from './keys.ts';
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
  const groups = referrals.map((referral) =>
    referralWrites(table.name, program, referral, newOrOwnClick(program, referral)),
  );
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

/**
 * The condition of a referral that is new, or that a click of its advocate becomes: an export tells a click that converts
 * meanwhile twice, as the click and as the referral.
 */
function newOrOwnClick(program: string, referral: Referral): Condition {
  if (referral.convertedAt === null) return ABSENT;
  return {
    ConditionExpression: `${ABSENT.ConditionExpression} OR owner_state = :click`,
    ExpressionAttributeValues: { ':click': advocateState(program, referral.advocateSlug, 'clicked') },
  };
}

/** True where the stored referral is the one to store, or what became of it: a click converts, a person is erased. */
function isSame(referral: Referral, stored: Referral): boolean {
  const isErased = stored.convertedAt !== null && stored.email === null && stored.customerUid === null;
  const agree = (said: string | null, kept: string | null) => said === null || isErased || said === kept;
  return (
    referral.advocateSlug === stored.advocateSlug &&
    agree(referral.email, stored.email) &&
    agree(referral.customerUid, stored.customerUid)
  );
}
