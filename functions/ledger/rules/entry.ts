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

/** Builds the entry of a payment of a referral, at the advocate and the rate that the referral has now. */
export function paymentEntry(referral: Referral, payment: ReportedPayment, writing: Writing): PaymentEntry {
  const { advocateSlug, id: referralId, commissionPercentage } = referral;
  const { paymentId, amount, currency, paidAt } = payment;
  const note = noCommission(referral, paidAt);
  return {
    ...writtenBy(writing),
    kind: 'payment',
    advocateSlug,
    referralId,
    paymentId,
    amount,
    currency,
    commission: earnedBy({ amount, commissionPercentage, note }) ?? 0,
    commissionPercentage,
    note,
    occurredAt: paidAt,
    paidAt,
  };
}

/** The commission of a payment: its amount times its rate, or 0 with a note. `null` if an import gave it instead. */
export function earnedBy({
  amount,
  commissionPercentage,
  note,
}: Pick<Entry, 'amount' | 'commissionPercentage' | 'note'>): number | null {
  if (note !== null) return 0;
  return commissionPercentage === null ? null : commissionOf(amount ?? 0, commissionPercentage);
}

/** What a merchant is warned of when an entry is recorded. */
export const ENTRY_WARNINGS = ['no_rate'] as const satisfies readonly NoCommission[];

/** Returns the warning about a payment without a commission because nobody set a rate; else `undefined`. */
export function warningOf({ kind, note }: Pick<Entry, 'kind' | 'note'>): (typeof ENTRY_WARNINGS)[number] | undefined {
  return kind === 'payment' && note === 'no_rate' ? note : undefined;
}

/** Why a payment of a referral earns no commission: the first reason that holds, or `null` if it earns one. */
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
