import { InvalidField } from '../../functions/kernel/errors.ts';
import { parseSlug } from '../../functions/kernel/fields/fields.ts';
import { parseCurrency } from '../../functions/kernel/fields/money.ts';
import { parseWhole } from '../../functions/kernel/fields/numbers.ts';
import { parseRange } from '../../functions/kernel/http/list.ts';
import { parseMoment } from '../../functions/kernel/time.ts';
import type { AdminCommand } from './cli.ts';
import { InvalidArguments } from './errors.ts';

// The values of options, which several commands read in the same way.

/** Parses a decimal number. Returns `NaN` for any other text, which every range check rejects. */
export function decimal(text: string): number {
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN;
}

export function whole(option: string, max: number, min = 1): (text: string) => number {
  return (text) => parseWhole(option, decimal(text), max, min);
}

export const slug = (text: string) => parseSlug('advocate', text);
export const currency = (text: string) => parseCurrency('currency', text);

export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}

/** Throws `InvalidArguments` if a command that changes something was called without any change. */
export function assertAny(changes: object): void {
  if (Object.keys(changes).length > 0) return;
  throw new InvalidArguments('Give at least one option with a new value. Run with --help to see the options.');
}

/** Adds the limit of a list. */
export function addLimit(command: AdminCommand, max: number, rows = 'rows'): AdminCommand {
  return command.option('--limit <number>', `number of ${rows}, 1 to ${max}`, whole('limit', max), DEFAULT_LIMIT);
}

const DEFAULT_LIMIT = 50;
const MEANINGS = { created: 'created', state_set: 'whose state was set' } as const;

export const TIME_FORMAT = 'Times are written as "2026-01-31 00:00:00 +0000" or 2026-01-31T00:00:00Z.';
export const TIME_RANGE = `${TIME_FORMAT} Both bounds are exclusive.`;

export function addRange(command: AdminCommand, name: keyof typeof MEANINGS, rows = 'referrals'): AdminCommand {
  const option = `--${name.replace('_', '-')}`;
  return command
    .option(`${option}-after <time>`, `only ${rows} ${MEANINGS[name]} after this time`)
    .option(`${option}-before <time>`, `only ${rows} ${MEANINGS[name]} before this time`);
}

/** Parses the two options. Unlike the API, throws `InvalidField` if an operator has confused their order. */
export function range(name: keyof typeof MEANINGS, after: string | undefined, before: string | undefined) {
  const parsed = parseRange(name, after, before, ['after', 'before']);
  const [start, end] = [parseMoment(after ?? ''), parseMoment(before ?? '')];
  if (start && end && start.second > end.second) {
    throw new InvalidField(`${name}_after`, `must not be later than --${name.replace('_', '-')}-before`);
  }
  return parsed;
}
