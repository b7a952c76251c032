import { Option } from 'commander';
import { InvalidField } from '../../../functions/kernel/errors.ts';
import type { AdminCommand } from '../cli.ts';
import { type Delimiter, type Layout, type Line, splitHeader } from '../csv.ts';
import { InvalidArguments } from '../errors.ts';
import { BROUGHT_COLUMNS } from '../export.ts';
import * as option from '../options.ts';
import { PRESETS, type Preset, type PresetName } from './presets.ts';

const FORM = 'must have the form THEIRS=OURS. Run with --help to see an example.';

export interface FileKind {
  readonly columns: readonly string[];
  /** A file must have one column of each group. */
  readonly required: readonly (readonly string[])[];
  /** The column whose values `--map-state` and presets translate, and our values. Absent if there is none. */
  readonly stateColumn?: string;
  readonly states?: readonly string[];
  /** Absent if no product's export has such lines. */
  readonly presetOf?: (name: PresetName) => Preset;
}

/** How the names in a file of a kind are translated. Names of the file are as `nameKey` returns them. */
export interface Mapping {
  readonly kind: FileKind;
  /** The columns that `--map` renames. With `to` null, a column is not read. */
  readonly renamed: readonly { readonly from: string; readonly to: string | null }[];
  /** If there is a preset, only its columns and the renamed columns are read. */
  readonly preset: Preset | undefined;
  readonly translations: ReadonlyMap<string, string>;
}

export type MappingOptions = { map?: readonly string[]; mapState?: readonly string[]; from?: PresetName };

export function addMappingOptions(command: AdminCommand, { presetOf, states }: FileKind): AdminCommand {
  const from = new Option('--from <product>', 'read the columns and states of this product');
  if (presetOf) command.addOption(from.choices(Object.keys(PRESETS)));
  command.option(
    '--map <theirs=ours>',
    'read a column as one of ours, or THEIRS= as none; can be repeated',
    option.collect,
  );
  return states
    ? command.option('--map-state <theirs=ours>', 'read a state as one of ours; can be repeated', option.collect)
    : command;
}

/** Parses the options. Throws `InvalidArguments`, which repeats no value. */
export function parseMapping({ map = [], mapState = [], from }: MappingOptions, kind: FileKind): Mapping {
  const preset = from && kind.presetOf?.(from);
  const renamed = map.map((pair) => parsePair('--map', pair, [...kind.columns, '']));
  const translated = mapState.map((pair) => parsePair('--map-state', pair, kind.states ?? []));
  const states = Object.entries(preset?.states ?? {}).flatMap(([to, theirs]) => theirs.map((from) => ({ from, to })));
  const translations = new Map([...states, ...translated].map(({ from, to }) => [from, to]));
  if (translated.some(({ from, to }) => translations.get(from) !== to)) {
    throw new InvalidArguments('--map-state names a state of the file twice. Give each state once.');
  }
  return { kind, preset, renamed: renamed.map(({ from, to }) => ({ from, to: to || null })), translations };
}

function parsePair(option: string, pair: string, targets: readonly string[]): { from: string; to: string } {
  const at = pair.lastIndexOf('=');
  const from = nameKey(pair.slice(0, Math.max(at, 0)));
  const to = nameKey(pair.slice(at + 1));
  if (from === '') throw new InvalidArguments(`${option} ${FORM}`);
  if (targets.includes(to)) return { from, to };
  const names = targets.filter((target) => target !== '').join(', ');
  throw new InvalidArguments(`${option} must end with = and one of ${names}.`);
}

export function nameKey(name: string): string {
  return name.trim().toLowerCase();
}

/** The header of a file: how to read its rows, and the names of the columns that are not read. */
export interface Header extends Layout {
  readonly ignored: readonly string[];
  /** The file's names, quoted, of our columns that `--map` or a preset translates. */
  readonly theirs: ReadonlyMap<string, string>;
}

/** The first column of a file that `--failed` wrote. */
export const REASON_COLUMN = 'failure_reason';
/** Columns of our own files that imports ignore without a warning. */
const OUTPUT_ONLY = [REASON_COLUMN, ...BROUGHT_COLUMNS];

/** Exports that are not CSV separate values by tabs or bars. */
const OTHER_DELIMITER = /[\t|]/;

/** Parses the header. `given` is the delimiter if the line before the header contains it. Throws `InvalidField`. */
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
    ...positionsIn(keys, ...OUTPUT_ONLY, ...dropped),
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
