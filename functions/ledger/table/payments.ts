import { commit } from '../../kernel/dynamodb/commit.ts';
import { NOT_EXISTS, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { entryClaimKey, paymentChangeKey, paymentKey, referralKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, get, type Outcome, type Table } from '../../kernel/dynamodb/table.ts';
import { checkWrite, type LabelledWrite, putWrite } from '../../kernel/dynamodb/writes.ts';
import { NotConverted, ReferralNotFound, STILL_CLICK } from '../../kernel/errors.ts';
import type { Seconds } from '../../kernel/time.ts';
import type { CustomerReference, Referral } from '../../referrals/rules/referral.ts';
import { setState } from '../../referrals/rules/referral-changes.ts';
import { findReferral, isOf, referenceKeys, referredId } from '../../referrals/table/customers.ts';
import { parseReferral, toReferralItem } from '../../referrals/table/referral-item.ts';
import { type Money, paymentEntry, type Writing } from '../rules/entry.ts';
import { EntryExists, PaymentNotFound, VoidExists } from '../rules/errors.ts';
import { type Payment, type PaymentChange, refund, voidPayment } from '../rules/payment.ts';
import { getEntry, type Ledger, type Recorded, recordEntry, writeEntry } from './entries.ts';
import { claimedEntry, claimWrite } from './entry-claims.ts';
import { applyLinks, hasMoreLinks, newPaymentWrites } from './new-payment.ts';
import { storedPayment, toPaymentItem } from './payment-item.ts';
import { readRulesSeen } from './rules-seen.ts';

/** A payment of a customer. */
export interface PaymentRequest extends Money {
  readonly reference: CustomerReference;
  readonly paymentId: string;
  /** `null` is the time at which the entry is written. */
  readonly paidAt: Seconds | null;
}

/**
 * Records a payment with at most two reads, one more for rules that ask for numbers, and one transaction, which also sets
 * the state of the referral to `paid` where the rules of states allow it. Returns the first entry if the payment is
 * repeated. Throws `ReferralNotFound`, `AmbiguousCustomer`, `EntryExists` or `NotConverted`; then nothing is written.
 */
export function recordPayment(table: Table, ledger: Ledger, request: PaymentRequest): Promise<Recorded> {
  return recordEntry(table, ledger, (writing) => attemptPayment(table, ledger, request, writing));
}

async function attemptPayment(
  table: Table,
  ledger: Ledger,
  request: PaymentRequest,
  newWriting: () => Writing,
): Promise<Outcome<Recorded>> {
  const { program } = ledger;
  const { reference, ...reported } = request;
  const [payment, ...named] = await batchGet(table, [
    paymentKey(program, request.paymentId),
    ...referenceKeys(program, reference),
  ]);
  const id = referredId(named);
  const stored = storedPayment(payment);
  if (stored) {
    const result = await repeatedPayment(table, program, stored, { ...request, referralId: id });
    if (hasMoreLinks(payment)) await applyLinks(table, ledger, request.paymentId);
    return { result };
  }
  const item = reference.id === null ? undefined : named.at(-1);
  const referral = item ? parseReferral(item) : await findReferral(table, program, id);
  // The person may have been erased since the claim was read.
  if (!referral || !isOf(referral, reference)) throw new ReferralNotFound();
  if (referral.convertedAt === null) throw new NotConverted(STILL_CLICK);
  const seen = await readRulesSeen(table, program, referral);
  const writing = newWriting();
  const entry = paymentEntry(referral, { ...reported, paidAt: request.paidAt ?? writing.now }, writing, seen);
  const writes = [
    ...(await newPaymentWrites(table, ledger, { entry, seen, gross: null, item: payment })),
    paidWrite(program, referral, request.paidAt, writing),
  ];
  const outcome = await commit(table, writes, { entry, isNew: true });
  if ('result' in outcome && hasMoreLinks(payment)) await applyLinks(table, ledger, request.paymentId);
  return outcome;
}

/** Sets the state to `paid` where the payment leads to it, or checks that the referral is unchanged. */
function paidWrite(
  program: string,
  before: Referral,
  paidAt: Seconds | null,
  { now, by }: Writing,
): LabelledWrite<'referral'> {
  const { state, stateSetAt } = before;
  // A payment now follows every change that is stored, also of a faster clock.
  const pays = state === 'converted' || (state === 'churned' && (paidAt === null || paidAt >= stateSetAt));
  return pays
    ? putWrite('referral', toReferralItem(program, setState(before, 'paid', by, now)), unchangedSince(before))
    : checkWrite('referral', referralKey(program, before.id), unchangedSince(before));
}

/** Returns the entry of a payment that is reported again. Throws `EntryExists` if its fields differ. */
async function repeatedPayment(
  table: Table,
  program: string,
  stored: Payment,
  { amount, currency, paidAt, referralId }: PaymentRequest & { readonly referralId: string },
): Promise<Recorded> {
  const isSame =
    stored.amount === amount &&
    stored.currency === currency &&
    stored.referralId === referralId &&
    (paidAt === null || stored.paidAt === paidAt);
  if (!isSame) throw new EntryExists('payment');
  return { entry: await getEntry(table, program, stored.advocateSlug, stored.entry), isNew: false };
}

/** A refund of a part of a payment. */
export interface RefundRequest {
  readonly paymentId: string;
  readonly refundId: string;
  readonly amount: number;
  /** `null` is the time at which the entry is written. */
  readonly refundedAt: Seconds | null;
}

/**
 * Records a refund with one read and one transaction. Returns the first entry if it is repeated. Throws
 * `PaymentNotFound`, `EntryExists`, `RefundTooLarge` or `PaymentAtStripe`; then nothing is written.
 */
export function recordRefund(table: Table, ledger: Ledger, request: RefundRequest): Promise<Recorded> {
  const { program } = ledger;
  const { paymentId, refundId, amount, refundedAt } = request;
  return recordEntry(table, ledger, async (newWriting) => {
    const [payment, claim] = await batchGet(table, [
      paymentKey(program, paymentId),
      entryClaimKey(program, 'refund', refundId),
    ]);
    const before = storedPayment(payment);
    if (!before) throw new PaymentNotFound();
    if (claim) {
      const entry = await claimedEntry(table, program, claim);
      const isSame =
        entry.paymentId === paymentId &&
        entry.amount === -amount &&
        (refundedAt === null || entry.occurredAt === refundedAt);
      if (!isSame) throw new EntryExists('refund');
      return { result: { entry, isNew: false } };
    }
    const writing = newWriting();
    const change = refund(before, amount, { refundId, refundedAt: refundedAt ?? writing.now }, writing);
    return storeChange(table, program, { before, ...change }, [claimWrite(program, 'refund', refundId, change.entry)]);
  });
}

/**
 * Voids a payment: takes back what is left of its commission. Returns the first entry if it is repeated. Throws
 * `PaymentNotFound` or `VoidExists`; then nothing is written.
 */
export function recordVoid(
  table: Table,
  ledger: Ledger,
  { paymentId, note }: { readonly paymentId: string; readonly note: string },
): Promise<Recorded> {
  const { program } = ledger;
  return recordEntry(table, ledger, async (newWriting) => {
    const before = storedPayment(await get(table, paymentKey(program, paymentId)));
    if (!before) throw new PaymentNotFound();
    if (before.voided) {
      const entry = await getEntry(table, program, before.advocateSlug, before.voided);
      if (entry.note !== note) throw new VoidExists();
      return { result: { entry, isNew: false } };
    }
    return storeChange(table, program, { before, ...voidPayment(before, note, newWriting()) });
  });
}

/** Stores a changed payment with the entry of the change, by which the entries of the payment are found. */
export function storeChange(
  table: Table,
  program: string,
  { before, payment, entry }: PaymentChange & { readonly before: Payment },
  others: readonly LabelledWrite<'claim'>[] = [],
): Promise<Outcome<Recorded>> {
  return writeEntry(table, program, entry, [
    putWrite('payment', toPaymentItem(program, payment), unchangedSince(before)),
    putWrite('change', { ...paymentChangeKey(program, payment.paymentId, entry) }, NOT_EXISTS),
    ...others,
  ]);
}
