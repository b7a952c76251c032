import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { rulesOf } from '../../../functions/kernel/accounts/table/commission-rules.ts';
import { readGroups } from '../../../functions/kernel/accounts/table/groups.ts';
import { findProgram } from '../../../functions/kernel/accounts/table/programs.ts';
import { updateProgram } from '../../../functions/program/table/program-changes.ts';
import { dyingAt } from '../../support/dying.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { interleavedAttempts } from '../../support/interleaved.ts';
import { aProgram } from '../../support/program.ts';
import type { TestTable } from '../../support/table.ts';
import { aGroup, setRules } from '../../support/terms.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
let program: Program;
beforeEach(async () => {
  program = await aProgram(table, { commissionPercentage: 20, commissionMonths: 12 });
});
const RULES = [{ amounts: { usd: 300 }, payments: 1 }, { percentage: 10 }];

/** Which form of terms a program has, all of whose rules must exist. */
async function formOf({ id }: Program): Promise<string> {
  const stored = await findProgram(table, id);
  if (!stored) throw new Error('The program does not exist.');
  const { commissionPercentage, commissionMonths } = stored;
  return JSON.stringify([commissionPercentage, commissionMonths, await rulesOf(table, id, stored)]);
}

/** The groups of the program with their terms, all of whose rules must exist. */
async function groupsOf({ id }: Program) {
  const { groups, version } = await readGroups(table, id);
  const rules = await Promise.all(groups.map((group) => rulesOf(table, id, group)));
  return {
    version,
    groups: groups.map(({ name, commissionPercentage }, index) => [name, commissionPercentage ?? rules[index]]),
  };
}

test('a group whose response is lost is stored once, and not again on top of a later change', async () => {
  proxy.next('TransactWriteItems', 'lose');
  await aGroup(proxied.faulty, program, 'partners', RULES);
  expect(await groupsOf(program)).toEqual({ version: 1, groups: [['partners', RULES]] });
  await expectUnchanged(table, () => aGroup(table, program, 'partners', RULES));
  proxy.next('TransactWriteItems', { meanwhile: () => aGroup(table, program, 'partners', 40) });
  await aGroup(proxied.faulty, program, 'partners', 30);
  expect(await groupsOf(program)).toEqual({ version: 3, groups: [['partners', 40]] });
});

test('rules whose response is lost, also before the program has them, are stored once', async () => {
  proxy.next('PutItem', 'lose');
  proxy.next('TransactWriteItems', { meanwhile: () => updateProgram(table, program.id, { name: 'Later' }) });
  expect(await setRules(proxied.faulty, program, RULES)).toMatchObject({ commissionPercentage: null });
  expect(await formOf(program)).toBe(JSON.stringify([null, null, RULES]));
  expect(await findProgram(table, program.id)).toMatchObject({ name: 'Later' });
});

test('groups and programs that are written at the same moment, with lost responses, have one form of terms each', async () => {
  // The third lost response in a row would end a request.
  const losses = fc.array(fc.boolean(), { maxLength: 6 }).filter((lost) => lost.filter(Boolean).length < 3);
  const property = async (scheduler: fc.Scheduler, lost: boolean[]) => {
    const raced = await aProgram(table);
    await interleavedAttempts(scheduler, table, lost, () =>
      Promise.all([
        setRules(table, raced, RULES),
        updateProgram(table, raced.id, { commissionPercentage: 5, commissionMonths: 3 }),
        aGroup(table, raced, 'a', RULES),
        aGroup(table, raced, 'a', 30),
        aGroup(table, raced, 'b', 40),
      ]),
    );
    expect([JSON.stringify([null, null, RULES]), '[5,3,null]']).toContain(await formOf(raced));
    const { groups, version } = await groupsOf(raced);
    expect(
      [RULES, 30].map((terms) => [
        ['a', terms],
        ['b', 40],
      ]),
    ).toContainEqual(groups);
    expect(version).toBe(3);
  };
  await fc.assert(fc.asyncProperty(fc.scheduler(), losses, property), { numRuns: 30 });
});

test.each([
  ['group', (on: TestTable, of: Program) => aGroup(on, of, 'a', RULES)],
  ['program', (on: TestTable, of: Program) => setRules(on, of, RULES)],
])('a change of a %s that is interrupted at any of its writes never leads to unknown rules', async (_, change) => {
  for (let write = 0, hasDied = true; hasDied; write += 1) {
    program = await aProgram(table);
    hasDied = await dyingAt(table, { write, isExecuted: true }, () => change(table, program).catch(() => undefined));
    await Promise.all([formOf(program), groupsOf(program)]);
    await change(table, program);
    const all = JSON.stringify([await formOf(program), await groupsOf(program)]);
    expect(all).toContain('300');
  }
});
