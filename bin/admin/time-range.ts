import { InvalidField } from '../../functions/domain/errors.ts';
import { parseMoment } from '../../functions/domain/time.ts';
import { parseRange } from '../../functions/http/list.ts';
import type { AdminCommand } from './cli.ts';

const MEANINGS = { created: 'created', state_set: 'whose state was set' } as const;
type Filtered = keyof typeof MEANINGS;

export const TIME_FORMAT = 'Times are written as "2026-01-31 00:00:00 +0000" or 2026-01-31T00:00:00Z.';

/** Adds the options `--<name>-after` and `--<name>-before`. */
export function addRange(command: AdminCommand, name: Filtered, rows = 'referrals'): AdminCommand {
  const option = `--${name.replace('_', '-')}`;
  return command
    .option(`${option}-after <time>`, `only ${rows} ${MEANINGS[name]} after this time`)
    .option(`${option}-before <time>`, `only ${rows} ${MEANINGS[name]} before this time`);
}

/** Parses the two options. Unlike the API, throws `InvalidField` if an operator has confused their order. */
export function rangeOf(name: Filtered, after: string | undefined, before: string | undefined) {
  const range = parseRange(name, after, before, ['after', 'before']);
  const [start, end] = [parseMoment(after ?? ''), parseMoment(before ?? '')];
  if (start && end && start.second > end.second) {
    throw new InvalidField(`${name}_after`, `must not be later than --${name.replace('_', '-')}-before`);
  }
  return range;
}
