import { InvalidField } from '../../../functions/kernel/errors.ts';
import {
  type Field,
  type FieldList,
  type KeysIn,
  nameOf,
  type Values,
} from '../../../functions/kernel/fields/field-list.ts';
import { parseText } from '../../../functions/kernel/fields/fields.ts';
import { parsePercentage } from '../../../functions/kernel/fields/numbers.ts';
import { isUuidv7 } from '../../../functions/kernel/ids.ts';
import { isSeconds, parseMoment, type Seconds } from '../../../functions/kernel/time.ts';
import type { Cells } from '../csv.ts';

/** Parses a cell that is not empty. Throws `InvalidField` with the name of the column. */
export type Parser<Value> = (column: string, text: string) => Value;

const UNIX_SECONDS = /^\d{1,12}$/;
const UNIX_MILLISECONDS = /^\d{13,15}$/;
const NOT_A_TIME =
  'must be a time in Unix seconds, in RFC 3339, or as YYYY-MM-DD HH:MM:SS with UTC or an offset, such as 2026-01-31T12:00:00Z';
// Ruby on Rails, in which such products are written, prints "2026-01-31 12:00:00 UTC", PHP "2026-01-31T12:00:00+0000".
const ZONED =
  /^(?<date>[\d-]{10})[ T](?<clock>[\d:]{8}(?:\.\d+)?) ?(?:UTC|GMT|Z|(?<hours>[+-]\d\d):?(?<minutes>\d\d))$/i;
// Exports write numbers as JavaScript does: "12.5", but "1e-7" for a very small one.
const PERCENTAGE = /^\d{1,3}(?:\.\d{1,25})?(?:e-\d{1,3})?$/;

/** Parses fields by their JSON types and checks them as requests. An empty cell has the field's empty value. */
export function fieldParser<Fields extends FieldList>(
  fields: Fields,
  own: { readonly [Key in KeysIn<Fields, 'file'>]?: Parser<Values<Fields>[Key]> },
): (cells: Cells) => Partial<Pick<Values<Fields>, KeysIn<Fields, 'file'>>>;
export function fieldParser(fields: FieldList, own: Readonly<Record<string, Parser<unknown> | undefined>>) {
  const columns = Object.entries(fields)
    .filter(([, { forms }]) => forms?.includes('file'))
    .map(([key, field]) => ({ key, field, name: nameOf(field), parse: own[key] ?? parserOf(field) }));
  return (cells: Cells): object => {
    const values: Record<string, unknown> = {};
    for (const { key, field, name, parse } of columns) {
      const text = cells[name];
      const empty = field.input?.rejectsNull ? undefined : field.stored.empty;
      const value = text ? parse(name, text) : empty;
      if (text !== undefined && value !== undefined) values[key] = value;
    }
    return values;
  };
}

function parserOf({ schema, input }: Field): Parser<unknown> {
  const read = PARSERS.get(String([schema?.type].flat()[0])) ?? ((_, text) => text);
  return input ? (column, text) => input.parse(column, read(column, text)) : read;
}

/** Parses a cell: `null` if it is empty or if the file lacks its column. Throws `InvalidField`. */
export function optional<Value>(cells: Cells, column: string, parse: Parser<Value>): Value | null {
  const text = cells[column];
  return text ? parse(column, text) : null;
}

export function required<Value>(column: string, value: Value | undefined): Value {
  if (value === undefined) throw new InvalidField(column, 'must not be empty');
  return value;
}

export function textUpTo(max: number): Parser<string> {
  return (column, text) => parseText(column, text, max);
}

/** Returns a parser that accepts only these states, after `--map-state` has translated them. */
export function oneOf<Value extends string>(values: readonly Value[]): Parser<Value> {
  return (column, text) => {
    const value = values.find((candidate) => candidate === text);
    if (value !== undefined) return value;
    throw new InvalidField(column, `must be one of ${values.join(', ')}, or translated with --map-state`);
  };
}

/** Returns a parser of some of these values, separated by spaces. A value counts once. */
export function listOf<Value extends string>(values: readonly Value[]): Parser<readonly Value[]> {
  return (column, text) => {
    const words = new Set(text.split(' ').filter((word) => word !== ''));
    const known = values.filter((value) => words.has(value));
    if (known.length < words.size) throw new InvalidField(column, `must contain only ${values.join(', ')}`);
    return known;
  };
}

/** Parses a UUIDv7 in any case, and returns it in lower case. */
export const uuid: Parser<string> = (column, text) => {
  const lower = text.toLowerCase();
  if (!isUuidv7(lower)) throw new InvalidField(column, 'must be a UUIDv7, or empty');
  return lower;
};

const json: Parser<unknown> = (column, text) => {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidField(column, 'must be JSON');
  }
};

/** Parses a commission rate in percent, 0 to 100. */
export const percentage: Parser<number> = (column, text) =>
  parsePercentage(column, PERCENTAGE.test(text) ? Number(text) : Number.NaN);

/** Parses Unix seconds, RFC 3339, or a date and a time with `UTC` or an offset. A fraction of a second is dropped. */
export const time: Parser<Seconds> = (column, text) => {
  const second = UNIX_SECONDS.test(text) ? Number(text) : momentOf(text)?.second;
  if (second !== undefined && isSeconds(second)) return second;
  const isInMilliseconds = UNIX_MILLISECONDS.test(text);
  throw new InvalidField(column, isInMilliseconds ? 'must not be in milliseconds: divide by 1000' : NOT_A_TIME);
};

export function timeUntil(now: Seconds): Parser<Seconds> {
  return (column, text) => {
    const second = time(column, text);
    if (second > now) throw new InvalidField(column, 'must not be in the future');
    return second;
  };
}

function momentOf(text: string) {
  const { date, clock, hours, minutes } = ZONED.exec(text)?.groups ?? {};
  if (date === undefined) return parseMoment(text);
  return parseMoment(`${date}T${clock}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
}

const PARSERS = new Map<string, Parser<unknown>>([
  ['number', percentage],
  ['integer', time],
  ['object', json],
]);
