import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { INDEXES, type IndexName, PARTITION_KEY, SORT_KEY } from '../../../functions/kernel/dynamodb/schema.ts';
import { condition, type keyRange, type Placeholders, update } from './expressions.ts';

/** A change of an item, as the table's stream reports it. */
export interface Change {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** A put, an update, a deletion or a check. */
export interface FakeWrite extends Placeholders {
  readonly Item?: Item | undefined;
  readonly Key?: Item | undefined;
  readonly UpdateExpression?: string | undefined;
  /** True for a check, which writes nothing. */
  readonly isCheck?: boolean;
  readonly ConditionExpression?: string | undefined;
}

/** Which rows a query reads, and in which order. */
export interface Selection extends ReturnType<typeof keyRange> {
  readonly index: IndexName | 'table';
  readonly isForward: boolean;
  readonly limit: number;
  /** The keys of the last row of the previous page. */
  readonly after: Item | undefined;
}

/** A row of an index. Rows are sorted by their places: the sort key, then the key of the item. */
interface Row {
  readonly place: string;
  readonly item: Item;
}

export const KEYS = { table: { partitionKey: PARTITION_KEY, sortKey: SORT_KEY }, ...INDEXES };

/** The key of an item as one string. */
export const keyText = (item: Item): string => `${item[PARTITION_KEY]}\n${item[SORT_KEY]}`;

/** The items of one table in memory, and its indexes, which lag until `catchUp`. */
export class FakeTable {
  readonly items = new Map<string, Item>();
  /** Each item before its last write, for stale reads. */
  readonly #previous = new Map<string, Item | undefined>();
  readonly #rows = new Map<string, Row[]>();
  #lag: Change[] = [];
  /** Gets every change in the order of the changes, with its writer, if `as` gave one. */
  onChange: (change: Change, writer: object | undefined) => void = () => undefined;
  #writer: object | undefined;
  /** The transactions that were carried out, by their tokens. */
  readonly tokens = new Map<string, readonly FakeWrite[]>();

  /** Reads an item. `isStale` misses its last write. */
  get(key: Item, isStale = false): Item | undefined {
    return (isStale && this.#previous.has(keyText(key)) ? this.#previous : this.items).get(keyText(key));
  }

  /** Carries out all writes, or none if a condition fails. Returns for each whether it failed, and the stored item. */
  write(writes: readonly FakeWrite[]): { readonly failed: boolean; readonly stored: Item | undefined }[] {
    const results = writes.map((write) => {
      const stored = this.items.get(keyText(write.Item ?? write.Key ?? {}));
      const text = write.ConditionExpression;
      return { failed: text !== undefined && !condition(text)(stored ?? {}, write), stored };
    });
    if (results.some(({ failed }) => failed)) return results;
    for (const [index, write] of writes.entries()) if (!write.isCheck) this.#store(results[index]?.stored, write);
    return results;
  }

  /** Carries out a request for a writer, which is reported with its changes. */
  as<Result>(writer: object, run: () => Result): Result {
    this.#writer = writer;
    try {
      return run();
    } finally {
      this.#writer = undefined;
    }
  }

  /** Brings the indexes up to date. */
  catchUp(): void {
    for (const name of Object.keys(INDEXES) as IndexName[]) for (const change of this.#lag) this.#index(name, change);
    this.#lag = [];
  }

  /** Lets all replicas have the last writes: no read is stale before the next write. */
  settle(): void {
    this.catchUp();
    this.#previous.clear();
  }

  /** Reads rows of one partition of an index, or of the table. */
  query({ index, partition, low, high, isForward, limit, after }: Selection): Item[] {
    const rows = this.#rows.get(`${index} ${partition}`) ?? [];
    const last = after && placeOf(index, after);
    // The last row of the previous page is between the bounds.
    const start = positionOf(rows, last && isForward ? `${last}\0` : (low ?? ''));
    const end = positionOf(rows, last && !isForward ? last : `${high ?? '\uffff'}\n\uffff`);
    const found = isForward
      ? rows.slice(start, Math.min(end, start + limit))
      : rows.slice(Math.max(start, end - limit), end).reverse();
    return found.map(({ item }) => item);
  }

  #store(before: Item | undefined, write: FakeWrite): void {
    const changed = write.UpdateExpression === undefined ? undefined : update(write.UpdateExpression);
    const after = write.Item ?? changed?.(before ?? write.Key ?? {}, write);
    if (isDeepStrictEqual(before, after)) return;
    const key = keyText(after ?? before ?? {});
    this.#previous.set(key, before);
    if (after) this.items.set(key, frozen(after));
    else this.items.delete(key);
    const change = { before, after };
    this.#index('table', change);
    this.#lag.push(change);
    this.onChange(change, this.#writer);
  }

  #index(name: IndexName | 'table', { before, after }: Change): void {
    const { partitionKey, sortKey } = KEYS[name];
    for (const item of [before, after]) {
      if (item?.[partitionKey] === undefined || item[sortKey] === undefined) continue;
      const partition = `${name} ${item[partitionKey]}`;
      const place = placeOf(name, item);
      const rows = this.#rows.get(partition) ?? [];
      rows.splice(positionOf(rows, place), item === before ? 1 : 0, ...(item === before ? [] : [{ place, item }]));
      this.#rows.set(partition, rows);
    }
  }
}

const placeOf = (name: IndexName | 'table', item: Item) => `${item[KEYS[name].sortKey]}\n${keyText(item)}`;

/** The position of the first row that is not before a place. */
function positionOf(rows: readonly Row[], place: string): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle]?.place ?? '') < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Freezes an item instead of copying it: a caller that changes it afterwards throws. Bytes cannot be frozen. */
function frozen(item: Item): Item {
  if (item instanceof Uint8Array) return item;
  for (const value of Object.values(item)) if (typeof value === 'object' && value !== null) frozen(value as Item);
  return Object.freeze(item);
}
