import type { Item } from '../../kernel/dynamodb/item.ts';
import {
  entryKey,
  firstSortKey,
  isSortKey,
  justBefore,
  keyOf,
  ledgerPartition,
  paymentKey,
  programSettlements,
  referralEntries,
  sortKey,
} from '../../kernel/dynamodb/keys.ts';
import { readPage } from '../../kernel/dynamodb/page.ts';
import { ALL_TIME, type Plan } from '../../kernel/dynamodb/plan.ts';
import { PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { batchGet, get, queryPages, type Table } from '../../kernel/dynamodb/table.ts';
import { InvalidCursor } from '../../kernel/errors.ts';
import type { SecondsRange } from '../../kernel/time.ts';
import type { Entry } from '../rules/entry-fields.ts';
import { parseEntry, parsePosition, positionOf } from './entries.ts';
import { storedPayment } from './payment-item.ts';

/** The filters of the list of an advocate's entries; `undefined` if a filter is absent. */
export interface EntryFilters {
  readonly kind: Entry['kind'] | undefined;
  readonly currency: string | undefined;
  readonly createdAt: SecondsRange | undefined;
}

/** Where a page starts, and how many rows it looks at. */
export interface EntryPaging {
  /** Sort key of the last row of the previous page. */
  readonly after: string | undefined;
  readonly size: number;
}

export interface EntryPage {
  readonly entries: readonly Entry[];
  /** Sort key of the last row that the page looked at, if more rows follow. */
  readonly next: string | undefined;
}

const NOTHING: EntryPage = { entries: [], next: undefined };

/**
 * Looks at `size` entries of an advocate, newest first, and returns the matching ones, with one request. A page with a
 * filter by value may be short or empty although more rows follow. Throws `InvalidCursor`.
 */
export async function readEntries(
  table: Table,
  { program, slug }: { readonly program: string; readonly slug: string },
  { createdAt = ALL_TIME, ...equal }: EntryFilters,
  paging: EntryPaging,
): Promise<EntryPage> {
  const lowest = firstSortKey(createdAt.from);
  const highest = upTo(firstSortKey(createdAt.to), paging);
  // DynamoDB rejects a range whose bounds are reversed.
  if (lowest >= highest) return NOTHING;
  const { items, next } = await readRows(table, ledgerPartition(program, slug), [lowest, highest], paging.size);
  const entries = items.map(parseEntry);
  return { entries: entries.filter((entry) => isMatch(entry, equal)), next };
}

function isMatch(entry: Entry, { kind, currency }: Omit<EntryFilters, 'createdAt'>): boolean {
  return (kind === undefined || entry.kind === kind) && (currency === undefined || entry.currency === currency);
}

/** The entries to list of a referral. */
export interface ReferralEntries {
  readonly referralId: string;
  /** Only entries of this advocate; `undefined` for all that the referral ever had. */
  readonly slug: string | undefined;
  readonly createdAt: SecondsRange | undefined;
}

/** Returns a page of the payments, refunds and voids of a referral, newest first, with two requests. Throws `InvalidCursor`. */
export async function readReferralEntries(
  table: Table,
  program: string,
  { referralId, slug, createdAt = ALL_TIME }: ReferralEntries,
  paging: EntryPaging,
): Promise<EntryPage> {
  const equal = slug === undefined ? {} : { [PARTITION_KEY]: ledgerPartition(program, slug) };
  return readIndexed(
    table,
    { partition: referralEntries(program, referralId), range: createdAt, filter: { equal } },
    paging,
  );
}

/** Returns a page of all settlements of a program, newest first, with two requests. Throws `InvalidCursor`. */
export function readSettlements(
  table: Table,
  program: string,
  createdAt: SecondsRange = ALL_TIME,
  paging: EntryPaging,
): Promise<EntryPage> {
  const plan = { partition: programSettlements(program), range: createdAt, filter: { equal: {} } };
  return readIndexed(table, plan, paging);
}

/** Reads a page of an index partition of entries, and the entries themselves. */
async function readIndexed(table: Table, plan: Omit<Plan, 'index'>, { after, size }: EntryPaging): Promise<EntryPage> {
  const start = after === undefined ? { skip: 0 } : { after };
  const { items, next } = await readPage(table, { index: 'by_created_at', ...plan }, start, size);
  const entries = await batchGet(table, items.map(keyOf));
  return { entries: entries.map((item) => parseEntry(item ?? {})), next };
}

/**
 * Returns a page of a payment with its refunds and void, newest first, with three requests of which two are parallel. An
 * unknown payment has none. Throws `InvalidCursor`.
 */
export async function readPaymentEntries(
  table: Table,
  program: string,
  paymentId: string,
  paging: EntryPaging,
): Promise<EntryPage> {
  const key = paymentKey(program, paymentId);
  // The items of the changes come before the item of the payment.
  const range = [firstSortKey(ALL_TIME.from), upTo(firstSortKey(ALL_TIME.to), paging)] as const;
  const [stored, changes] = await Promise.all([
    get(table, key),
    readRows(table, key[PARTITION_KEY], range, paging.size),
  ]);
  const payment = storedPayment(stored);
  if (!payment) return NOTHING;
  const { advocateSlug, entry } = payment;
  const own = sortKey(entry.createdAt, entry.id);
  const positions = changes.items.map(positionOf);
  // By clocks that differ, a refund can precede its payment.
  const isDue = own < range[1] && (changes.next === undefined || own > changes.next);
  const rows = (isDue ? [...positions, own] : positions).sort().reverse();
  const page = rows.slice(0, paging.size);
  const hasMore = rows.length > page.length || changes.next !== undefined;
  const items = await batchGet(
    table,
    page.map((position) => entryKey(program, advocateSlug, parsePosition(position))),
  );
  return { entries: items.map((item) => parseEntry(item ?? {})), next: hasMore ? page.at(-1) : undefined };
}

/** The end of a range, or right before the row with the cursor. Throws `InvalidCursor`. */
function upTo(end: string, { after }: EntryPaging): string {
  if (after === undefined) return end;
  if (!isSortKey(after)) throw new InvalidCursor();
  return after < end ? justBefore(after) : end;
}

/** Reads rows in descending order; `next` is the position of the last one if more follow. */
async function readRows(
  table: Table,
  partition: string,
  [lowest, highest]: readonly [string, string],
  size: number,
): Promise<{ readonly items: readonly Item[]; readonly next: string | undefined }> {
  const query = {
    KeyConditionExpression: `${PARTITION_KEY} = :pk AND ${SORT_KEY} BETWEEN :lowest AND :highest`,
    ExpressionAttributeValues: { ':pk': partition, ':lowest': lowest, ':highest': highest },
    ConsistentRead: true,
    ScanIndexForward: false,
  };
  const rows: Item[] = [];
  // One more row than requested shows whether more rows follow.
  for await (const { items } of queryPages(table, query, () => size + 1 - rows.length)) {
    rows.push(...items);
    if (rows.length > size) break;
  }
  const items = rows.slice(0, size);
  const last = rows.length > size ? items.at(-1) : undefined;
  return { items, next: last && positionOf(last) };
}
