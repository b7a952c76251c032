import { InvalidField } from '../../functions/domain/errors.ts';
import { type Moment, parseMoment } from '../../functions/domain/time.ts';
import { parseRange } from '../../functions/http/list.ts';
import type { AdminCommand } from './cli.ts';

/** The times that can be filtered. */
const MEANINGS = { created: 'created', state_set: 'whose state was set' } as const;
type Filtered = keyof typeof MEANINGS;

/** The remark on times in the help. */
export const TIME_FORMAT = 'Times are written as "2026-01-31 00:00:00 +0000" or 2026-01-31T00:00:00Z.';

/** Adds the options `--<name>-after` and `--<name>-before`. */
export function addRange(command: AdminCommand, name: Filtered): AdminCommand {
  const option = `--${name.replace('_', '-')}`;
  return command
    .option(`${option}-after <time>`, `only referrals ${MEANINGS[name]} after this time`)
    .option(`${option}-before <time>`, `only referrals ${MEANINGS[name]} before this time`);
}

/**
 * Parses the two options. Returns `undefined` if both are absent. Throws `InvalidField` also if they are in the wrong
 * order: the API returns an empty list then, but an operator has confused them.
 */
export function rangeOf(name: Filtered, after: string | undefined, before: string | undefined) {
  const range = parseRange(name, after, before, ['after', 'before']);
  if (isLater(parseMoment(after ?? ''), parseMoment(before ?? ''))) {
    throw new InvalidField(`${name}_after`, `must not be later than --${name.replace('_', '-')}-before`);
  }
  return range;
}

function isLater(one: Moment | undefined, other: Moment | undefined): boolean {
  return one !== undefined && other !== undefined && one.second > other.second;
}
