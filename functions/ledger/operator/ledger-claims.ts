import { rulesOf } from '../../kernel/accounts/table/commission-rules.ts';
import type { Item } from '../../kernel/dynamodb/item.ts';
import { entryKey, type Key, lastPart } from '../../kernel/dynamodb/keys.ts';
import { get, type Table } from '../../kernel/dynamodb/table.ts';
import { bulkStoreOf, nameOf, readAll } from '../../kernel/operator/bulk-writes.ts';
import { earnedBy } from '../rules/entry.ts';
import type { Entry } from '../rules/entry-fields.ts';
import { parseEntry } from '../table/entries.ts';
import { claimedKey, type Lead, leadsTo } from '../table/entry-claims.ts';

/** A value that is not what the entries say. */
export interface Difference {
  /** The month or the day of a sum, or the id of a payment, a refund, an adjustment or a settlement. */
  readonly subject: string;
  readonly field: string;
  /** Values as text, because sums may exceed 2^53; `null` if there is none. */
  readonly stored: string | null;
  readonly computed: string | null;
}

/** Returns the payments whose commission is not the commission of their amount, rate or rule, and note. */
export async function commissionDifferences(
  table: Table,
  program: string,
  entries: readonly Entry[],
): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const entry of entries.filter(({ kind }) => kind === 'payment')) {
    const earned = earnedBy(entry, await rulesOf(table, program, entry));
    if (earned === null || earned === entry.commission) continue;
    const [stored, computed] = [String(entry.commission), String(earned)];
    differences.push({ subject: entry.paymentId ?? entry.id, field: 'amount × rate or rule', stored, computed });
  }
  return differences;
}

/** Returns the ids that do not lead to their entries. The items of payments are compared elsewhere, field by field. */
export async function claimDifferences(
  table: Table,
  program: string,
  entries: readonly Entry[],
): Promise<Difference[]> {
  const leads = entries
    .flatMap((entry) => leadsTo(program, entry).map((lead) => ({ ...lead, entry })))
    .filter(({ kind }) => kind !== 'payment');
  const keys = leads.map(({ key }) => key);
  const found = await readAll(bulkStoreOf(table), keys);
  const differences: Difference[] = [];
  for (const { entry, ...lead } of leads) {
    const item = found.get(nameOf(lead.key));
    const computed = positionOf(entryKey(program, entry.advocateSlug, entry));
    const stored = item ? storedPosition(program, lead, item, computed) : null;
    if (stored === computed || (await isClaimedByAnother(table, program, entry, item))) continue;
    differences.push({ subject: lead.id, field: lead.kind, stored, computed });
  }
  return differences;
}

const positionOf = ({ pk, sk }: Key): string => `${lastPart(pk)} ${sk}`;

/** The key of a change is the position of its entry. */
function storedPosition(program: string, { kind }: Lead, item: Item, computed: string): string {
  return kind === 'change' ? computed : positionOf(claimedKey(program, item));
}

/** Several entries can be over the same refund at Stripe, or have the id that the API gave to another refund. */
async function isClaimedByAnother(table: Table, program: string, entry: Entry, claim: Item | undefined) {
  if (entry.refundId === null || claim?.['entry'] === undefined) return false;
  const claimed = await get(table, claimedKey(program, claim));
  return claimed !== undefined && parseEntry(claimed).refundId === entry.refundId;
}
