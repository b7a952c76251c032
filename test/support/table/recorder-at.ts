import { milliseconds } from '../../../functions/domain/time.ts';
import { type Click, clickRecorder } from '../../../functions/table/referrals/clicks.ts';
import { atTime, type TestTable } from '../table.ts';

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
