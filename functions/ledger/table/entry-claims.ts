import type { Advocate } from '../../kernel/accounts/rules/advocate.ts';
import { parseAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { commit } from '../../kernel/dynamodb/commit.ts';
import { NOT_EXISTS } from '../../kernel/dynamodb/conditions.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import {
  advocateKey,
  type ClaimedKind,
  entryClaimKey,
  entryKey,
  type Key,
  paymentChangeKey,
  paymentKey,
  sortKey,
} from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import {
  type EvaluableCondition,
  type FailedConditions,
  type LabelledPut,
  type LabelledWrite,
  putWrite,
} from '../../kernel/dynamodb/writes.ts';
import { InvalidAffiliate } from '../../kernel/errors.ts';
import { text } from '../../kernel/fields/parsers.ts';
import { type Adjustment, adjustmentEntry, type Writing } from '../rules/entry.ts';
import type { Entry } from '../rules/entry-fields.ts';
import { EntryExists } from '../rules/errors.ts';
import { entryWrites, getEntry, type Ledger, parsePosition, type Recorded, recordEntry } from './entries.ts';

/** Builds the claim of an id of the merchant's, which leads to its entry. */
export function claimWrite(
  program: string,
  kind: ClaimedKind,
  id: string,
  entry: Entry,
): LabelledPut<'claim', EvaluableCondition> {
  const { advocateSlug: affiliate_slug, createdAt } = entry;
  const item = { ...entryClaimKey(program, kind, id), affiliate_slug, entry: sortKey(createdAt, entry.id) };
  return putWrite('claim', item, NOT_EXISTS);
}

/** An item that leads to an entry, and the id of the merchant's in its key. */
export interface Lead {
  /** A `change` is a refund or a void among the entries of its payment. */
  readonly kind: 'payment' | 'change' | ClaimedKind;
  readonly id: string;
  readonly key: Key;
}

/** Lists the items that lead to an entry. Several refunds can have the same claim. */
export function leadsTo(program: string, entry: Entry): Lead[] {
  const { kind, paymentId, refundId, adjustmentId, settlementId } = entry;
  const ofPayment = (id: string): Lead =>
    kind === 'payment'
      ? { kind, id, key: paymentKey(program, id) }
      : { kind: 'change', id, key: paymentChangeKey(program, id, entry) };
  const claims = [
    ['refund', refundId],
    ['adjustment', adjustmentId],
    ['settlement', settlementId],
  ] as const;
  return [
    ...(paymentId === null ? [] : [ofPayment(paymentId)]),
    ...claims.flatMap(([claimed, id]) =>
      id === null ? [] : [{ kind: claimed, id, key: entryClaimKey(program, claimed, id) }],
    ),
  ];
}

/** Reads the entry of a claim. */
export function claimedEntry(table: Table, program: string, claim: Item): Promise<Entry> {
  const position = parsePosition(required(claim, 'entry', text));
  return getEntry(table, program, required(claim, 'affiliate_slug', text), position);
}

/** Returns the key of the entry of a claim. */
export function claimedKey(program: string, claim: Item): Key {
  return entryKey(program, required(claim, 'affiliate_slug', text), parsePosition(required(claim, 'entry', text)));
}

/**
 * Records a bonus or a correction with one read and one transaction. Returns the first entry if it is repeated. Throws
 * `InvalidAffiliate` or `EntryExists`; then nothing is written.
 */
export function recordAdjustment(table: Table, ledger: Ledger, adjustment: Adjustment): Promise<Recorded> {
  const { slug, adjustmentId, commission, currency, note } = adjustment;
  return recordClaimed(table, ledger, {
    kind: 'adjustment',
    id: adjustmentId,
    slug,
    build: (writing) => adjustmentEntry(adjustment, writing),
    isSame: (entry) => entry.commission === commission && entry.currency === currency && entry.note === note,
  });
}

/** An entry with an id of the merchant's, and how a repetition is recognized. */
interface ClaimedEntry {
  readonly kind: ClaimedKind;
  readonly id: string;
  readonly slug: string;
  readonly build: (writing: Writing, advocate: Advocate) => Entry;
  readonly isSame: (entry: Entry) => boolean;
  /** Other writes of the transaction. */
  readonly also?: readonly LabelledWrite<string>[];
  /** Throws if one of their conditions must not fail. */
  readonly refuse?: (failed: FailedConditions<string>) => void;
}

/**
 * Records an entry with an id of the merchant's, with one read and one transaction. Returns the first entry if it is
 * repeated. Throws `InvalidAffiliate`, `EntryExists`, or what `refuse` throws; then nothing is written.
 */
export function recordClaimed(
  table: Table,
  ledger: Ledger,
  { kind, id, slug, build, isSame, also = [], refuse }: ClaimedEntry,
): Promise<Recorded> {
  const { program } = ledger;
  return recordEntry(table, ledger, async (newWriting) => {
    const [item, claim] = await batchGet(table, [advocateKey(program, slug), entryClaimKey(program, kind, id)]);
    // Deactivated and erased advocates have a balance, which can be settled.
    if (!item) throw new InvalidAffiliate();
    if (claim) {
      const entry = await claimedEntry(table, program, claim);
      if (entry.advocateSlug !== slug || !isSame(entry)) throw new EntryExists(kind);
      return { result: { entry, isNew: false } };
    }
    const entry = build(newWriting(), parseAdvocate(item));
    const writes = [...entryWrites(program, entry), claimWrite(program, kind, id, entry), ...also];
    return commit(table, writes, { entry, isNew: true }, refuse);
  });
}
