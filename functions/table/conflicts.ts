import { Unavailable } from '../domain/errors.ts';
import type { Milliseconds } from '../domain/time.ts';
import type { Table } from './table.ts';

const MAX_TRIES = 6;
/** Longest pauses after the first try and after the last ones, in milliseconds. */
const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 160;

/**
 * Tries again what conflicts with what others write at the same time, with full jitter between the tries
 * (https://aws.amazon.com/builders-library/timeouts-retries-and-backoff-with-jitter/): the SDK does not. Throws
 * `Unavailable` with the last conflict as its cause when tries or time run out.
 */
export async function retryOnConflict<Result>(
  table: Table,
  deadline: Milliseconds,
  attempt: () => Promise<{ readonly result: Result } | { readonly conflict: unknown }>,
): Promise<Result> {
  let longestPause = FIRST_PAUSE;
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt();
    if ('result' in outcome) return outcome.result;
    if (tries === MAX_TRIES) throw new Unavailable(outcome.conflict);
    await table.backOff(deadline, longestPause);
    longestPause = Math.min(longestPause * 2, LONGEST_PAUSE);
  }
}
