import type { AttributionTarget } from './advocate.ts';
import { InvalidField } from './errors.ts';
import type { Program } from './program.ts';
import { newClick, newReferral, type Referral } from './referral.ts';
import type { State } from './state.ts';
import type { Seconds } from './time.ts';

/** What a file says of a referral that came about elsewhere. */
export interface ReferralRecord {
  /** `null`: it says none. */
  readonly id: string | null;
  readonly advocateSlug: string;
  readonly email: string | null;
  readonly customerUid: string | null;
  readonly state: State;
  readonly subId: string | null;
  readonly createdAt: Seconds;
  readonly stateSetAt: Seconds;
  /** `undefined`: the file says nothing of it, and what a new referral would get counts. */
  readonly commissionPercentage: number | null | undefined;
  /** `undefined`, as above. */
  readonly commissionEndDate: Seconds | null | undefined;
}

/** Checks that a record tells of something that can be so. Throws `InvalidField` naming the column at fault. */
export function checkRecord(record: ReferralRecord): void {
  const { id, email, customerUid, state, createdAt, stateSetAt } = record;
  const commissionEndDate = record.commissionEndDate ?? null;
  checkOrder('state_set_at', createdAt, stateSetAt);
  checkOrder('commission_end_date', createdAt, commissionEndDate ?? createdAt);
  if (state === 'clicked') {
    const empty = { email, uid: customerUid, commission_end_date: commissionEndDate };
    for (const [column, value] of Object.entries(empty)) {
      if (value !== null) throw new InvalidField(column, 'must be empty where the state is clicked');
    }
    return;
  }
  // With its id comes what an export tells of a person who was erased, and of a click that was rejected.
  if (email === null && customerUid === null && id === null) {
    throw new InvalidField('email or uid', 'must be given where the state is not clicked');
  }
}

function checkOrder(column: string, createdAt: Seconds, moment: Seconds): void {
  if (moment < createdAt) throw new InvalidField(column, 'must not be before created_at');
}

/** Makes the referral that a checked record tells of: in its state and with its times, as if it had come about here. */
export function importedReferral(
  program: Program,
  affiliate: AttributionTarget,
  record: ReferralRecord,
  id: string,
): Referral {
  const { email, customerUid: uid, state, subId, createdAt, stateSetAt } = record;
  const { commissionPercentage, commissionEndDate } = record;
  const by = 'import';
  const conversion = { customer: { email, uid }, subId, by, idempotencyRecord: null } as const;
  // A record does not tell when it converted, but of one that has done nothing else since.
  const convertedAt = state === 'converted' ? stateSetAt : createdAt;
  const made = wasConverted(record)
    ? newReferral(program, affiliate, id, conversion, convertedAt)
    : newClick(program, affiliate, { id, subId }, createdAt);
  return {
    ...made,
    state,
    stateSetAt,
    createdAt,
    updatedAt: stateSetAt,
    history: [{ state, setAt: stateSetAt, by }],
    // What was rejected may have had a customer, who was erased: it is kept.
    ...(state !== 'clicked' && { expiresAt: null }),
    ...(commissionPercentage !== undefined && { commissionPercentage }),
    ...(commissionEndDate !== undefined && { commissionEndDate }),
  };
}

/** True where it has a customer, or had one who was erased. A rejected one of which nothing is left is taken for a click. */
function wasConverted({ email, customerUid, state, commissionEndDate }: ReferralRecord): boolean {
  if (state !== 'clicked' && state !== 'rejected') return true;
  return email !== null || customerUid !== null || (commissionEndDate ?? null) !== null;
}
