import { callersOf } from '../../../functions/kernel/accounts/table/callers.ts';
import { type Milliseconds, milliseconds } from '../../../functions/kernel/time.ts';
import { type Click, clickRecorder } from '../../../functions/tracking/table/clicks.ts';
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

/** Records clicks with a clock that the test controls. */
export function recorderAt(table: TestTable) {
  const clock = { time: milliseconds(Date.now()) };
  const at = atTime(table, () => clock.time);
  const record = clickRecorder(at.clock);
  return {
    record: (click: Click) => record(at, click),
    advance: (duration: number) => {
      clock.time = milliseconds(clock.time + duration);
    },
  };
}
