import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { inMap, noSums, SUMMED, type Sums } from '../../domain/ledger/sums.ts';
import { number, type Parser, text } from '../../domain/parsers.ts';
import { type Item, required } from '../dynamodb/item.ts';
import { ledgerSumsKey } from '../keys.ts';

/** The sums of all entries up to a position. */
export interface StoredSums extends Sums {
  /** Sort key of the last entry that is included; `''` if none is. */
  readonly position: string;
  /** Number of writes, for optimistic locking; 0 if the sums are not stored. */
  readonly version: number;
}

const bytes: Parser<Uint8Array> = (value) => (value instanceof Uint8Array ? value : undefined);

/** Builds the item. The sums are lines of text, compressed to less than half. */
export function toSumsItem(program: string, slug: string, { position, version, ...sums }: StoredSums): Item {
  return { ...ledgerSumsKey(program, slug), position, version, sums: deflateRawSync(linesOf(sums)) };
}

/** Parses the item; without one, no entry is included. Throws `MalformedItem`. */
export function parseSums(item: Item | undefined): StoredSums {
  if (!item) return { ...noSums(), position: '', version: 0 };
  return {
    ...parseLines(inflateRawSync(required(item, 'sums', bytes)).toString()),
    position: required(item, 'position', text),
    version: required(item, 'version', number),
  };
}

/** Writes a line for each month and currency, with five sums, and for each day and currency, with one. */
function linesOf({ months, days }: Sums): string {
  const ofMonths = linesIn(months, (sums) => SUMMED.map((name) => sums[name]).join(' '));
  return [...ofMonths, ...linesIn(days, String)].join('\n');
}

function linesIn<Value>(outer: Map<string, Map<string, Value>>, textOf: (value: Value) => string): string[] {
  return [...outer].flatMap(([key, inner]) =>
    [...inner].map(([currency, value]) => `${key} ${currency} ${textOf(value)}`),
  );
}

function parseLines(lines: string): Sums {
  const sums = noSums();
  for (const line of lines.split('\n')) {
    const [key = '', currency = '', ...numbers] = line.split(' ');
    const [first = 0n, refunds, commissions = 0n, adjustments = 0n, settlements = 0n] = numbers.map(BigInt);
    if (refunds === undefined) inMap(sums.days, key).set(currency, first);
    else inMap(sums.months, key).set(currency, { payments: first, refunds, commissions, adjustments, settlements });
  }
  return sums;
}
