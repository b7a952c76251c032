import { expect, test } from '@jest/globals';
import { checkApiVersions, checkRates } from '../../../bin/admin/doctor/programs.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { noteApiVersion } from '../../../functions/stripe/table/api-version.ts';
import { anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import type { TestTable } from '../../support/table.ts';
import { aRuledProgram } from '../../support/terms.ts';
import { useTable } from '../../support/use-table.ts';

const complete = useTable();
const incomplete = useTable();
const versions = useTable();
const RULES = [{ percentage: 10, months: 12 }];
const NO_RATE = { commissionPercentage: null, commissionRulesId: null };

/** Stores paying customers of an advocate with the terms of their program, and without a rate, and one who churned. */
async function customersOf(table: TestTable, program: Program, rated: number, unrated: number): Promise<void> {
  const jane = await anAdvocate(table, program);
  for (let index = 0; index < rated; index += 1) await aReferral(table, program, jane, { state: 'paid' });
  for (let index = 0; index < unrated; index += 1) await aReferral(table, program, jane, { state: 'paid', ...NO_RATE });
  await aReferral(table, program, jane, { state: 'churned', ...NO_RATE });
}

test('a percentage, also of 0, and rules are rates of programs and of paying customers', async () => {
  const programs = [await aProgram(complete, { commissionPercentage: 0 }), await aRuledProgram(complete, RULES)];
  for (const program of programs) await customersOf(complete, program, 2, 0);
  expect(await checkRates(complete)).toBe('every program and its latest paying customers have one');
});

test('a program without terms, and paying customers without a rate, are reported with what to do', async () => {
  const bare = await aProgram(incomplete, { commissionPercentage: null, commissionMonths: 12 });
  const ruled = await aRuledProgram(incomplete, RULES);
  await customersOf(incomplete, ruled, 1, 2);
  expect(await checkRates(incomplete)).toEqual({
    what: 'payments without a rate earn nothing',
    advice: [
      `Payments of 2 of the latest 3 paying customers of the program ${ruled.id} have the note no_rate: their referrals keep no rate. Correct balances with ledger adjust.`,
      `The program ${bare.id} has no rate. Run program update --program ${bare.id} --commission-percentage 20, or pass 0 if advocates earn nothing by default.`,
    ].join('\n'),
  });
});

test('a last checkout with an API version without promotion codes is reported, until a newer one is noted', async () => {
  const IN_ORDER = 'no checkout at Stripe hides promotion codes';
  const { id } = await aProgram(versions);
  await aProgram(versions);
  expect(await checkApiVersions(versions)).toBe(IN_ORDER);
  let before: string | undefined;
  for (const [version, isInOrder] of [
    ['2020-08-27', false],
    ['2024-12-18.acacia', false],
    ['2025-01-27.acacia', true],
    ['2025-01-26', false],
    ['2026-03-25.dahlia', true],
  ] as const) {
    await noteApiVersion(versions, id, { before, version });
    before = version;
    const advised = {
      what: 'checkouts at Stripe contain no promotion codes',
      advice: `The last checkout of the program ${id} had Stripe's API version ${version}. Choose 2025-01-27 or later for the endpoint, or report codes from your server.`,
    };
    expect(await checkApiVersions(versions)).toEqual(isInOrder ? IN_ORDER : advised);
  }
});
