import { payoutVersionOf } from '../../../functions/kernel/accounts/rules/payout-account.ts';
import { dayOf, monthOf, startOf } from '../../../functions/kernel/days.ts';
import { addCalendarMonths, DAY, type Seconds, seconds } from '../../../functions/kernel/time.ts';
import {
  type PaymentEntry,
  paymentEntry,
  settlementEntry,
  type Writing,
} from '../../../functions/ledger/rules/entry.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { newPayment, type Payment, refund } from '../../../functions/ledger/rules/payment.ts';
import { settlementIdOf } from '../../../functions/ledger/rules/payout-run.ts';
import { balancesOf } from '../../../functions/ledger/rules/statement.ts';
import { addEntry, noSums } from '../../../functions/ledger/rules/sums.ts';
import { MINIMUM_PAYOUT, PAYOUT_DAY, PROGRAM, RULES } from '../../../functions/openapi/records.ts';
import { CURRENCY, dayStart, demoCast } from './cast.ts';
import { Chance } from './chance.ts';
import type { StoredCustomer } from './referrals.ts';

/** A payment as it is after its refund, with the entries of both. */
export interface StoredPayment {
  readonly payment: Payment;
  readonly entries: readonly [PaymentEntry, ...Entry[]];
}

/** The payments of a customer, oldest first. */
export interface PayingCustomer extends StoredCustomer {
  readonly stored: readonly StoredPayment[];
}

/** Builds the payments of customers, with what each of them earned. */
export function demoPayments(customers: readonly StoredCustomer[]): PayingCustomer[] {
  return customers.map((customer) => {
    const { referral, payments } = customer;
    const stored = payments.map(({ at, amount, refundedAt }, earlier): StoredPayment => {
      const paymentId = `in_${referral.customerUid?.replace('customer-', '')}_${earlier + 1}`;
      const seen = referral.commissionRulesId === null ? null : { rules: RULES, earlier, paying: null };
      const entry = paymentEntry(
        referral,
        { paymentId, amount, currency: CURRENCY, paidAt: at },
        writing(paymentId, at),
        seen,
      );
      const payment = newPayment(entry);
      if (refundedAt === null) return { payment, entries: [entry] };
      const reported = { refundId: paymentId.replace('in_', 're_'), refundedAt };
      const refunded = refund(payment, amount, reported, writing(reported.refundId, refundedAt));
      return { payment: refunded.payment, entries: [entry, refunded.entry] };
    });
    return { ...customer, stored };
  });
}

/** Who writes an entry: its id follows from what it records. */
const writing = (of: string, now: Seconds): Writing => ({ id: new Chance(of).idAt(now), now, by: 'merchant' });

/**
 * Builds the settlements of the payout runs: each month, a run named after the month before pays what is due to every
 * advocate with an account, if it is not below the minimum.
 */
export function demoPayouts(entries: readonly Entry[], now: Seconds): Entry[] {
  const bySlug = Map.groupBy(entries, ({ advocateSlug }) => advocateSlug);
  const runs = payoutTimes(now);
  return demoCast(now).flatMap(({ advocate }) => {
    const own = bySlug.get(advocate.slug) ?? [];
    const sums = noSums();
    return runs.flatMap((at, index): Entry[] => {
      const previous = runs[index - 1] ?? 0;
      const since = own.filter(({ createdAt }) => createdAt >= previous && createdAt < at);
      for (const entry of since) addEntry(sums, entry);
      const terms = { today: dayOf(at), payableAfterDays: PROGRAM.payableAfterDays };
      const amount = Number(balancesOf(sums, terms).get(CURRENCY)?.payable ?? 0n);
      if (advocate.payoutAccount === null || amount < MINIMUM_PAYOUT) return [];
      const name = monthOf(dayOf(addCalendarMonths(at, -1)));
      const settlementId = settlementIdOf({ name, currency: CURRENCY }, advocate.slug);
      const payout = {
        slug: advocate.slug,
        settlementId,
        amount,
        currency: CURRENCY,
        reference: null,
        settledAt: null,
      };
      const entry = settlementEntry(payout, writing(settlementId, at), payoutVersionOf(advocate));
      addEntry(sums, entry);
      return [entry];
    });
  });
}

/** When the payout runs of the history were made, oldest first. */
function payoutTimes(now: Seconds): Seconds[] {
  const first = dayStart(now, 0);
  const month = seconds(startOf(`${monthOf(dayOf(first))}-01`) + (PAYOUT_DAY - 1) * DAY + 9 * 3600);
  return Array.from({ length: 16 }, (_, index) => addCalendarMonths(month, index)).filter(
    (at) => at > first && at < now,
  );
}
