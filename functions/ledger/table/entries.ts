import { commit } from '../../kernel/dynamodb/commit.ts';
import { NOT_EXISTS } from '../../kernel/dynamodb/conditions.ts';
import type { LabelledIncrement } from '../../kernel/dynamodb/increments.ts';
import { type Item, parseFields, required, toAttributes } from '../../kernel/dynamodb/item.ts';
import {
  entryKey,
  lastPart,
  parseSortKey,
  programSettlements,
  referralEntries,
  sortKey,
} from '../../kernel/dynamodb/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { get, type Outcome, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import {
  type EvaluableCondition,
  type LabelledPut,
  type LabelledWrite,
  putWrite,
} from '../../kernel/dynamodb/writes.ts';
import { text } from '../../kernel/fields/parsers.ts';
import { uuidv7 } from '../../kernel/ids.ts';
import { secondOf } from '../../kernel/time.ts';
import { moneyWrite } from '../../referrals/table/money.ts';
import type { RulesSeen, Writing } from '../rules/entry.ts';
import { ENTRY_FIELDS, type Entry, type EntryActor } from '../rules/entry-fields.ts';
import type { EntryPosition } from '../rules/payment.ts';

/**
 * Longest time to write an entry, in milliseconds: the limit of a Lambda function. Sums include entries that are a minute old,
 * so none may be written much later than the time that it has (docs/contract/ledger.md, Statements and sums).
 */
export const ENTRY_LIMIT = 10_000;

/** Who writes to the ledger of which program. */
export interface Ledger {
  readonly program: string;
  readonly by: EntryActor;
}

/**
 * What a new entry is written with. Each attempt takes the time anew, because sums include an entry only a minute after
 * its time. The id contains the time, by which the entry of an event is found.
 */
export function writingAt(table: Table, { by }: Ledger): Writing {
  const now = table.clock();
  return { id: uuidv7(now, table.random), now: secondOf(now), by };
}

/** An entry, and whether this request has written it. */
export interface Recorded {
  readonly entry: Entry;
  readonly isNew: boolean;
}

/**
 * Records an entry: repeats `attempt` after conflicts. `newWriting` returns what an entry is written with. An entry is new
 * if any attempt wrote it: DynamoDB may carry out an attempt whose response was lost, and then the next one finds it.
 */
export async function recordEntry(
  table: Table,
  ledger: Ledger,
  attempt: (newWriting: () => Writing) => Promise<Outcome<Recorded>>,
): Promise<Recorded> {
  const written = new Set<string>();
  const newWriting = () => {
    const writing = writingAt(table, ledger);
    written.add(writing.id);
    return writing;
  };
  const { entry, isNew } = await retryOnConflict(table, () => attempt(newWriting));
  return { entry, isNew: isNew || written.has(entry.id) };
}

/** Writes a new entry with what belongs to it, in one transaction, as `commit` does. */
export function writeEntry(
  table: Table,
  program: string,
  entry: Entry,
  others: readonly LabelledWrite<string>[],
): Promise<Outcome<Recorded>> {
  return commit(table, [...entryWrites(program, entry), ...others], { entry, isNew: true });
}

/** Builds the writes of a new entry, and of what its referral has brought, which must be as the rules of a payment saw it. */
export function entryWrites(
  program: string,
  entry: Entry,
  seen: RulesSeen | null = null,
): readonly (LabelledPut<'entry', EvaluableCondition> | LabelledIncrement<'money'>)[] {
  // The key contains these three.
  const { id: _id, affiliate_slug: _slug, created_at: _created, ...attributes } = toAttributes(ENTRY_FIELDS, entry);
  const owner = ownerOf(program, entry);
  const item = {
    ...entryKey(program, entry.advocateSlug, entry),
    ...attributes,
    ...(owner !== undefined && { owner, created: sortKey(entry.createdAt, entry.id) }),
  };
  return [putWrite('entry', item, NOT_EXISTS), ...moneyWrites(program, entry, seen)];
}

/** The partition of `by_created_at` that lists an entry besides its advocate's ledger: its referral's, or all settlements. */
function ownerOf(program: string, { kind, referralId }: Entry): string | undefined {
  if (kind === 'settlement') return programSettlements(program);
  return referralId === null ? undefined : referralEntries(program, referralId);
}

function moneyWrites(program: string, entry: Entry, seen: RulesSeen | null): LabelledIncrement<'money'>[] {
  const { kind, referralId: id, advocateSlug: slug, amount, currency, commission } = entry;
  if (id === null) return [];
  return moneyWrite(program, id, {
    slug,
    currency,
    revenue: amount ?? 0,
    commission,
    payments: kind === 'payment' ? 1 : 0,
    earlier: seen?.earlier ?? null,
  });
}

/** Parses an entry. Throws `MalformedItem`. */
export function parseEntry(item: Item): Entry {
  const { createdAt: created_at, id } = parsePosition(positionOf(item));
  const affiliate_slug = lastPart(required(item, PARTITION_KEY, text));
  return parseFields(ENTRY_FIELDS, { ...item, id, affiliate_slug, created_at });
}

/** Parses the position of an entry from its sort key. Throws `RangeError`. */
export function parsePosition(sortKey: string): EntryPosition {
  const { second: createdAt, id } = parseSortKey(sortKey);
  return { createdAt, id };
}

/** Parses the sort key of an entry, or of a row that sorts like one. Throws `MalformedItem`. */
export const positionOf = (item: Item): string => required(item, SORT_KEY, text);

/** Reads an entry that was recorded. Throws `MalformedItem` if it does not exist. */
export async function getEntry(table: Table, program: string, slug: string, position: EntryPosition): Promise<Entry> {
  return parseEntry((await get(table, entryKey(program, slug, position))) ?? {});
}
