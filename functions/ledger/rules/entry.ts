import { type CommissionRules, decide, paidBy } from '../../kernel/accounts/rules/commission-rules.ts';
import { emptyValues } from '../../kernel/fields/field-list.ts';
import { commissionOf } from '../../kernel/fields/money.ts';
import type { Seconds } from '../../kernel/time.ts';
import type { Referral } from '../../referrals/rules/referral.ts';
import { ENTRY_FIELDS, type Entry, type EntryActor, type NoCommission } from './entry-fields.ts';

/** Maximum length of notes and references. */
export const MAX_NOTE = 200;
/** More settlements than an advocate ever has. */
export const MAX_SETTLEMENTS = 1_000_000_000;

/** Who writes an entry, when, and under which id. */
export interface Writing {
  /** UUIDv7. */
  readonly id: string;
  readonly now: Seconds;
  readonly by: EntryActor;
}

/** An amount of money in the smallest unit of its currency. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}

const NOTHING = emptyValues(ENTRY_FIELDS);

/** The fields that every entry has. */
export const writtenBy = ({ id, now, by }: Writing) => ({ ...NOTHING, id, createdAt: now, by });

/** A payment as it is reported. */
export interface ReportedPayment extends Money {
  readonly paymentId: string;
  readonly paidAt: Seconds;
}

/** The entry of a payment. */
export interface PaymentEntry extends Entry {
  readonly paymentId: string;
  readonly referralId: string;
  readonly amount: number;
  readonly paidAt: Seconds;
}

/** The rules of a referral, and the numbers that they ask for, as they are when its payment is recorded. */
export interface RulesSeen {
  readonly rules: CommissionRules;
  /** How many payments of the referral were recorded before; `null` if no rule asks. */
  readonly earlier: number | null;
  /** How many paying customers the advocate has; `null` if no rule asks. */
  readonly paying: number | null;
}

/**
 * Builds the entry of a payment for the advocate that the referral has now. Its rate decides the commission, or its rules,
 * which are in `seen` for every referral with rules.
 */
export function paymentEntry(
  referral: Referral,
  payment: ReportedPayment,
  writing: Writing,
  seen: RulesSeen | null,
): PaymentEntry {
  const { advocateSlug, id: referralId } = referral;
  const { paymentId, amount, currency, paidAt } = payment;
  return {
    ...writtenBy(writing),
    kind: 'payment',
    advocateSlug,
    referralId,
    paymentId,
    amount,
    currency,
    ...(seen ? decidedByRules(referral, payment, seen) : decidedByRate(referral, payment)),
    occurredAt: paidAt,
    paidAt,
  };
}

/** What decides the commission of a payment. */
type Decided = Pick<
  Entry,
  'commission' | 'commissionPercentage' | 'commissionRulesId' | 'rule' | 'payingSeen' | 'note'
>;

function decidedByRate(referral: Referral, { amount, paidAt }: ReportedPayment): Decided {
  const { commissionPercentage } = referral;
  const note = noCommission(referral, paidAt);
  const commission = note === null && commissionPercentage !== null ? commissionOf(amount, commissionPercentage) : 0;
  return { ...NO_RULES, commission, commissionPercentage, note };
}

const NO_RULES = { commissionRulesId: null, rule: null, payingSeen: null } as const;

function decidedByRules(
  { state, commissionRulesId, convertedAt }: Referral,
  payment: ReportedPayment,
  { rules, earlier, paying }: RulesSeen,
): Decided {
  const common = { commissionRulesId, payingSeen: paying };
  const nothing = { ...common, commission: 0, commissionPercentage: null, rule: null };
  if (state === 'rejected') return { ...nothing, note: 'rejected' };
  const known = { convertedAt: convertedAt ?? payment.paidAt, earlier: earlier ?? 0, paying: paying ?? 0 };
  const decision = decide(rules, { ...payment, ...known });
  if (!decision) return { ...nothing, note: 'no_rule' };
  const { commission, percentage: commissionPercentage, rule } = decision;
  return { ...common, commission, commissionPercentage, rule, note: null };
}

/**
 * The commission of a payment: its amount times its rate, what its rule pays, or 0 with a note. `null` if an import gave it
 * instead. `rules` belong to the entry.
 */
export function earnedBy(
  { amount, currency, commissionPercentage, rule, note }: Entry,
  rules: CommissionRules | null,
): number | null {
  if (note !== null) return 0;
  const decided = rule === null ? undefined : rules?.[rule - 1];
  if (decided) return paidBy(decided, { amount: amount ?? 0, currency });
  return commissionPercentage === null ? null : commissionOf(amount ?? 0, commissionPercentage);
}

/** What a merchant is warned of when an entry is recorded. */
export const ENTRY_WARNINGS = ['no_rate', 'no_rule'] as const satisfies readonly NoCommission[];

/** Returns the warning about a payment that earns nothing without a rate or a matching rule; else `undefined`. */
export function warningOf({ kind, note }: Pick<Entry, 'kind' | 'note'>): (typeof ENTRY_WARNINGS)[number] | undefined {
  return kind === 'payment' ? ENTRY_WARNINGS.find((warning) => warning === note) : undefined;
}

/** Why a payment earns no commission at a rate: the first reason that holds, or `null` if it earns one. */
function noCommission(
  { state, commissionEndDate, commissionPercentage }: Referral,
  paidAt: Seconds,
): NoCommission | null {
  if (state === 'rejected') return 'rejected';
  if (commissionEndDate !== null && paidAt >= commissionEndDate) return 'ended';
  return commissionPercentage === null ? 'no_rate' : null;
}

/** A bonus or a correction. */
export interface Adjustment {
  readonly slug: string;
  readonly adjustmentId: string;
  /** Not 0. */
  readonly commission: number;
  readonly currency: string;
  readonly note: string;
}

/** Builds the entry of an adjustment. */
export function adjustmentEntry({ slug, ...adjustment }: Adjustment, writing: Writing): Entry {
  return {
    ...writtenBy(writing),
    ...adjustment,
    kind: 'adjustment',
    advocateSlug: slug,
    occurredAt: writing.now,
  };
}

/** What the merchant paid to an advocate. */
export interface Settlement extends Money {
  readonly slug: string;
  readonly settlementId: string;
  readonly reference: string | null;
  readonly settledAt: Seconds | null;
}

/** Builds the entry of a settlement. `payoutVersion` is the number of the advocate's payout account. */
export function settlementEntry(settlement: Settlement, writing: Writing, payoutVersion: number | null = null): Entry {
  const { slug, settlementId, amount, currency, reference, settledAt } = settlement;
  return {
    ...writtenBy(writing),
    kind: 'settlement',
    advocateSlug: slug,
    settlementId,
    currency,
    commission: -amount,
    reference,
    occurredAt: settledAt ?? writing.now,
    payoutVersion,
    isCounted: true,
  };
}
