import type { AttributionTarget } from './advocate.ts';
import { InvalidField } from './errors.ts';
import type { Program } from './program.ts';
import { newClick, newReferral, type Referral } from './referral.ts';
import type { Seconds } from './time.ts';

/** A referral from another system, as a row of a file describes it. */
export interface ReferralRecord
  extends Pick<Referral, 'advocateSlug' | 'email' | 'customerUid' | 'state' | 'subId' | 'createdAt' | 'stateSetAt'> {
  /** `null`: the row has no id. */
  readonly id: string | null;
  /** `undefined`: the file has no such column, and the value of a new referral applies. */
  readonly commissionPercentage: number | null | undefined;
  /** `undefined`: as above. */
  readonly commissionEndDate: Seconds | null | undefined;
}

/** Checks that the fields of a record agree with each other. Throws `InvalidField` with the name of the column. */
export function checkRecord(record: ReferralRecord): void {
  const { id, email, customerUid, state, createdAt, stateSetAt } = record;
  const commissionEndDate = record.commissionEndDate ?? null;
  for (const [column, moment] of Object.entries({ state_set_at: stateSetAt, commission_end_date: commissionEndDate })) {
    if (moment !== null && moment < createdAt) throw new InvalidField(column, 'must not be before created_at');
  }
  if (state === 'clicked') {
    const empty = { email, uid: customerUid, commission_end_date: commissionEndDate };
    for (const [column, value] of Object.entries(empty)) {
      if (value !== null) throw new InvalidField(column, 'must be empty if the state is clicked');
    }
    return;
  }
  // Rows of an export have an id: of an erased person, and of a click that was rejected, they have neither email nor uid.
  if (email === null && customerUid === null && id === null) {
    throw new InvalidField('email or uid', 'is required unless the state is clicked');
  }
}

/** Creates the referral of a checked record with its state and times, as if it had been recorded here. */
export function importedReferral(
  program: Program,
  target: AttributionTarget,
  record: ReferralRecord,
  id: string,
): Referral {
  const { email, customerUid: uid, state, subId, createdAt, stateSetAt } = record;
  const { commissionPercentage, commissionEndDate } = record;
  const by = 'import';
  const conversion = { customer: { email, uid }, subId, by, idempotencyRecord: null } as const;
  // The time of the conversion is known only if the state has not changed since.
  const convertedAt = state === 'converted' ? stateSetAt : createdAt;
  const created = wasConverted(record)
    ? newReferral(program, target, id, conversion, convertedAt)
    : newClick(program, target, { id, subId }, createdAt);
  return {
    ...created,
    state,
    stateSetAt,
    createdAt,
    updatedAt: stateSetAt,
    history: [{ state, setAt: stateSetAt, by }],
    // A rejected referral may have had a customer who was erased: it never expires.
    ...(state !== 'clicked' && { expiresAt: null }),
    ...(commissionPercentage !== undefined && { commissionPercentage }),
    ...(commissionEndDate !== undefined && { commissionEndDate }),
  };
}

/** True if the record has a customer, or had one who was erased. A rejected record without a trace of one was a click. */
function wasConverted({ email, customerUid, state, commissionEndDate }: ReferralRecord): boolean {
  if (state !== 'clicked' && state !== 'rejected') return true;
  return email !== null || customerUid !== null || (commissionEndDate ?? null) !== null;
}
