import { Option } from 'commander';
import { type AdminCommand, collect } from '../cli.ts';
import { InvalidArguments } from '../errors.ts';
import { PRESETS, type Preset, type PresetName } from './presets.ts';

/** How the names in a file are translated. Names of the file are as `nameKey` returns them. */
export interface Mapping {
  /** The columns that `--map` renames. With `to` null, a column is not read. */
  readonly renamed: readonly { readonly from: string; readonly to: string | null }[];
  /** If there is a preset, only its columns and those in `renamed` are read. */
  readonly preset: Preset | undefined;
  /** The translations of the states in the file. */
  readonly states: ReadonlyMap<string, string>;
}

/** The options that describe the names in a file. */
export interface MappingOptions {
  readonly map?: readonly string[];
  readonly mapState?: readonly string[];
  readonly from?: PresetName;
}

/** Our names of the columns and states, and the presets. */
export interface Names {
  readonly columns: readonly string[];
  readonly states: readonly string[];
  readonly presetOf: (name: PresetName) => Preset;
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
export function parseMapping(
  { map = [], mapState = [], from }: MappingOptions,
  { columns, states, presetOf }: Names,
): Mapping {
  const preset = from && presetOf(from);
  const renamed = map.map((pair) => parsePair('--map', pair, [...columns, '']));
  const translations = mapState.map((pair) => parsePair('--map-state', pair, states));
  const given = new Map(translations);
  if (translations.some(([from, to]) => given.get(from) !== to)) {
    throw new InvalidArguments('--map-state names a state of the file twice. Give each state once.');
  }
  const ofPreset = Object.entries(preset?.states ?? {}).flatMap(([to, theirs]) =>
    theirs.map((from) => [from, to] as const),
  );
  return {
    renamed: renamed.map(([from, to]) => ({ from, to: to || null })),
    preset,
    states: new Map([...ofPreset, ...translations]),
  };
}

/** Splits `THEIRS=OURS` at the last `=`. */
function parsePair(option: string, pair: string, targets: readonly string[]): readonly [string, string] {
  const at = pair.lastIndexOf('=');
  const from = nameKey(pair.slice(0, Math.max(at, 0)));
  const to = nameKey(pair.slice(at + 1));
  if (from === '')
    throw new InvalidArguments(`${option} must have the form THEIRS=OURS. Run with --help to see an example.`);
  if (targets.includes(to)) return [from, to];
  const names = targets.filter((target) => target !== '').join(', ');
  throw new InvalidArguments(`${option} must end with = and one of ${names}.`);
}

/** Brings the name of a column or a state to the form in which names are compared. */
export function nameKey(name: string): string {
  return name.trim().toLowerCase();
}
