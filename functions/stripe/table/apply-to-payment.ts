import { commit } from '../../kernel/dynamodb/commit.ts';
import { unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import { entryClaimKey, paymentKey } from '../../kernel/dynamodb/keys.ts';
import { batchGet, get, type Outcome, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { checkWrite, put, putWrite } from '../../kernel/dynamodb/writes.ts';
import { text } from '../../kernel/fields/parsers.ts';
import { type Seconds, secondOf } from '../../kernel/time.ts';
import type { Payment } from '../../ledger/rules/payment.ts';
import { newestFact, type ReportedChange, reportsOf, setFacts } from '../../ledger/rules/provider-refunds.ts';
import {
  MAX_FACTS,
  MAX_LINKS,
  mergeFacts,
  type ProviderFact,
  type ProviderReport,
} from '../../ledger/rules/provider-reports.ts';
import { type Ledger, parsePosition, writingAt } from '../../ledger/table/entries.ts';
import { changeWrites } from '../../ledger/table/new-payment.ts';
import { storedPayment, toPaymentItem } from '../../ledger/table/payment-item.ts';
import { addTo, parseWaiting, sameAs, toWaitingItem, type Waiting } from '../../ledger/table/waiting.ts';
import { findReferral } from '../../referrals/table/customers.ts';
import type { EventResult, Ignored } from '../rules/provider-event.ts';

/** An attempt to record a report, and what it found. */
interface Attempt {
  readonly table: Table;
  readonly ledger: Ledger;
  readonly report: ProviderReport;
  readonly now: Seconds;
  /** The id of the entry that the event wrote before. */
  readonly written: string | undefined;
}

/** What is known of a payment intent or charge, before and after a report. */
interface Source {
  readonly before: Waiting;
  readonly after: Waiting;
}

/**
 * Records a refund, a dispute or the invoice of a payment intent: in the payment, with an entry over the difference, or
 * until the payment is known. Each attempt writes under the versions of what it read, so that the later
 * of two events at the same moment sees the earlier one. A repeated event changes nothing. Throws `Unavailable`.
 */
export function recordReport(table: Table, ledger: Ledger, report: ProviderReport): Promise<EventResult> {
  return retryOnConflict(table, () => attempt(table, ledger, report));
}

async function attempt(table: Table, ledger: Ledger, report: ProviderReport): Promise<Outcome<EventResult>> {
  const { program } = ledger;
  const { source: id, invoice, fact } = report;
  const [item, invoiceItem, claim] = await batchGet(table, [
    paymentKey(program, id),
    invoice === null ? undefined : paymentKey(program, invoice),
    fact === null ? undefined : entryClaimKey(program, 'refund', report.eventId),
  ]);
  const written = claim && parsePosition(required(claim, 'entry', text)).id;
  const current: Attempt = { table, ledger, report, now: secondOf(table.clock()), written };
  const facts = fact ? [fact] : [];
  const own = storedPayment(item);
  if (own) return toPayment(current, own, facts, null);
  const before = parseWaiting(id, item, current.now);
  const after = addTo(before, { pays: invoice === null ? [] : [invoice], facts });
  const source = { before, after };
  const [paid, ...others] = after.pays;
  if (others.length > 0) return toSeveral(current, source, invoiceItem);
  const payer = paid === undefined || paid === invoice ? invoiceItem : await get(table, paymentKey(program, paid));
  const payment = storedPayment(payer);
  if (payment)
    return toPayment(current, payment, after.facts, { before, after: { ...after, facts: [], isKept: true } });
  return wait(current, source, payer);
}

/** Stores a refund, a dispute or a link until its payment is known. `payer` is what is stored of its invoice. */
async function wait(current: Attempt, source: Source, payer: Item | undefined): Promise<Outcome<EventResult>> {
  const [paid] = source.after.pays;
  if (isFull(current, source, paid === undefined ? undefined : parseWaiting(paid, payer, current.now))) {
    return { result: ignored(current, 'too_many') };
  }
  // The invoice first: the event is repeated until its source is stored, and both expire together.
  const isNoted = paid === undefined || (await addPayer(current, paid, payer, source));
  const isStored = isNoted && (await store(current, source));
  return isStored ? { result: ignored(current, 'unknown_payment') } : { conflict: undefined };
}

/** Records facts in their payment. `source` is `null` for the payment of a payment intent without an invoice. */
async function toPayment(
  current: Attempt,
  payment: Payment,
  facts: readonly ProviderFact[],
  source: Source | null,
): Promise<Outcome<EventResult>> {
  const { table, ledger, report } = current;
  const known = reportsOf(payment).facts;
  const merged = mergeFacts(
    known,
    facts.filter(({ currency }) => currency === payment.currency),
  );
  // From the first refund or dispute on, in whichever currency, Stripe reports the refunds.
  const isFirst = payment.reports === null && facts.length > 0;
  if (merged === known && !isFirst) return toUnchanged(current, payment, source);
  if (merged.length > Math.max(MAX_FACTS, known.length)) return { result: ignored(current, 'too_many') };
  const added = merged.filter((fact) => !known.includes(fact));
  const change = setFacts(payment, merged, newestFact(added.length > 0 ? added : facts), writingAt(table, ledger));
  const stored = await storeChange(current, payment, change, source);
  if ('conflict' in stored) return stored;
  return isOtherCurrency(report, payment)
    ? { result: ignored(current, 'other_currency') }
    : applied(current, payment, change.entry?.id ?? current.written);
}

/** A report that adds nothing to its payment may still add to what is known of its payment intent. */
async function toUnchanged(current: Attempt, payment: Payment, source: Source | null): Promise<Outcome<EventResult>> {
  const isNew = source !== null && isChanged(source);
  if (isNew && !(await store(current, source))) return { conflict: undefined };
  if (isOtherCurrency(current.report, payment)) return { result: ignored(current, 'other_currency') };
  return isNew || current.written !== undefined
    ? applied(current, payment, current.written)
    : { result: { ignored: 'nothing_to_do' } };
}

function isOtherCurrency({ fact }: ProviderReport, { currency }: Payment): boolean {
  return fact !== null && fact.currency !== currency;
}

/** A payment intent of several invoices: its refunds and disputes count for none of them, whichever came first. */
async function toSeveral(
  current: Attempt,
  { before, after }: Source,
  invoiceItem: Item | undefined,
): Promise<Outcome<EventResult>> {
  const { table, ledger, report } = current;
  const [paid, ...others] = before.pays;
  const isFirst = paid !== undefined && others.length === 0;
  const payment = isFirst ? storedPayment(await get(table, paymentKey(ledger.program, paid))) : undefined;
  const known = payment ? reportsOf(payment).facts : [];
  const left = known.filter(({ source }) => source !== report.source);
  const isKept = before.isKept || storedPayment(invoiceItem) !== undefined;
  const source = { before, after: { ...after, facts: [], isKept } };
  const result = { result: ignored(current, 'several_invoices') };
  if (!payment) {
    const isStored = (await store(current, source)) && (await addReportedPayer(current, invoiceItem));
    return isStored ? result : { conflict: undefined };
  }
  // Written even if it has no such facts: a refund at the same moment, which still belongs to it, then conflicts.
  const refund = { refundId: report.eventId, refundedAt: report.createdAt };
  const change = setFacts(payment, left, refund, writingAt(table, ledger));
  if (!(await addReportedPayer(current, invoiceItem))) return { conflict: undefined };
  const stored = await storeChange(current, payment, change, source);
  return 'conflict' in stored ? stored : result;
}

/** Stores a changed payment with the entry of the change and with the source of the facts. */
async function storeChange(
  { table, ledger: { program }, report, now, written }: Attempt,
  before: Payment,
  change: ReportedChange,
  source: Source | null,
): Promise<Outcome<undefined>> {
  const writes = [
    putWrite('payment', toPaymentItem(program, change.payment), unchangedSince(before)),
    ...(await changeWrites(table, program, change, written === undefined ? report.eventId : undefined)),
    ...(source === null
      ? []
      : [
          isChanged(source)
            ? putWrite('source', toWaitingItem(program, source.after, now), sameAs(source.before))
            : checkWrite('source', paymentKey(program, report.source), sameAs(source.before)),
        ]),
  ];
  return commit(table, writes, undefined);
}

function isChanged({ before, after }: Source): boolean {
  const isKnown = after.pays === before.pays && after.isKept === before.isKept;
  return !isKnown || (after.facts !== before.facts && after.facts.length + before.facts.length > 0);
}

/** True if there is no room for what would wait: the payment of the invoice must have room for all of it. */
function isFull({ report }: Attempt, source: Source, invoice: Waiting | undefined): boolean {
  const { before, after } = source;
  const isMore = (count: number, added: number) => added > 0 && count + added > MAX_FACTS;
  if (isMore(before.facts.length, after.facts.length - before.facts.length)) return true;
  if (!invoice) return false;
  const isNew = !invoice.paidBy.includes(report.source);
  return (isNew && invoice.paidBy.length >= MAX_LINKS) || isMore(invoice.factCount, addedFacts(source, invoice));
}

/** How many refunds and disputes a source adds to an invoice that is not known yet. */
function addedFacts({ before, after }: Source, { paidBy }: Waiting): number {
  return after.facts.length - (paidBy.includes(after.id) ? before.facts.length : 0);
}

/** Stores what waits. It needs no transaction, which would cost twice as much: a repetition completes it. */
async function store({ table, ledger: { program }, now }: Attempt, source: Source): Promise<boolean> {
  if (!isChanged(source)) return true;
  return !(await put(table, toWaitingItem(program, source.after, now), sameAs(source.before)));
}

/** Notes at the invoice of the report, unless it is known, which payment intent or charge pays it. */
async function addReportedPayer(current: Attempt, item: Item | undefined): Promise<boolean> {
  const { invoice } = current.report;
  return invoice === null || storedPayment(item) !== undefined || addPayer(current, invoice, item);
}

/** Notes at an invoice that is not known yet which payment intent or charge pays it. A renewed note waits anew. */
async function addPayer(
  { table, ledger: { program }, report: { source }, now }: Attempt,
  invoice: string,
  item: Item | undefined,
  waiting?: Source,
): Promise<boolean> {
  const before = parseWaiting(invoice, item, now);
  const after = addTo(before, { paidBy: [source] });
  const isSame = after === before && !(waiting && isChanged(waiting));
  const factCount = before.factCount + (waiting ? addedFacts(waiting, before) : 0);
  return isSame || !(await put(table, toWaitingItem(program, { ...after, factCount }, now), sameAs(before)));
}

/** The result of a report that did something, or had done it before. */
async function applied(
  { table, ledger }: Attempt,
  payment: Payment,
  entry: string | undefined,
): Promise<Outcome<EventResult>> {
  const referral = await findReferral(table, ledger.program, payment.referralId);
  if (!referral) throw new ReferenceError('The referral of a payment does not exist.');
  return { result: { applied: referral.state, ...(entry !== undefined && { entry }) } };
}

/** The result of a report that changes no balance now. */
function ignored({ written }: Attempt, code: Ignored): EventResult {
  return { ignored: code, ...(written !== undefined && { entry: written }) };
}
