import type { PaymentEntry } from '../../domain/ledger/entry.ts';
import { newPayment, type Payment } from '../../domain/ledger/payment.ts';
import { newestFact, type ReportedChange, setFacts } from '../../domain/ledger/stripe-facts.ts';
import { mergeFacts } from '../../domain/ledger/stripe-reports.ts';
import { secondOf } from '../../domain/time.ts';
import { NOT_EXISTS } from '../dynamodb/conditions.ts';
import type { Item } from '../dynamodb/item.ts';
import { batchGet, get, type Table } from '../dynamodb/table.ts';
import { type LabelledWrite, putWrite } from '../dynamodb/writes.ts';
import { entryClaimKey, paymentChangeKey, paymentKey } from '../keys.ts';
import { entryWrite, type Ledger, writingAt } from './entries.ts';
import { claimWrite } from './entry-claims.ts';
import { storedPayment, toPaymentItem } from './payment-item.ts';
import { parseWaiting, sameAs, toWaitingItem, type Waiting } from './waiting.ts';

/** The writes of the ledger in a transaction. Callers add their own. */
export type LedgerWrite = LabelledWrite<string>;

/** A payment to record. */
export interface NewPayment {
  readonly entry: PaymentEntry;
  /** What the customer paid in all, if Stripe reports the payment; otherwise `null`. */
  readonly gross: number | null;
  /** The item of the payment's id, as it was read: what Stripe has reported may wait for the payment. */
  readonly item: Item | undefined;
}

/**
 * Builds the writes of a new payment, with the refunds and disputes that waited for it. Reads nothing if nothing waited.
 */
export async function newPaymentWrites(
  table: Table,
  ledger: Ledger,
  { entry, gross, item }: NewPayment,
): Promise<LedgerWrite[]> {
  const { program } = ledger;
  const now = secondOf(table.clock());
  const waiting = parseWaiting(entry.paymentId, item, now);
  const sources = await readSources(table, program, waiting);
  // Nothing waits in a payment intent of several invoices: it counts for none of them.
  const waited = [waiting, ...sources].flatMap(({ facts }) => facts);
  const facts = mergeFacts(
    [],
    waited.filter(({ currency }) => currency === entry.currency),
  );
  const payment: Payment = {
    ...newPayment(entry),
    // Facts in another currency count for nothing, but Stripe reports the refunds.
    stripe: gross === null && waited.length === 0 ? null : { gross, refundedBefore: 0, facts: [] },
    version: waiting.version + 1,
  };
  const change = facts.length === 0 ? null : setFacts(payment, facts, newestFact(facts), writingAt(table, ledger));
  return [
    entryWrite(program, entry),
    putWrite('payment', toPaymentItem(program, change?.payment ?? payment), sameAs(waiting)),
    ...(change ? await changeWrites(table, program, change) : []),
    // They no longer wait, so they are kept. Of two events at the same moment, the later one sees the earlier one.
    ...sources.map((source, index) =>
      putWrite(`source ${index}`, toWaitingItem(program, { ...source, facts: [], isKept: true }, now), sameAs(source)),
    ),
  ];
}

/** Reads the payment intents and charges that pay an invoice. */
async function readSources(table: Table, program: string, { id, paidBy }: Waiting): Promise<Waiting[]> {
  const items = await batchGet(
    table,
    paidBy.map((source) => paymentKey(program, source)),
  );
  const now = secondOf(table.clock());
  return paidBy.flatMap((source, index) => {
    const item = items[index];
    // The id of a payment needs no link.
    if (storedPayment(item)) return [];
    const found = parseWaiting(source, item, now);
    if (found.pays.length === 0) return [{ ...found, pays: [id] }];
    // If it pays another invoice, the event that noted it here is still under way: it also corrects the other payment.
    return found.pays.includes(id) ? [found] : [];
  });
}

/**
 * Builds the writes of the entry over the difference, by which the entries of the payment and a repeated event find it.
 * Returns none if there is no difference. `free` is an id that no refund has, which costs a request less.
 */
export async function changeWrites(
  table: Table,
  program: string,
  { payment, entry }: ReportedChange,
  free?: string,
): Promise<LedgerWrite[]> {
  if (!entry) return [];
  const refundId = entry.refundId ?? entry.id;
  // A refund over the API may have the id of an event.
  const claim = refundId === free ? undefined : await get(table, entryClaimKey(program, 'refund', refundId));
  return [
    entryWrite(program, entry),
    putWrite('change', { ...paymentChangeKey(program, payment.paymentId, entry) }, NOT_EXISTS),
    ...(claim ? [] : [claimWrite(program, 'refund', refundId, entry)]),
  ];
}
