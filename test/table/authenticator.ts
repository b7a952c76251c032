import { type Milliseconds, milliseconds } from '../../functions/domain/time.ts';
import { authenticator } from '../../functions/table/authenticator.ts';
import type { Table } from '../../functions/table/table.ts';
import { atTime } from '../support/table.ts';

/** An authenticator whose clock the test moves. */
export function authenticatorAt(table: Table, start: Milliseconds) {
  const clock = { time: start };
  const ask = authenticator(atTime(table, () => clock.time));
  return { clock, authenticate: (token: string) => ask(token, milliseconds(clock.time + 60_000)) };
}
