import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { isEntryKey, keyOf, paymentKey, programInKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { toEntry } from '../../../functions/ledger/http/entry.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { parseEntry } from '../../../functions/ledger/table/entries.ts';
import { expectedCommission, expectedLeft } from '../../support/ledger/money-oracle.ts';
import type { FakeTable } from '../fake/table.ts';
import type { Check, Evidence } from './evidence.ts';

/** An entry of the ledger, and its program. */
export interface StoredEntry {
  readonly program: string;
  readonly item: Item;
  readonly entry: Entry;
}

/** Items never change, so each is parsed once. */
const parsed = new WeakMap<Item, StoredEntry>();

/** Parses an entry. */
export function entryOf(item: Item): StoredEntry {
  const stored = parsed.get(item) ?? { program: programInKey(String(item['pk'])), item, entry: parseEntry(item) };
  parsed.set(item, stored);
  return stored;
}

/** Returns all entries of the ledger. */
export function storedEntries(table: FakeTable): StoredEntry[] {
  return [...table.items.values()].filter((item) => isEntryKey(keyOf(item))).map(entryOf);
}

/** Checks all entries: against what was acknowledged, each id, and the sums of each payment. */
export const ledgerProblems: Check = function* ({ table, knowledge }) {
  const entries = storedEntries(table);
  yield* acknowledgedProblems(entries, knowledge);
  const names = new Set<string>();
  for (const { program, entry } of entries) {
    const { kind, paymentId, refundId, adjustmentId, settlementId } = entry;
    const name = `${program} ${kind} ${refundId ?? adjustmentId ?? settlementId ?? paymentId}`;
    if (names.has(name)) yield `There are two entries of ${name}`;
    names.add(name);
  }
  const ofPayments = entries.filter(({ entry }) => entry.paymentId !== null);
  const byPayment = Map.groupBy(ofPayments, ({ program, entry }) => `${program} ${entry.paymentId}`);
  for (const [name, parts] of byPayment) {
    const problem = problemOf(table, parts);
    if (problem) yield `The payment ${name} ${problem}`;
  }
  yield* billedProblems(byPayment, knowledge);
  yield* importedProblems(byPayment, names, knowledge);
  yield* payoutProblems(entries, knowledge);
};

type ByPayment = ReadonlyMap<string, readonly StoredEntry[]>;

/** Compares the payments that only Stripe reports with what its events are worth in any order. */
function* billedProblems(byPayment: ByPayment, { billed }: Evidence['knowledge']): Iterable<string> {
  for (const { shop, slug, oracle, voided } of billed.filter(({ busy }) => !busy)) {
    for (const { id, amount, currency, refunded, left } of oracle.payments()) {
      const expected = [slug, currency, amount, -refunded, voided.has(id) ? 0 : left].join(' ');
      const stored = sumsOf(byPayment.get(`${shop.program.id} ${id}`) ?? []);
      if (stored !== expected) yield `Stripe's payment ${id} of ${shop.mark} is ${stored} instead of ${expected}`;
    }
  }
}

/** Advocate, currency, amount, refunds, and what is left of the commission. */
function sumsOf(parts: readonly StoredEntry[]): string {
  const sum = (isWanted: (entry: Entry) => boolean, of: (entry: Entry) => number | null) =>
    parts.reduce((total, { entry }) => total + (isWanted(entry) ? (of(entry) ?? 0) : 0), 0);
  return [
    ...[parts[0]?.entry.advocateSlug, parts[0]?.entry.currency],
    sum(
      ({ kind }) => kind === 'payment',
      ({ amount }) => amount,
    ),
    sum(
      ({ kind }) => kind === 'refund',
      ({ amount }) => amount,
    ),
    sum(
      () => true,
      ({ commission }) => commission,
    ),
  ].join(' ');
}

/** Compares the payments of imported files with their entries. */
function* importedProblems(
  byPayment: ByPayment,
  names: ReadonlySet<string>,
  { importedPayments }: Evidence['knowledge'],
): Iterable<string> {
  for (const { shop, id, amount, refunded, settled } of importedPayments) {
    const parts = byPayment.get(`${shop.program.id} ${id}`) ?? [];
    const stored = sumsOf(parts).split(' ').slice(2, 4).join(' ');
    if (stored !== `${amount} ${-refunded}`) yield `The imported payment ${id} is ${stored}`;
    const isSettled = names.has(`${shop.program.id} settlement import:${id}`);
    if (isSettled !== settled > 0) yield `The imported payment ${id} ${isSettled ? 'is' : 'is not'} settled`;
  }
}

/** Payouts that were printed to pay from, and are not recorded. */
function* payoutProblems(entries: readonly StoredEntry[], { payouts }: Evidence['knowledge']): Iterable<string> {
  const settled = new Map(
    entries.flatMap(({ program, entry: { kind, settlementId, advocateSlug, commission, currency } }) =>
      kind === 'settlement' ? [[`${program} ${settlementId}`, `${advocateSlug} ${-commission} ${currency}`]] : [],
    ),
  );
  for (const [name, paid] of payouts) {
    if (settled.get(name) !== paid) yield `The payout ${name} of ${paid} is recorded as ${settled.get(name)}`;
  }
}

function* acknowledgedProblems(entries: readonly StoredEntry[], knowledge: Evidence['knowledge']): Iterable<string> {
  const stored = new Map(entries.map(({ program, entry }) => [`${program} ${entry.id}`, entry]));
  for (const [id, resource] of knowledge.entries) {
    const entry = stored.get(id);
    if (!entry || !isDeepStrictEqual(toEntry(entry), resource))
      yield `The acknowledged entry ${id} is not stored as such`;
  }
  for (const id of knowledge.reported) if (!stored.has(id)) yield `The entry ${id} that Stripe was told is not stored`;
}

/** What is wrong with the entries of one payment; `undefined` if nothing is. */
function problemOf(table: FakeTable, parts: readonly StoredEntry[]): string | undefined {
  const payments = parts.filter(({ entry }) => entry.kind === 'payment');
  const [first] = payments;
  if (!first || payments.length > 1) return `has ${payments.length} entries`;
  const { amount, commission, commissionPercentage: rate, note, paymentId, advocateSlug } = first.entry;
  // An import may replace the commission that the rate gives.
  const earned = note !== null ? 0 : rate === null ? commission : expectedCommission(amount ?? 0, rate);
  if (commission !== earned) return `earned ${commission} instead of ${earned}`;
  if (parts.some(({ entry }) => entry.advocateSlug !== advocateSlug)) return 'has entries of several advocates';
  const refunded = parts.reduce((sum, { entry }) => sum - (entry.kind === 'refund' ? (entry.amount ?? 0) : 0), 0);
  const isVoided = parts.some(({ entry }) => entry.kind === 'void');
  const left = isVoided ? 0 : expectedLeft(commission, amount ?? 0, refunded);
  const sum = parts.reduce((total, { entry }) => total + entry.commission, 0);
  if (sum !== left) return `adds up to ${sum} instead of ${left}`;
  const item = table.get({ ...paymentKey(first.program, paymentId ?? '') });
  return item?.['refunded'] === refunded ? undefined : `was refunded ${refunded}, but stores ${item?.['refunded']}`;
}
