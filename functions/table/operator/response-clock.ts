import { valueAt } from '../../domain/json.ts';
import { type Clock, milliseconds, systemClock } from '../../domain/time.ts';
import type { TableDependencies } from '../dynamodb/table.ts';

/**
 * Returns DynamoDB's clock: the `Date` of its responses to a client, continued with `elapsed`, which never jumps. The
 * ledger relies on clocks that differ by seconds, and an operator's machine may be hours off (docs/contract.md, Statements
 * and sums). Until a response has a `Date`, which an engine outside AWS may omit, it is the clock of this machine.
 */
export function responseClock(
  client: TableDependencies['client'],
  elapsed: () => number = () => performance.now(),
): Clock {
  let start: number | undefined;
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
