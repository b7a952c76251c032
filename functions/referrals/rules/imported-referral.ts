import { isCommissionRulesId } from '../../kernel/accounts/rules/commission-rules-id.ts';
import type { Program } from '../../kernel/accounts/rules/program.ts';
import { InvalidField } from '../../kernel/errors.ts';
import { fieldsIn, inputsIn, type KeysIn, namesSet } from '../../kernel/fields/field-list.ts';
import type { Seconds } from '../../kernel/time.ts';
import { firstPaymentIn } from './history.ts';
import { type Attributed, type Credit, newClick, newReferral, type Referral } from './referral.ts';
import { REFERRAL_FIELDS } from './referral-fields.ts';
import type { Flag } from './self-referral.ts';

/** A referral from another system, as a row of a file describes it. */
export interface ReferralRecord
  extends Omit<
    Pick<Referral, KeysIn<typeof REFERRAL_FIELDS, 'file'>>,
    'updatedAt' | 'commissionPercentage' | 'commissionRulesId' | 'commissionEndDate' | 'flags'
  > {
  /** `null`: the row has no id. */
  readonly id: string | null;
  /** Absent: the time of the state. */
  readonly updatedAt?: Seconds;
  /** Here and below, `undefined`: the file has no such column, and the value of a new referral applies. */
  readonly commissionPercentage: number | null | undefined;
  readonly commissionRulesId: string | null | undefined;
  readonly commissionEndDate: Seconds | null | undefined;
  /** Taken from the file, never computed: empty if the file has no such column. */
  readonly flags: readonly Flag[];
  /** The customer's id at Stripe. */
  readonly stripeCustomer: string | null;
}

/** Checks that the fields of a record are consistent. Throws `InvalidField` with the name of the column. */
export function checkRecord(record: ReferralRecord): void {
  const { state, createdAt, convertedAt, stateSetAt, updatedAt = stateSetAt, stripeCustomer } = record;
  const commissionEndDate = record.commissionEndDate ?? null;
  const moments = { state_set_at: stateSetAt, converted_at: convertedAt, commission_end_date: commissionEndDate };
  for (const [column, moment] of Object.entries(moments)) {
    if (moment !== null && moment < createdAt) throw new InvalidField(column, 'must not be before created_at');
  }
  if ((convertedAt ?? stateSetAt) > stateSetAt)
    throw new InvalidField('converted_at', 'must not be after state_set_at');
  if (updatedAt < stateSetAt) throw new InvalidField('updated_at', 'must not be before state_set_at');
  if (record.commissionRulesId) checkRules(record);
  if (state === 'clicked') {
    const others: Readonly<Record<string, unknown>> = {
      converted_at: convertedAt,
      commission_end_date: commissionEndDate,
      stripe_customer: stripeCustomer,
    };
    const personal = namesSet(fieldsIn(REFERRAL_FIELDS, 'file'), 'personal', record);
    const [column] = [...personal, ...Object.keys(others).filter((name) => others[name] !== null)];
    if (column !== undefined) throw new InvalidField(column, 'must be empty if the state is clicked');
    return;
  }
  checkCustomer(record);
}

function checkRules({ commissionRulesId, commissionPercentage, commissionEndDate }: ReferralRecord): void {
  if (!isCommissionRulesId(commissionRulesId ?? '')) {
    throw new InvalidField('commission_rules_id', 'must be the id of commission rules: 16 characters of 0-9 and a-f');
  }
  const others = { commission_percentage: commissionPercentage, commission_end_date: commissionEndDate };
  const other = Object.entries(others).find(([, value]) => (value ?? null) !== null);
  if (other) throw new InvalidField(other[0], 'must be empty if commission_rules_id is set');
}

function checkCustomer({ id, email, customerUid, stripeCustomer }: ReferralRecord): void {
  if (email !== null || customerUid !== null) return;
  // Exports contain erased people and rejected clicks, which have neither email nor uid. Their rows have an id.
  if (id === null) throw new InvalidField('email or uid', 'is required unless the state is clicked');
  // It would identify an erased person.
  if (stripeCustomer !== null) throw new InvalidField('stripe_customer', 'must be empty if email and uid are');
}

/**
 * True if a record of a customer differs from the import that created the referral, and nothing has changed the
 * referral since. Empty values and other times do not count: a customer can have several orders.
 */
export function contradicts(record: ReferralRecord, { history, flags, ...stored }: Referral): boolean {
  const [first, ...later] = history;
  if (first?.by !== 'import' || later.length > 0 || record.state === 'clicked') return false;
  if (record.state !== stored.state || record.flags.some((flag) => !flags.includes(flag))) return true;
  const fields = ['subId', 'commissionPercentage', 'commissionRulesId', 'commissionEndDate'] as const;
  return fields.some((field) => (record[field] ?? stored[field]) !== stored[field]);
}

/** Creates the referral of a checked record, with the state and the times of the record. */
export function importedReferral(
  program: Pick<Program, 'attributionDays'>,
  attributed: Attributed,
  record: ReferralRecord,
  id: string,
): Referral {
  const { state, subId, createdAt, stateSetAt, updatedAt = stateSetAt, commissionEndDate, flags } = record;
  const actor = 'import';
  const reported = inputsIn(REFERRAL_FIELDS, record);
  const convertedAt = record.convertedAt ?? (state === 'converted' ? stateSetAt : createdAt);
  const created = wasConverted(record)
    ? newReferral(id, { ...attributed, credit: BY_IMPORT, reported, actor, idempotencyRecord: null, now: convertedAt })
    : newClick(program, attributed, { id, subId }, createdAt);
  const history = [{ type: 'state', state, setAt: stateSetAt, by: actor }] as const;
  return {
    ...created,
    state,
    stateSetAt,
    createdAt,
    updatedAt,
    flags,
    paidAt: firstPaymentIn(history),
    history,
    // A rejected referral may have had a customer who was erased: it never expires.
    ...(state !== 'clicked' && { expiresAt: null }),
    ...termsIn(record),
    ...(commissionEndDate !== undefined && { commissionEndDate }),
  };
}

const BY_IMPORT: Credit = { by: 'import', code: null, lost: null };

/** The percentage or the rules of a record, which clear each other. Without such columns, a referral has its advocate's. */
function termsIn({ commissionPercentage, commissionRulesId }: ReferralRecord) {
  if (commissionPercentage === undefined && commissionRulesId === undefined) return {};
  if (commissionRulesId) return { commissionRulesId, commissionPercentage: null, commissionEndDate: null };
  return { commissionRulesId: null, ...(commissionPercentage !== undefined && { commissionPercentage }) };
}

/** True if the record has a customer, or had one who was erased. Other rejected records were clicks. */
function wasConverted({ email, customerUid, state, convertedAt, commissionEndDate }: ReferralRecord): boolean {
  if (state !== 'clicked' && state !== 'rejected') return true;
  return [email, customerUid, convertedAt, commissionEndDate ?? null].some((value) => value !== null);
}
