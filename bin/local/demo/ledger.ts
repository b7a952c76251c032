import { uuidv7 } from '../../../functions/domain/ids.ts';
import { type PaymentEntry, paymentEntry, settlementEntry } from '../../../functions/domain/ledger/entry.ts';
import type { Entry } from '../../../functions/domain/ledger/entry-fields.ts';
import { newPayment } from '../../../functions/domain/ledger/payment.ts';
import type { Referral } from '../../../functions/domain/referral/referral.ts';
import { monthOf } from '../../../functions/domain/statistics/days.ts';
import { DAY, milliseconds, type Seconds, seconds } from '../../../functions/domain/time.ts';
import { NOT_EXISTS } from '../../../functions/table/dynamodb/conditions.ts';
import { putWrite } from '../../../functions/table/dynamodb/writes.ts';
import { entryWrite } from '../../../functions/table/ledger/entries.ts';
import { claimWrite } from '../../../functions/table/ledger/entry-claims.ts';
import { toPaymentItem } from '../../../functions/table/ledger/payment-item.ts';
import { settlementCountWrite } from '../../../functions/table/ledger/settlements.ts';
import type { Group } from '../../../functions/table/operator/bulk-writes.ts';
import { CURRENCY, type DemoProgram, PRICES, seededRandom } from './data.ts';

/** The ledger begins this many months before the current one. */
const EARLIER_MONTHS = 5;
const PERIOD = 30 * DAY;
/** The merchant settles each month on this day of the next one. */
const PAYDAY = 5;

/** Builds the payments of the customers and the settlement of each month that is over. A repetition builds the same. */
export function demoLedger({ program, referrals }: DemoProgram, now: Seconds): Group<string>[] {
  const random = seededRandom(`${program.id} ledger`);
  const writingAt = (at: Seconds) => {
    return { id: uuidv7(milliseconds(at * 1000), random), now: at, by: 'merchant' } as const;
  };
  const payments = referrals.flatMap((referral, customer) =>
    paymentTimes(referral, now).map((paidAt, index): PaymentEntry => {
      const amount = PRICES[customer % PRICES.length] ?? 0;
      const payment = { paymentId: `in_${customer + 1}_${index + 1}`, amount, currency: CURRENCY, paidAt };
      return paymentEntry(referral, payment, writingAt(paidAt));
    }),
  );
  const settlements = [...Map.groupBy(payments, settlementOf)].flatMap(([settlementId, entries]): Entry[] => {
    const [{ advocateSlug: slug, paidAt } = { advocateSlug: '', paidAt: now }] = entries;
    const amount = entries.reduce((sum, { commission }) => sum + commission, 0);
    const settledAt = monthStart(paidAt, 1, PAYDAY);
    if (amount === 0 || settledAt > now) return [];
    const reference = `Transfer of ${monthOfTime(paidAt)}`;
    const settlement = { slug, settlementId, amount, currency: CURRENCY, reference, settledAt };
    return [settlementEntry(settlement, writingAt(settledAt))];
  });
  return [
    ...payments.map((entry) => [
      entryWrite(program.id, entry),
      putWrite('payment', toPaymentItem(program.id, newPayment(entry)), NOT_EXISTS),
    ]),
    ...settlements.map((entry) => [
      entryWrite(program.id, entry),
      claimWrite(program.id, 'settlement', entry.settlementId ?? '', entry),
      settlementCountWrite(program.id, entry.advocateSlug, entry.currency),
    ]),
  ];
}

/** The times of the payments in the ledger: every 30 days, as long as a payment earns a commission. */
function paymentTimes(referral: Referral, now: Seconds): Seconds[] {
  const { state, paidAt, commissionPercentage, commissionEndDate } = referral;
  if (state !== 'paid' || paidAt === null || commissionPercentage === null) return [];
  const begin = monthStart(now, -EARLIER_MONTHS);
  const first = paidAt + Math.max(0, Math.ceil((begin - paidAt) / PERIOD)) * PERIOD;
  const end = Math.min(now, commissionEndDate ?? now);
  const count = Math.max(0, Math.ceil((end - first) / PERIOD));
  return Array.from({ length: count }, (_, index) => seconds(first + index * PERIOD));
}

const settlementOf = ({ advocateSlug, paidAt }: PaymentEntry) => `${monthOfTime(paidAt)}:${advocateSlug}`;

const monthOfTime = (at: Seconds) => monthOf(new Date(at * 1000).toISOString());

/** The beginning of a day of the month that is `months` later (UTC). */
function monthStart(at: Seconds, months: number, day = 1): Seconds {
  const date = new Date(at * 1000);
  return seconds(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, day) / 1000);
}
