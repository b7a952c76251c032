import type { Program } from '../../kernel/accounts/rules/program.ts';
import { dayOf } from '../../kernel/days.ts';
import { NOT_EXISTS, unchangedSince } from '../../kernel/dynamodb/conditions.ts';
import { firstSortKey, ledgerPartition, ledgerSumsKey } from '../../kernel/dynamodb/keys.ts';
import { PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { batchGet, get, queryPages, type Table } from '../../kernel/dynamodb/table.ts';
import { put } from '../../kernel/dynamodb/writes.ts';
import { secondOf, seconds } from '../../kernel/time.ts';
import type { PaymentTerms } from '../rules/statement.ts';
import { addEntry, forgetOldDays, type Sums } from '../rules/sums.ts';
import { parseEntry, positionOf } from './entries.ts';
import { parseSums, type StoredSums, toSumsItem } from './sums-item.ts';

/**
 * How old an entry must be before a stored sum may include it, in seconds. A slower write may still arrive with an
 * earlier time: each takes its time at most 10 seconds before, and clocks differ by at most 20 (docs/contract/ledger.md, Sums).
 */
const SETTLED_AFTER = 60;

/** How many new entries make a reader store the sums, so that most reads write nothing and none reads many entries. */
const ENTRIES_TO_STORE = 50;
/** Fewer for a page of advocates: what fits into one read unit of each. */
const ENTRIES_TO_STORE_OF_PAGE = 10;

/**
 * Returns the sums of all entries of an advocate as of now, with two requests: the stored sums, and the entries since
 * then. Stores the sums if many entries are new. Throws `Unavailable` if there are too many for one deadline. What was
 * added is stored by then, so that a later call continues.
 */
export async function readSums(table: Table, program: string, slug: string): Promise<Sums> {
  const stored = await get(table, ledgerSumsKey(program, slug), { consistent: false });
  return addNewEntries(table, { program, slug }, parseSums(stored), ENTRIES_TO_STORE);
}

/** Returns the sums of several advocates, in their order, as `readSums` does. */
export async function readSumsOf(table: Table, program: string, slugs: readonly string[]): Promise<Sums[]> {
  const keys = slugs.map((slug) => ledgerSumsKey(program, slug));
  const items = await batchGet(table, keys, { consistent: false });
  const all = slugs.map((slug, index) =>
    addNewEntries(table, { program, slug }, parseSums(items[index]), ENTRIES_TO_STORE_OF_PAGE),
  );
  return Promise.all(all);
}

/** Returns what decides today which commissions of a program are payable. */
export const termsOf = (table: Table, { payableAfterDays }: Program): PaymentTerms => ({
  today: dayOf(secondOf(table.clock())),
  payableAfterDays,
});

/** The advocate whose entries are added up. */
export interface LedgerOwner {
  readonly program: string;
  readonly slug: string;
}

/** Adds the entries since the position of the sums, and stores the sums after each page of a long ledger. */
async function addNewEntries(table: Table, owner: LedgerOwner, stored: StoredSums, toStore: number): Promise<Sums> {
  // Taken before the entries are read: what is settled now cannot change until they are.
  const now = secondOf(table.clock());
  const settled = firstSortKey(seconds(Math.max(0, now - SETTLED_AFTER)));
  let sums: StoredSums | undefined = stored;
  for await (const { items, lastKey } of entryPages(table, owner, stored.position)) {
    const isSettled = items.filter((item) => positionOf(item) < settled);
    for (const item of isSettled) addEntry(stored, parseEntry(item));
    const last = isSettled.at(-1);
    if (sums && last && (lastKey || isSettled.length >= toStore)) {
      forgetOldDays(stored, dayOf(now));
      sums = await store(table, owner, { ...sums, position: positionOf(last) });
    }
    for (const item of items.slice(isSettled.length)) addEntry(stored, parseEntry(item));
  }
  return stored;
}

/** Reads all entries after a position, in their order, with strong consistency. */
export function entryPages(table: Table, { program, slug }: LedgerOwner, position: string) {
  return queryPages(table, {
    KeyConditionExpression: `${PARTITION_KEY} = :pk AND ${SORT_KEY} > :position`,
    // DynamoDB rejects an empty sort key.
    ExpressionAttributeValues: {
      ':pk': ledgerPartition(program, slug),
      ':position': position || firstSortKey(seconds(0)),
    },
    ConsistentRead: true,
  });
}

/**
 * Stores sums over the version that was read. Returns them with their new version; `undefined` if another reader has
 * stored some meanwhile, which are as correct. Then this one stores nothing more.
 */
async function store(table: Table, { program, slug }: LedgerOwner, sums: StoredSums): Promise<StoredSums | undefined> {
  const next = { ...sums, version: sums.version + 1 };
  const condition = sums.version === 0 ? NOT_EXISTS : unchangedSince(sums);
  const failed = await put(table, toSumsItem(program, slug, next), condition);
  return failed ? undefined : next;
}
