import { InvalidField } from '../../../functions/domain/errors.ts';
import { type Delimiter, type Layout, splitHeader } from '../csv.ts';
import type { Line } from './lines.ts';
import { type Mapping, nameKey } from './mapping.ts';

/** The header of a file: how to read its rows, and the names of the columns that are not read. */
export interface Header extends Layout {
  readonly names: readonly string[];
  readonly ignored: readonly string[];
  /** The file's names, quoted, of our columns that `--map` or a preset translates. */
  readonly theirs: ReadonlyMap<string, string>;
}

/** The first column of a file that `--failed` wrote. Imports ignore it without a warning. */
export const REASON_COLUMN = 'failure_reason';

/** Exports that are not CSV separate values by tabs or bars. */
const OTHER_DELIMITER = /[\t|]/;

/**
 * Parses the header, which names the file's columns in any order and case. `given` is the delimiter if the line before
 * the header contains it. Throws `InvalidField`.
 */
export function parseHeader(line: Line | undefined, mapping: Mapping, given?: Delimiter): Header {
  if (!line) throw new InvalidField('the file', 'is empty: its first line must name its columns');
  const { names, delimiter } = splitHeader(line, given);
  if (names.length === 1 && OTHER_DELIMITER.test(names[0] ?? '')) {
    throw new InvalidField('the header', 'has neither comma nor semicolon: save the file as CSV with one of them');
  }
  const keys = names.map(nameKey);
  const dropped = mapping.renamed.flatMap(({ from, to }) => (to === null ? [from] : []));
  if (dropped.some((name) => !keys.includes(name))) {
    throw new InvalidField('the header', 'lacks a column that --map drops');
  }
  const positions = mapping.kind.columns
    .map((column) => [column, positionsOf(column, keys, mapping)] as const)
    .filter(([, indices]) => indices.length > 0);
  const read = new Map(positions);
  const missing = mapping.kind.required.find((group) => !group.some((column) => read.has(column)));
  if (missing) throw new InvalidField('the header', `must name the column ${missing.join(' or ')}`);
  const known = new Set([
    ...positions.flatMap(([, indices]) => indices),
    ...positionsIn(keys, REASON_COLUMN, ...dropped),
  ]);
  const translated = positions.filter(([column, indices]) => indices.some((index) => keys[index] !== column));
  const theirs = ([column, indices]: (typeof positions)[number]) =>
    [column, indices.map((index) => JSON.stringify(names[index]?.trim())).join(' or ')] as const;
  return {
    names,
    delimiter,
    positions,
    ignored: names.filter((_, index) => !known.has(index)),
    theirs: new Map(translated.map(theirs)),
  };
}

/** Adds the file's own name of a column to a reason that starts with our name. */
export function withTheirName(reason: string, { theirs }: Header): string {
  const [column = ''] = reason.split(' ', 1);
  const name = theirs.get(column);
  return name === undefined ? reason : `${column} (${name} in the file)${reason.slice(column.length)}`;
}

/** Returns the positions of a column, in the order in which their values count. Throws `InvalidField`. */
function positionsOf(column: string, keys: readonly string[], { renamed, preset }: Mapping): number[] {
  const mapped = renamed.filter(({ to }) => to === column).map(({ from }) => positionsIn(keys, from));
  // The name is not repeated: in a file without a header, names are personal data.
  if (mapped.some(({ length }) => length === 0)) {
    throw new InvalidField('the header', `lacks the column that --map names for ${column}`);
  }
  const free = keys.map((key) => (renamed.some(({ from }) => from === key) ? '' : key));
  const others = preset
    ? (preset.columns[column] ?? []).map((name) => positionsIn(free.map(wordsOf), name))
    : [positionsIn(free, column)];
  const isTwice = [...mapped, ...others].some(({ length }) => length > 1);
  if (isTwice || mapped.length + (others.flat().length > 0 ? 1 : 0) > 1) {
    throw new InvalidField('the header', `must not name the column ${column} twice`);
  }
  return [...mapped, ...others].flat();
}

function positionsIn(keys: readonly string[], ...names: readonly string[]): number[] {
  return keys.flatMap((key, index) => (names.includes(key) ? [index] : []));
}

/** The form of the names in presets: products write `Created At` in one file and `created_at` in another. */
function wordsOf(key: string): string {
  return key.replace(/[^\p{L}\p{N}]+/gu, '_');
}
