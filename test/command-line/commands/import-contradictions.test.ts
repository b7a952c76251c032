import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/domain/program.ts';
import { adminHere, jsonHere, useFiles } from '../../support/admin-here.ts';
import { anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const file = useFiles();

let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
  await anAdvocate(table, program, { slug: 'jane' });
});

const run = async (lines: readonly string[], ...options: string[]) => {
  const path = await file(lines.join('\n'));
  return adminHere(table, 'referral', 'import', '--program', program.id, '--file', path, '--json', ...options);
};
const report = (created: number, skipped: number) => `{"created":${created},"skipped":${skipped},"failed":[]}\n`;
const warning = (count: number, numbers: string) =>
  `${count} of the skipped lines ${count === 1 ? 'contradicts' : 'contradict'} an earlier line or import of the same customer: ${numbers}. What was imported first stays.\n`;

const HEADER = 'advocate_slug,email,uid,state,sub_id,commission_percentage,commission_end_date,flags,created_at';
const START = 1_700_000_000;
const FIRST = `jane,ann@shop.example,u1,paid,spring,20,${START + 1},,${START}`;

describe('contradictions of earlier lines', () => {
  test.each([
    ['in its state', `jane,ann@shop.example,,churned,,,,,${START}`],
    ['in its state, named by its uid', `jane,,u1,rejected,,,,,${START}`],
    ['in its sub id', `jane,ann@shop.example,,paid,autumn,,,,${START}`],
    ['in its rate', `jane,ann@shop.example,,paid,,10,,,${START}`],
    ['in the end of the commission', `jane,ann@shop.example,,paid,,,${START + 2},,${START}`],
    ['in its flags', `jane,ann@shop.example,,paid,,,,self_referral,${START}`],
  ])('a contradiction %s is skipped with a warning without an email, also in a dry run', async (_, line) => {
    const lines = [HEADER, FIRST, 'jane,,u2,paid,,,,,', line];
    const first = { status: 0, stdout: report(2, 1), stderr: warning(1, '4') };
    expect(await run(lines, '--dry-run')).toEqual(first);
    expect(await run(lines)).toEqual(first);
    const before = await allItems(table);
    expect(await run(lines)).toEqual({ ...first, stdout: report(0, 3) });
    expect(await allItems(table)).toEqual(before);
  });

  test('a contradiction is also reported in the report for people', async () => {
    const path = await file([HEADER, FIRST, `jane,ann@shop.example,,churned,,,,,${START}`].join('\n'));
    const { stderr } = await adminHere(table, 'referral', 'import', '--program', program.id, '--file', path);
    expect(stderr).toBe(warning(1, '3'));
  });

});

describe('lines without a warning', () => {
  const silent = async (lines: readonly string[], created: number, skipped: number) =>
    expect(await run(lines)).toEqual({ status: 0, stdout: report(created, skipped), stderr: '' });

  test('no warning is printed for a referral that has changed since its import', async () => {
    const lines = ['advocate_slug,email,state', 'jane,ann@shop.example,converted'];
    await silent(lines, 1, 0);
    const change = ['--program', program.id, '--email', 'ann@shop.example', '--state', 'paid'];
    await jsonHere(table, 'referral', 'set-state', ...change);
    await silent(lines, 0, 1);
  });

  test('no warning is printed for a click that occurs again as a referral', async () => {
    const id = newId();
    const lines = ['id,advocate_slug,email,state', `${id},jane,,clicked`, `${id},jane,ann@shop.example,paid`];
    await silent(lines, 2, 0);
    await silent(lines, 0, 2);
  });
});

test('a line with more customers at Stripe than a referral stores is skipped with a warning', async () => {
  const lines = Array.from({ length: 22 }, (_, index) => `jane,u1,paid,cus_${index}`);
  const ended = { status: 0, stdout: report(1, 21), stderr: warning(2, '22, 23') };
  expect(await run(['advocate_slug,uid,state,stripe_customer', ...lines], '--dry-run')).toEqual(ended);
  expect(await run(['advocate_slug,uid,state,stripe_customer', ...lines])).toEqual(ended);
});
