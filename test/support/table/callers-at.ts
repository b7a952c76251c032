import type { Milliseconds } from '../../../functions/domain/time.ts';
import { callersOf } from '../../../functions/table/callers.ts';
import { atTime, type TestTable } from '../table.ts';

/** Callers by token and by public key, found by a clock that the test moves. */
export function callersAt(table: TestTable, start: Milliseconds) {
  const clock = { time: start };
  const at = atTime(table, () => clock.time);
  const { byToken, byPublicKey } = callersOf(at.clock);
  return {
    clock,
    authenticate: (token: string) => byToken(at, token),
    findPage: (publicKey: string) => byPublicKey(at, publicKey),
  };
}
