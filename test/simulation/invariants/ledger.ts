import { isDeepStrictEqual } from 'node:util';
import type { Entry } from '../../../functions/domain/ledger/entry-fields.ts';
import { toEntry } from '../../../functions/http/entry.ts';
import type { Item } from '../../../functions/table/dynamodb/item.ts';
import { isEntryKey, keyOf, paymentKey, programInKey } from '../../../functions/table/keys.ts';
import { parseEntry } from '../../../functions/table/ledger/entries.ts';
import { expectedCommission, expectedLeft } from '../../support/ledger/money-oracle.ts';
import type { FakeTable } from '../fake/table.ts';
import type { Check, Evidence } from './evidence.ts';

/** An entry of the ledger, and its program. */
export interface StoredEntry {
  readonly program: string;
  readonly item: Item;
  readonly entry: Entry;
}

/** Returns all entries of the ledger. */
export function storedEntries(table: FakeTable): StoredEntry[] {
  return [...table.items.values()]
    .filter((item) => isEntryKey(keyOf(item)))
    .map((item) => ({ program: programInKey(String(item['pk'])), item, entry: parseEntry(item) }));
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
};

function* acknowledgedProblems(entries: readonly StoredEntry[], knowledge: Evidence['knowledge']): Iterable<string> {
  const stored = new Map(entries.map(({ program, entry }) => [`${program} ${entry.id}`, entry]));
  for (const [id, resource] of knowledge.entries) {
    const entry = stored.get(id);
    if (!entry || !isDeepStrictEqual(toEntry(entry), resource))
      yield `The acknowledged entry ${id} is not stored as such`;
  }
}

/** What is wrong with the entries of one payment; `undefined` if nothing is. */
function problemOf(table: FakeTable, parts: readonly StoredEntry[]): string | undefined {
  const payments = parts.filter(({ entry }) => entry.kind === 'payment');
  const [first] = payments;
  if (!first || payments.length > 1) return `has ${payments.length} entries`;
  const { amount, commission, commissionPercentage: rate, note, paymentId, advocateSlug } = first.entry;
  const earned = note === null ? expectedCommission(amount ?? 0, rate ?? 0) : 0;
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
