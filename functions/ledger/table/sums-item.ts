import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { addDays, daysIn } from '../../kernel/days.ts';
import { type Item, optional, required } from '../../kernel/dynamodb/item.ts';
import { ledgerSumsKey } from '../../kernel/dynamodb/keys.ts';
import { bytes, number, record, text } from '../../kernel/fields/parsers.ts';
import { SUMMED } from '../rules/statement-file.ts';
import { inMap, type MonthSums, noSums, type Sums } from '../rules/sums.ts';

/** The sums of all entries up to a position. */
export interface StoredSums extends Sums {
  /** Sort key of the last entry that is included; `''` if none is. */
  readonly position: string;
  /** Number of writes, for optimistic locking; 0 if the sums are not stored. */
  readonly version: number;
}

/** Builds the item. The sums are compressed lines of text. */
export function toSumsItem(program: string, slug: string, { position, version, ...sums }: StoredSums): Item {
  const settlement_counts = Object.fromEntries(sums.settlementCounts);
  return { ...ledgerSumsKey(program, slug), position, version, settlement_counts, sums: deflateRawSync(linesOf(sums)) };
}

/** Parses the item; without one, no entry is included. Throws `MalformedItem`. */
export function parseSums(item: Item | undefined): StoredSums {
  if (!item) return { ...noSums(), position: '', version: 0 };
  const version = required(item, 'version', number);
  const counts = optional(item, 'settlement_counts', record);
  // Stored before settlements were counted: the reader adds up all entries again.
  if (!counts) return { ...noSums(), position: '', version };
  return {
    ...parseLines(inflateRawSync(required(item, 'sums', bytes)).toString()),
    settlementCounts: new Map(Object.keys(counts).map((currency) => [currency, required(counts, currency, number)])),
    position: required(item, 'position', text),
    version,
  };
}

/**
 * Writes a line for each month and currency, with five sums, and a line for each currency with the sums of consecutive
 * days, the last one first. Months come first. A read of ten years in three currencies takes one and a half units.
 */
function linesOf({ months, days }: Pick<Sums, 'months' | 'days'>): string {
  const ofMonths = [...months].flatMap(([month, byCurrency]) =>
    [...byCurrency].map(([currency, sums]) => [month, currency, ...SUMMED.map((name) => sums[name])].join(' ')),
  );
  const ofDays = [...days].flatMap(([currency, byDay]) => {
    const known = [...byDay.keys()].sort();
    const [first, last] = [known[0], known.at(-1)];
    if (first === undefined || last === undefined) return [];
    const sums = daysIn({ from: first, to: last }).map((day) => byDay.get(day) ?? 0n);
    return [[last, currency, ...sums].join(' ')];
  });
  return [...ofMonths, ...ofDays].join('\n');
}

function parseLines(lines: string): Sums {
  const sums = noSums();
  for (const line of lines.split('\n')) {
    const [time = '', currency = '', ...texts] = line.split(' ');
    const numbers = texts.map(BigInt);
    if (time.length === MONTH_LENGTH) inMap(sums.months, time).set(currency, parseMonth(numbers));
    else for (const [index, sum] of numbers.entries()) inMap(sums.days, currency).set(addDays(time, -index), sum);
  }
  return sums;
}

const MONTH_LENGTH = '2026-11'.length;

function parseMonth([
  payments = 0n,
  refunds = 0n,
  commissions = 0n,
  adjustments = 0n,
  settlements = 0n,
]: bigint[]): MonthSums {
  return { payments, refunds, commissions, adjustments, settlements };
}
