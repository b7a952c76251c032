import { Option } from 'commander';
import { type AdminCommand, collect } from '../cli.ts';
import { InvalidArguments } from '../errors.ts';
import { PRESETS, type Preset, type PresetName } from './presets.ts';

/** How the names in a file are translated. */
export interface Mapping<Column extends string> {
  /** The columns that `--map` renames: their names as `nameKey` returns them. With `to` null, a column is not read. */
  readonly renamed: readonly { readonly from: string; readonly to: Column | null }[];
  /** If there is a preset, only its columns and those in `renamed` are read. */
  readonly preset: Preset<Column> | undefined;
  /** Values of the column with the state, as `nameKey` returns them, and their translations. */
  readonly states: ReadonlyMap<string, string>;
}

/** The options that describe the names in a file. */
export interface MappingOptions {
  readonly map?: readonly string[];
  readonly mapState?: readonly string[];
  readonly from?: PresetName;
}

/** What `parseMapping` needs to know of an import. */
interface Names<Column extends string> {
  readonly columns: readonly Column[];
  /** The values of the column with the state. */
  readonly states: readonly string[];
  readonly presetOf: (name: PresetName) => Preset<Column>;
}

/** Adds `--from`, `--map` and `--map-state`. */
export function addMappingOptions(command: AdminCommand): AdminCommand {
  return command
    .addOption(
      new Option('--from <product>', 'read the columns and states of this product').choices(Object.keys(PRESETS)),
    )
    .option(
      '--map <theirs=ours>',
      'read a column of the file as one of ours, or THEIRS= as none; can be repeated',
      collect,
    )
    .option('--map-state <theirs=ours>', 'read a state of the file as one of ours; can be repeated', collect);
}

/** Parses the options. Throws `InvalidArguments`, which repeats no value. */
export function parseMapping<Column extends string>(
  { map = [], mapState = [], from }: MappingOptions,
  { columns, states, presetOf }: Names<Column>,
): Mapping<Column> {
  const preset = from && presetOf(from);
  const renamed = map.map((pair) => {
    const { from, target } = splitPair('--map', pair);
    return { from, to: target === '' ? null : targetOf('--map', target, columns) };
  });
  const translated = mapState.map((pair) => {
    const { from, target } = splitPair('--map-state', pair);
    return { from, to: targetOf('--map-state', target, states) };
  });
  const twice = translated.find(({ from, to }) => translated.some((other) => other.from === from && other.to !== to));
  if (twice) throw new InvalidArguments('--map-state names a state of the file twice. Give each state once.');
  return {
    renamed,
    preset,
    states: new Map([
      ...Object.entries(preset?.states ?? {}),
      ...translated.map(({ from, to }) => [from, to] as const),
    ]),
  };
}

/** Splits `THEIRS=OURS` at the last `=` into names as `nameKey` returns them. */
function splitPair(option: string, pair: string): { readonly from: string; readonly target: string } {
  const at = pair.lastIndexOf('=');
  const from = nameKey(pair.slice(0, Math.max(at, 0)));
  if (from === '')
    throw new InvalidArguments(`${option} must have the form THEIRS=OURS. Run with --help to see an example.`);
  return { from, target: nameKey(pair.slice(at + 1)) };
}

function targetOf<Target extends string>(option: string, name: string, targets: readonly Target[]): Target {
  const target = targets.find((candidate) => candidate === name);
  if (target !== undefined) return target;
  throw new InvalidArguments(`${option} must end with = and one of ${targets.join(', ')}.`);
}

/** Brings the name of a column or a state to the form in which names are compared. */
export function nameKey(name: string): string {
  return name.trim().toLowerCase();
}
