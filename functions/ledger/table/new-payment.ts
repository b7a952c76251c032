import { commit } from '../../kernel/dynamodb/commit.ts';
import { NOT_EXISTS, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { type Item, optional } from '../../kernel/dynamodb/item.ts';
import { entryClaimKey, paymentChangeKey, paymentKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, get, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { type EvaluableCondition, type LabelledWrite, putWrite } from '../../kernel/dynamodb/writes.ts';
import { texts } from '../../kernel/fields/parsers.ts';
import { secondOf } from '../../kernel/time.ts';
import type { PaymentEntry, RulesSeen } from '../rules/entry.ts';
import { newPayment, type Payment } from '../rules/payment.ts';
import { newestFact, type ReportedChange, reportsOf, setFacts } from '../rules/provider-refunds.ts';
import { mergeFacts, type ProviderFact } from '../rules/provider-reports.ts';
import { entryWrites, type Ledger, writingAt } from './entries.ts';
import { claimWrite } from './entry-claims.ts';
import { storedPayment, toPaymentItem } from './payment-item.ts';
import { parseWaiting, sameAs, toWaitingItem, type Waiting } from './waiting.ts';

/** The writes of the ledger in a transaction. Callers add their own. */
export type LedgerWrite = LabelledWrite<string>;

/** A payment to record. */
export interface NewPayment {
  readonly entry: PaymentEntry;
  /** What decided its commission by rules; `null` without rules. */
  readonly seen: RulesSeen | null;
  /** What the customer paid in all, if Stripe reports the payment; otherwise `null`. */
  readonly gross: number | null;
  /** The item of the payment's id, as it was read: what Stripe has reported may wait for the payment. */
  readonly item: Item | undefined;
}

/** How many payment intents and charges one transaction applies: of the largest size, they are less than its 4 MB. */
const LINKS_AT_ONCE = 25;

/**
 * Builds the writes of a new payment, with the refunds and disputes that waited for it in the first payment intents.
 * `applyLinks` applies the others. Reads nothing if nothing waited.
 */
export async function newPaymentWrites(
  table: Table,
  ledger: Ledger,
  { entry, seen, gross, item }: NewPayment,
): Promise<LedgerWrite[]> {
  const { paidBy: links, facts, ...waiting } = parseWaiting(entry.paymentId, item, secondOf(table.clock()));
  const reports = gross === null ? null : { gross, refundedBefore: 0, facts: [] };
  const payment: Payment = { ...newPayment(entry), reports, links, version: waiting.version };
  const writes = await linkWrites(table, ledger, { payment, condition: sameAs(waiting), facts });
  return [...entryWrites(ledger.program, entry, seen), ...writes];
}

/** True if more payment intents pay an invoice than the transaction of its payment applies, or has applied. */
export function hasMoreLinks(item: Item | undefined): boolean {
  const links = (item && optional(item, 'paid_by', texts)) ?? [];
  return links.length > (storedPayment(item) ? 0 : LINKS_AT_ONCE);
}

/** Applies the links that the transaction of a payment left. A repetition continues. Throws `Unavailable`. */
export async function applyLinks(table: Table, ledger: Ledger, paymentId: string): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    hasMore = await retryOnConflict<boolean>(table, async () => {
      const before = storedPayment(await get(table, paymentKey(ledger.program, paymentId)));
      if (!before || before.links.length === 0) return { result: false };
      const condition = unchangedSince(before);
      const writes = await linkWrites(table, ledger, { payment: before, condition, facts: [] });
      return commit(table, writes, before.links.length > LINKS_AT_ONCE);
    });
  }
}

/** A payment with links to apply, and the condition under which it is written. */
interface Linked {
  readonly payment: Payment;
  readonly condition: EvaluableCondition;
  /** What else waited for it. */
  readonly facts: readonly ProviderFact[];
}

/** Builds the writes that apply the next links of a payment. */
async function linkWrites(
  table: Table,
  ledger: Ledger,
  { payment, condition, facts: others }: Linked,
): Promise<LedgerWrite[]> {
  const { program } = ledger;
  const now = secondOf(table.clock());
  const sources = await readSources(table, program, payment.paymentId, payment.links.slice(0, LINKS_AT_ONCE));
  // Nothing waits in a payment intent of several invoices: it counts for none of them.
  const waited = [...others, ...sources.flatMap(({ facts }) => facts)];
  const facts = waited.filter(({ currency }) => currency === payment.currency);
  const before = { ...payment, links: payment.links.slice(LINKS_AT_ONCE) };
  // Facts in another currency count for nothing, but Stripe reports the refunds.
  const change: ReportedChange =
    waited.length === 0
      ? { payment: { ...before, version: before.version + 1 }, entry: null }
      : setFacts(
          before,
          mergeFacts(reportsOf(before).facts, facts),
          newestFact(facts.length > 0 ? facts : waited),
          writingAt(table, ledger),
        );
  return [
    putWrite('payment', toPaymentItem(program, change.payment), condition),
    ...(await changeWrites(table, program, change)),
    // They no longer wait, so they are kept. Of two events at the same moment, the later one sees the earlier one.
    ...sources.map((source, index) =>
      putWrite(`source ${index}`, toWaitingItem(program, { ...source, facts: [], isKept: true }, now), sameAs(source)),
    ),
  ];
}

/** Reads payment intents and charges that pay an invoice. */
async function readSources(table: Table, program: string, id: string, links: readonly string[]): Promise<Waiting[]> {
  const items = await batchGet(
    table,
    links.map((source) => paymentKey(program, source)),
  );
  const now = secondOf(table.clock());
  return links.flatMap((source, index) => {
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
    ...entryWrites(program, entry),
    putWrite('change', { ...paymentChangeKey(program, payment.paymentId, entry) }, NOT_EXISTS),
    ...(claim ? [] : [claimWrite(program, 'refund', refundId, entry)]),
  ];
}
