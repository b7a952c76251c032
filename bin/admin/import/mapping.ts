import { Option } from 'commander';
import { type AdminCommand, collect } from '../cli.ts';
import { InvalidArguments } from '../errors.ts';
import { PRESETS, type Preset, type PresetName } from './presets.ts';

/** A kind of file that can be imported. */
export interface FileKind {
  readonly columns: readonly string[];
  /** The columns that a file must have: one of each group. */
  readonly required: readonly (readonly string[])[];
  /** The column whose values `--map-state` and presets translate, and our values. */
  readonly stateColumn: string;
  readonly states: readonly string[];
  readonly presetOf: (name: PresetName) => Preset;
}

/** How the names in a file of a kind are translated. Names of the file are as `nameKey` returns them. */
export interface Mapping {
  readonly kind: FileKind;
  /** The columns that `--map` renames. With `to` null, a column is not read. */
  readonly renamed: readonly { readonly from: string; readonly to: string | null }[];
  /** If there is a preset, only its columns and those in `renamed` are read. */
  readonly preset: Preset | undefined;
  /** Our states by the states in the file. */
  readonly translations: ReadonlyMap<string, string>;
}

/** The options that describe the names in a file. */
export interface MappingOptions {
  readonly map?: readonly string[];
  readonly mapState?: readonly string[];
  readonly from?: PresetName;
}

/** Adds `--from`, `--map` and `--map-state`. */
export function addMappingOptions(command: AdminCommand): AdminCommand {
  const products = Object.keys(PRESETS);
  return command
    .addOption(new Option('--from <product>', 'read the columns and states of this product').choices(products))
    .option(
      '--map <theirs=ours>',
      'read a column of the file as one of ours, or THEIRS= as none; can be repeated',
      collect,
    )
    .option('--map-state <theirs=ours>', 'read a state of the file as one of ours; can be repeated', collect);
}

/** Parses the options. Throws `InvalidArguments`, which repeats no value. */
export function parseMapping({ map = [], mapState = [], from }: MappingOptions, kind: FileKind): Mapping {
  const preset = from && kind.presetOf(from);
  const renamed = map.map((pair) => parsePair('--map', pair, [...kind.columns, '']));
  const translated = mapState.map((pair) => parsePair('--map-state', pair, kind.states));
  const states = Object.entries(preset?.states ?? {}).flatMap(([to, theirs]) => theirs.map((from) => ({ from, to })));
  const translations = new Map([...states, ...translated].map(({ from, to }) => [from, to]));
  if (translated.some(({ from, to }) => translations.get(from) !== to)) {
    throw new InvalidArguments('--map-state names a state of the file twice. Give each state once.');
  }
  return { kind, preset, renamed: renamed.map(({ from, to }) => ({ from, to: to || null })), translations };
}

/** Splits `THEIRS=OURS` at the last `=`. */
function parsePair(option: string, pair: string, targets: readonly string[]): { from: string; to: string } {
  const at = pair.lastIndexOf('=');
  const from = nameKey(pair.slice(0, Math.max(at, 0)));
  const to = nameKey(pair.slice(at + 1));
  if (from === '')
    throw new InvalidArguments(`${option} must have the form THEIRS=OURS. Run with --help to see an example.`);
  if (targets.includes(to)) return { from, to };
  const names = targets.filter((target) => target !== '').join(', ');
  throw new InvalidArguments(`${option} must end with = and one of ${names}.`);
}

/** Brings the name of a column or a state to the form in which names are compared. */
export function nameKey(name: string): string {
  return name.trim().toLowerCase();
}
