import { milliseconds } from '../../functions/domain/time.ts';
import { type Click, clickRecorder } from '../../functions/table/clicks.ts';
import type { Table } from '../../functions/table/table.ts';
import { AMPLE_TIME, atTime } from '../support/table.ts';

/** Records clicks by a clock that the test moves. */
export function recorderAt(table: Table) {
  const clock = { time: milliseconds(Date.now()) };
  const record = clickRecorder(atTime(table, () => clock.time));
  return {
    record: (click: Click) => record(click, milliseconds(clock.time + AMPLE_TIME)),
    pass: (duration: number) => {
      clock.time = milliseconds(clock.time + duration);
    },
  };
}
