import { NOT_EXISTS, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { paymentChangeKey, referralKey } from '../../kernel/dynamodb/keys.ts';
import { checkWrite, putWrite } from '../../kernel/dynamodb/writes.ts';
import type { Group } from '../../kernel/operator/bulk-writes.ts';
import type { Seconds } from '../../kernel/time.ts';
import type { CustomerReference, Referral } from '../../referrals/rules/referral.ts';
import {
  type Money,
  type PaymentEntry,
  paymentEntry,
  type RulesSeen,
  settlementEntry,
  type Writing,
} from '../rules/entry.ts';
import type { Entry } from '../rules/entry-fields.ts';
import { newPayment, type Payment, type PaymentChange, setRefunded } from '../rules/payment.ts';
import { entryWrites } from '../table/entries.ts';
import { claimWrite } from '../table/entry-claims.ts';
import { toPaymentItem } from '../table/payment-item.ts';
import { settlementCountWrite } from '../table/settlements.ts';
import { sameAs } from '../table/waiting.ts';

/** A payment from another system, as a line of a file describes it. */
export interface ImportedPayment extends Money {
  readonly reference: CustomerReference;
  readonly paymentId: string;
  readonly paidAt: Seconds;
  /** What was refunded of it, from 0 to the amount. */
  readonly refunded: number;
  /** Replaces the commission at the rate of the referral, unless it is `null`. */
  readonly commission: number | null;
  /** What of the commission was paid to the advocate; 0 for nothing. */
  readonly settled: number;
}

/** What the table contains of a payment. */
export interface StoredPayment {
  readonly referral: Referral;
  /** Its rules, with the numbers that they ask for; `null` without rules. */
  readonly seen: RulesSeen | null;
  readonly payment: Payment | undefined;
  /** The version of the item with its id, which may also be an expired waiting one; 0 without an item. */
  readonly version: number;
  /** True if Stripe has reported the payment, or something that waits for it. */
  readonly isAtStripe: boolean;
  /** True if the id of its imported refund is taken: the refund is stored, whatever a dispute gave back since. */
  readonly isRefundKnown: boolean;
  readonly settlement: Entry | undefined;
}

/** Why nothing is to write. `contradicted`: an earlier line or import says that more was refunded or settled. */
export type Verdict = 'known' | 'contradicted' | 'not converted' | 'other fields' | 'other settlement' | 'at stripe';

/** Returns the ids of the settlement and of the refund that an import writes for a payment. */
export const importedSettlementId = ({ paymentId }: ImportedPayment): string => `import:${paymentId}`;
export const importedRefundId = ({ paymentId, refunded }: ImportedPayment): string => `import:${paymentId}:${refunded}`;

/** What the entries of a payment are written with. */
export type Writings = Readonly<Record<'payment' | 'refund' | 'settlement', Writing>>;

/** Plans the writes that store what is new of a payment, or says why there are none. */
export function planPayment(
  program: string,
  payment: ImportedPayment,
  stored: StoredPayment,
  writings: Writings,
): Group<string> | Verdict {
  const refused = refusalOf(payment, stored);
  if (refused) return refused;
  const entry = newEntry(stored, payment, writings.payment);
  const before = stored.payment ?? { ...newPayment(entry), version: stored.version + 1 };
  const refund = stored.isRefundKnown ? undefined : refundOf(payment, before, writings.refund);
  const writes = [
    ...(stored.payment ? [] : paymentEntryWrites(program, entry, stored)),
    ...(stored.payment && !refund ? [] : [paymentWrite(program, refund?.payment ?? before, stored)]),
    ...(refund ? refundWrites(program, payment, refund.entry) : []),
    ...(stored.settlement ? [] : settlementWrites(program, payment, before, writings.settlement)),
  ];
  if (writes.length > 0) return writes;
  const isLess = (given: number, recorded: number) => given > 0 && given < recorded;
  return isLess(payment.refunded, before.refunded) || isLess(payment.settled, settledOf(stored.settlement))
    ? 'contradicted'
    : 'known';
}

function refusalOf(
  imported: ImportedPayment,
  { referral, payment, isAtStripe, settlement }: StoredPayment,
): Verdict | undefined {
  if (!payment && referral.convertedAt === null) return 'not converted';
  if (payment && !isSame(imported, payment, referral)) return 'other fields';
  if (isAtStripe && imported.refunded > (payment?.refunded ?? -1)) return 'at stripe';
  const { advocateSlug, currency } = payment ?? { ...referral, ...imported };
  const isOwn = settlement?.advocateSlug === advocateSlug && settlement.currency === currency;
  const isOther = settlement && (!isOwn || imported.settled > settledOf(settlement));
  return imported.settled > 0 && isOther ? 'other settlement' : undefined;
}

const settledOf = (settlement: Entry | undefined): number => (settlement ? -settlement.commission : 0);

function refundOf(imported: ImportedPayment, payment: Payment, writing: Writing): PaymentChange | undefined {
  if (imported.refunded <= payment.refunded) return undefined;
  const reported = { refundId: importedRefundId(imported), refundedAt: imported.paidAt };
  return setRefunded(payment, imported.refunded, reported, writing);
}

/** The entry has the advocate and the rate of the referral, which must not change meanwhile. */
function paymentEntryWrites(program: string, entry: Entry, { referral, seen }: StoredPayment): Group<string> {
  return [
    ...entryWrites(program, entry, seen),
    checkWrite('referral', referralKey(program, referral.id), unchangedSince(referral)),
  ];
}

function paymentWrite(program: string, after: Payment, before: StoredPayment) {
  return putWrite('payment', toPaymentItem(program, after), sameAs(before));
}

function refundWrites(program: string, payment: ImportedPayment, entry: Entry): Group<string> {
  return [
    ...entryWrites(program, entry),
    putWrite('change', { ...paymentChangeKey(program, payment.paymentId, entry) }, NOT_EXISTS),
    claimWrite(program, 'refund', importedRefundId(payment), entry),
  ];
}

function settlementWrites(
  program: string,
  payment: ImportedPayment,
  { advocateSlug: slug, currency }: Payment,
  writing: Writing,
): Group<string> {
  const { settled: amount, paidAt: settledAt } = payment;
  if (amount === 0) return [];
  const settlementId = importedSettlementId(payment);
  const entry = settlementEntry({ slug, settlementId, amount, currency, reference: null, settledAt }, writing);
  return [
    ...entryWrites(program, entry),
    claimWrite(program, 'settlement', settlementId, entry),
    settlementCountWrite(program, slug, currency),
  ];
}

function newEntry({ referral, seen }: StoredPayment, payment: ImportedPayment, writing: Writing): PaymentEntry {
  const entry = paymentEntry(referral, payment, writing, seen);
  const { commission } = payment;
  return commission === null ? entry : { ...entry, ...GIVEN, commission };
}

/** Nothing else decides a commission that the file gives. */
const GIVEN = { commissionPercentage: null, commissionRulesId: null, rule: null, payingSeen: null, note: null };

function isSame(payment: ImportedPayment, stored: Payment, referral: Referral): boolean {
  return (
    stored.amount === payment.amount &&
    stored.currency === payment.currency &&
    stored.paidAt === payment.paidAt &&
    stored.referralId === referral.id &&
    (payment.commission === null || payment.commission === stored.commission)
  );
}
