import { type Milliseconds, milliseconds } from '../../functions/domain/time.ts';
import { callersOf } from '../../functions/table/callers.ts';
import type { Table } from '../../functions/table/table.ts';
import { AMPLE_TIME, atTime } from '../support/table.ts';

/** Callers by token and by public key, found by a clock that the test moves. */
export function callersAt(table: Table, start: Milliseconds) {
  const clock = { time: start };
  const { byToken, byPublicKey } = callersOf(atTime(table, () => clock.time));
  const deadline = () => milliseconds(clock.time + AMPLE_TIME);
  return {
    clock,
    authenticate: (token: string) => byToken(token, deadline()),
    findPage: (publicKey: string) => byPublicKey(publicKey, deadline()),
  };
}
