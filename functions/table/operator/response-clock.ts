import { uptime } from 'node:os';
import { Unavailable } from '../../domain/errors.ts';
import { valueAt } from '../../domain/json.ts';
import { type Clock, milliseconds, systemClock } from '../../domain/time.ts';
import type { TableDependencies } from '../dynamodb/table.ts';

/**
 * Longest time from a request to its last attempt, in milliseconds. Three attempts of an operator need less. With the
 * difference of the clocks, it is less than the minute that sums wait for (docs/contract.md, Statements and sums).
 */
const LAST_ATTEMPT = 25_000;

/**
 * Milliseconds since this machine started, including the time for which it was suspended. `performance.now()` and timers
 * stand still then (`CLOCK_BOOTTIME` and `CLOCK_MONOTONIC`, https://man7.org/linux/man-pages/man2/clock_gettime.2.html).
 */
const sinceBoot = () => uptime() * 1000;

/**
 * Returns DynamoDB's clock: the `Date` of its responses to a client, continued with `elapsed`, which never jumps. The
 * ledger relies on clocks that differ by seconds, and an operator's machine may be hours off (docs/contract.md, Statements
 * and sums). Until a response has a `Date`, which an engine outside AWS may omit, it is the clock of this machine.
 *
 * From now on the client throws `Unavailable` instead of repeating a request whose times are old, because the machine
 * was suspended.
 */
export function responseClock(client: TableDependencies['client'], elapsed: () => number = sinceBoot): Clock {
  let start: number | undefined;
  client.middlewareStack.add(
    // The client resolves its middleware once for each request, and the SDK's retries are outside of this one.
    (next) => {
      const last = elapsed() + LAST_ATTEMPT;
      return async (args) => {
        if (elapsed() > last) throw new Unavailable();
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
