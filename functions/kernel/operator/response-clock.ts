import { uptime } from 'node:os';
import type { TableDependencies } from '../dynamodb/table.ts';
import { Unavailable } from '../errors.ts';
import { valueAt } from '../json.ts';
import { type Clock, milliseconds, systemClock } from '../time.ts';

/** The reason why a request is not repeated: its times are old. */
export const SUSPENDED = 'Suspended';
/** Longest difference between two clocks that both run, in milliseconds. */
const LONGEST_DIFFERENCE = 1000;

/**
 * Milliseconds since some moment, including the time for which the machine was suspended. On Linux, `performance.now()` and
 * timers stand still then (`CLOCK_MONOTONIC`, https://man7.org/linux/man-pages/man2/clock_gettime.2.html).
 */
const sinceStart = () => (process.platform === 'linux' ? uptime() * 1000 : performance.now());

/**
 * Returns DynamoDB's clock: the `Date` of its responses to a client, continued with `elapsed`, which never jumps. The
 * ledger relies on clocks that differ by seconds, and an operator's machine may be hours off (docs/contract/ledger.md, Statements
 * and sums). Until a response has a `Date`, which an engine outside AWS may omit, it is the clock of this machine.
 *
 * From now on, the client does not repeat a request if the machine was suspended since its first attempt: it throws
 * `Unavailable` with the reason `SUSPENDED`.
 */
export function responseClock(
  client: TableDependencies['client'],
  elapsed: () => number = sinceStart,
  elapsedAwake: () => number = () => performance.now(),
): Clock {
  const suspendedFor = () => elapsed() - elapsedAwake();
  let start: number | undefined;
  client.middlewareStack.add(
    // The client calls this function once for each request, and the returned function once for each attempt.
    (next) => {
      const before = suspendedFor();
      return async (args) => {
        if (suspendedFor() - before > LONGEST_DIFFERENCE) throw new Unavailable(undefined, SUSPENDED);
        return next(args);
      };
    },
    { step: 'finalizeRequest', priority: 'low' },
  );
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const date = Date.parse(String(valueAt(result.response, 'headers', 'date')));
      // A Date is cut to the second and arrives late: the latest start is nearest to the truth.
      if (!Number.isNaN(date)) start = Math.max(start ?? Number.NEGATIVE_INFINITY, date - elapsed());
      return result;
    },
    // Before the response is parsed: an error response has a Date as well.
    { step: 'deserialize', priority: 'low' },
  );
  return () => (start === undefined ? systemClock() : milliseconds(Math.floor(start + elapsed())));
}
