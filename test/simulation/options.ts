import { parseArgs } from 'node:util';
import { FAULTS, type FaultRates } from './network.ts';

const USAGE = 'Options: --calls N, --seed N, --world N (calls per world), --callers N, --faults a,b (default: all)';

/** The options of `npm run test:simulation`. */
export interface Options {
  /** Calls of all worlds together. */
  readonly total: number;
  /** The seed of the first world. Each world has the next one. */
  readonly first: number;
  /** Calls per world. */
  readonly size: number;
  readonly callers: number | undefined;
  readonly faults: FaultRates;
}

/** Parses the options. Ends the process with 2 if one is not valid. */
export function readOptions(): Options {
  try {
    return parseOptions();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : ''}\n${USAGE}`);
    process.exit(2);
  }
}

function parseOptions(): Options {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
      world: { type: 'string', default: '5000' },
      callers: { type: 'string' },
      faults: { type: 'string', default: Object.keys(FAULTS).join() },
    },
  });
  const kinds = values.faults.split(',').filter((kind) => kind !== '');
  const unknown = kinds.find((kind) => !(kind in FAULTS));
  if (unknown !== undefined)
    throw new RangeError(`"${unknown}" is no fault: choose from ${Object.keys(FAULTS).join()}`);
  return {
    total: whole(values.calls, 1),
    first: whole(values.seed, 0),
    size: whole(values.world, 1),
    callers: values.callers === undefined ? undefined : whole(values.callers, 1),
    faults: Object.fromEntries(
      Object.entries(FAULTS).map(([kind, rate]) => [kind, kinds.includes(kind) ? rate : 0]),
    ) as FaultRates,
  };
}

function whole(text: string, least: number): number {
  const number = Number(text);
  if (text === '' || !Number.isSafeInteger(number) || number < least) throw new RangeError(`"${text}" is too small`);
  return number;
}
