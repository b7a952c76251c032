import type { Milliseconds } from '../../../functions/domain/time.ts';
import { callersOf } from '../../../functions/table/callers.ts';
import { atTime, type TestTable } from '../table.ts';

/** Looks up callers by token and by public key, with a clock that the test controls. */
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
