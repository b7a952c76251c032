import { expect, test } from '@jest/globals';
import { checkRates } from '../../../bin/admin/doctor/command.ts';
import { updateProgram } from '../../../functions/table/program-changes.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();

test('doctor advises on programs without a rate, and on paying customers whose payments earn nothing', async () => {
  const program = await aProgram(table);
  const { id } = await updateProgram(table, program.id, { commissionPercentage: 0 });
  const advocate = await anAdvocate(table, program);
  await aReferral(table, program, advocate, { state: 'paid', commissionPercentage: 0 });
  await aReferral(table, program, advocate, { state: 'churned', commissionPercentage: null });
  expect(await checkRates(table)).toBe('every program and its latest paying customers have one');
  await updateProgram(table, id, { commissionPercentage: null });
  await aReferral(table, program, advocate, { state: 'paid', commissionPercentage: null });
  const { what, advice } = Object(await checkRates(table));
  expect([what, advice.split('\n')]).toEqual([
    'payments without a rate earn nothing',
    [
      `The program ${id} has no rate. Run program update --program ${id} --commission-percentage 20, or pass 0 if advocates earn nothing by default.`,
      `Payments of 1 of the latest 2 paying customers of the program ${id} have the note no_rate: their referrals keep no rate. Correct balances with ledger adjust.`,
    ],
  ]);
});
