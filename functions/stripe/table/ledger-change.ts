import { unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import type { Item } from '../../kernel/dynamodb/item.ts';
import type { Table } from '../../kernel/dynamodb/table.ts';
import { putWrite } from '../../kernel/dynamodb/writes.ts';
import { paymentEntry } from '../../ledger/rules/entry.ts';
import type { Payment } from '../../ledger/rules/payment.ts';
import { newestFact, type ReportedChange, reportsOf, setFacts } from '../../ledger/rules/provider-refunds.ts';
import { type Ledger, writingAt } from '../../ledger/table/entries.ts';
import { changeWrites, type LedgerWrite, newPaymentWrites } from '../../ledger/table/new-payment.ts';
import { storedPayment, toPaymentItem } from '../../ledger/table/payment-item.ts';
import { readRulesSeen } from '../../ledger/table/rules-seen.ts';
import type { Referral } from '../../referrals/rules/referral.ts';
import type { ProviderEvent, ProviderPayment } from '../rules/provider-event.ts';

/** What an event does to the ledger. */
export interface LedgerChange {
  readonly writes: readonly LedgerWrite[];
  /** The id of the entry of the payment, which the event or an earlier one writes; `undefined` if there is none. */
  readonly entry: string | undefined;
}

/**
 * Builds the writes of the payment that an event reports. `item` is what is stored under its id. The first report of a
 * payment counts, whether it comes from a checkout, its invoice or the API.
 */
export async function ledgerChange(
  table: Table,
  ledger: Ledger,
  { payment, createdAt: paidAt }: ProviderEvent,
  { item, referral }: { readonly item: Item | undefined; readonly referral: Referral | undefined },
): Promise<LedgerChange> {
  const stored = payment === null ? undefined : storedPayment(item);
  if (stored && payment)
    return { writes: await reportedWrites(table, ledger, stored, payment), entry: stored.entry.id };
  if (payment === null || referral === undefined) return { writes: [], entry: undefined };
  const { id: paymentId, amount, currency, gross } = payment;
  const seen = await readRulesSeen(table, ledger.program, referral);
  const entry = paymentEntry(referral, { paymentId, amount, currency, paidAt }, writingAt(table, ledger), seen);
  return { writes: await newPaymentWrites(table, ledger, { entry, seen, gross, item }), entry: entry.id };
}

/**
 * Notes that Stripe reports a payment from elsewhere, and what the customer paid in all: of this, the known refunds and
 * disputes are a part. Returns none if it is known.
 */
async function reportedWrites(
  table: Table,
  ledger: Ledger,
  before: Payment,
  { gross, currency }: ProviderPayment,
): Promise<LedgerWrite[]> {
  const known = reportsOf(before);
  if (before.reports !== null && (known.gross !== null || currency !== before.currency)) return [];
  const reported = { ...before, reports: { ...known, gross: currency === before.currency ? gross : null } };
  const { facts } = known;
  const change: ReportedChange =
    facts.length === 0
      ? { payment: { ...reported, version: before.version + 1 }, entry: null }
      : setFacts(reported, facts, newestFact(facts), writingAt(table, ledger));
  return [
    putWrite('payment', toPaymentItem(ledger.program, change.payment), unchangedSince(before)),
    ...(await changeWrites(table, ledger.program, change)),
  ];
}
