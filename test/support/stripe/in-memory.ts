import { randomBytes } from 'node:crypto';
import { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { fakeClient } from '../../simulation/fake/client.ts';
import { FakeTable } from '../../simulation/fake/table.ts';

/** A table in memory. `now` returns its time in Unix seconds; no deadline passes. */
export function tableInMemory(now: () => number): { readonly fake: FakeTable; readonly table: Table } {
  const fake = new FakeTable();
  const client = fakeClient(fake, { request: async (run) => run(), isStale: () => false });
  const clock = () => milliseconds(now() * 1000);
  const dependencies = { tableName: 'fake', client, clock, random: randomBytes, pause: async () => undefined };
  return { fake, table: new Table(dependencies, () => milliseconds(now() * 1000 + 60_000)) };
}

/** Runs `work` without timers: nothing takes real time, and a million real timers take gigabytes. */
export async function withoutTimers<Result>(work: () => Promise<Result>): Promise<Result> {
  const { timeout } = AbortSignal;
  const never = new AbortController().signal;
  AbortSignal.timeout = () => never;
  return work().finally(() => {
    AbortSignal.timeout = timeout;
  });
}
