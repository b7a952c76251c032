import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { newTemporaryProgram, storeTemporaryProgram } from '../../../bin/admin/doctor/temporary-program.ts';
import { functionsOf } from '../../../bin/local/gateway.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { createMissingTable } from '../../../functions/operator/create-table.ts';
import { adminHere, adminWith } from '../../support/admin-here.ts';
import { NO_SECRETS, partsOf, useGateway } from '../../support/drivers.ts';
import { aClick } from '../../support/program.ts';
import { countStream } from '../../support/statistics/statistics.ts';
import { allItems, atTime } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

// No function counts the statistics of this table.
const table = useTable();
beforeAll(() => createMissingTable(table, { stream: true }));
const gateway = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));

/** Runs doctor. Each pause calls `act` with the milliseconds of all pauses so far, and takes no time. */
async function doctor(act: (waited: number) => unknown) {
  let waited = 0;
  const clock = () => milliseconds(Date.now() + waited);
  const pause = async (duration: number) => {
    waited += duration;
    await act(waited);
  };
  const setting = { table: atTime(table, clock), clock, pause };
  const { status, stdout } = await adminWith(setting, 'doctor', '--json', '--base-url', gateway.url());
  const { steps } = JSON.parse(stdout);
  const leftovers = steps.find(({ step }: { step: string }) => step === 'leftovers');
  return { status, leftovers, cleanUp: steps.at(-1), waited };
}

test('doctor removes statistics that are counted after two minutes', async () => {
  const before = await allItems(table);
  let isCounted = false;
  const { status, cleanUp, waited } = await doctor(async (waited) => {
    if (isCounted || waited < 120_000) return;
    await countStream(table);
    isCounted = true;
  });
  expect([status, isCounted]).toEqual([0, true]);
  expect(cleanUp).toMatchObject({ outcome: 'passed', what: 'everything that was stored is removed' });
  expect(waited).toBeLessThan(130_000);
  expect(await allItems(table)).toEqual(before);
});

test('doctor says how to remove statistics that are not counted within three minutes', async () => {
  const before = await allItems(table);
  const { status, cleanUp } = await doctor(() => undefined);
  expect([status, cleanUp.outcome]).toEqual([0, 'passed']);
  expect(await allItems(table)).toEqual(before);
  await countStream(table);
  expect((await allItems(table)).length).toBeGreaterThan(before.length);
  const [, command = ''] = /^The statistics .* run (program delete --program \S+): /.exec(cleanUp.advice) ?? [];
  expect(await adminHere(table, ...command.split(' '))).toMatchObject({ status: 0 });
  expect(await allItems(table)).toEqual(before);
});

test('doctor waits three minutes for all programs of interrupted runs together', async () => {
  const before = await allItems(table);
  const past = milliseconds(Date.now() - 3_600_000);
  const interrupted = [1, 2, 3].map(() => newTemporaryProgram(past, randomBytes));
  for (const { program, advocate, ...tokens } of interrupted) {
    await storeTemporaryProgram(table, { program, advocate, ...tokens });
    await aClick(table, program, advocate);
  }
  const { leftovers, waited } = await doctor(() => undefined);
  expect(leftovers).toMatchObject({ outcome: 'passed', what: 'removed programs of earlier runs: 3' });
  expect(leftovers.advice.match(/^The statistics of the program \S+ were not counted/gm)).toHaveLength(3);
  // Three minutes for these programs, and three for the program of this run.
  expect(waited).toBeLessThan(370_000);
  expect(await allItems(table)).toEqual(before);
  // Leaves no changes to the other tests.
  await countStream(table);
});
