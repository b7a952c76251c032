import type { Writable } from 'node:stream';
import type { Random } from '../../functions/domain/ids.ts';
import type { Clock } from '../../functions/domain/time.ts';
import type { Table } from '../../functions/table/table.ts';

/** What every command gets from its entry: time, chance, the table and the way out. */
export interface CliContext {
  readonly clock: Clock;
  readonly random: Random;
  /** Works on the table. Options are checked before: wrong usage needs no table. */
  readonly onTable: <Result>(work: (table: Table) => Promise<Result>) => Promise<Result>;
  /** Writes to stdout. */
  readonly write: (text: string) => void;
  /** Stdout itself, for what is too long to be held. */
  readonly output: Writable;
}
