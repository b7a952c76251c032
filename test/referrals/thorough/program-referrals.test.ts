import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { STATES, type State } from '../../../functions/referrals/rules/state.ts';
import { type ProgramFilters, readProgramPage } from '../../../functions/referrals/table/program-referrals.ts';
import { parseProgramReferral } from '../../../functions/referrals/table/referral-item.ts';
import { aClick, anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { set } from '../../support/table/situations.ts';
import { allItems, inParallel } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const START = 1_700_000_000;
const CONVERTED = STATES.filter((state) => state !== 'clicked');
let program: Program;
const referrals: Referral[] = [];
beforeAll(async () => {
  program = await aProgram(table);
  const advocates = [await anAdvocate(table, program), await anAdvocate(table, program)];
  await inParallel(Array(240).keys(), async (number) => {
    const advocate = advocates[number % 2];
    const stateSetAt = seconds(START + ((number * 37) % 101));
    const state: State = STATES[(number * 7) % STATES.length] ?? 'paid';
    const changes = { state, stateSetAt, createdAt: seconds(START - 1000) };
    if (!advocate) return;
    if (state === 'clicked') await aClick(table, program, advocate, changes);
    else {
      const flags = number % 9 ? [] : (['self_referral'] as const);
      referrals.push(await aReferral(table, program, advocate, { ...changes, flags }));
    }
  });
  const other = await aProgram(table);
  await aReferral(table, other, await anAdvocate(table, other));
});

const NONE: ProgramFilters = { state: undefined, stateSetAt: undefined, flag: undefined };

/** The ids that match, the latest change first. */
function expectedIds({ state, stateSetAt, flag }: ProgramFilters): string[] {
  return referrals
    .filter((one) => state === undefined || one.state === state)
    .filter((one) => !stateSetAt || (one.stateSetAt >= stateSetAt.from && one.stateSetAt < stateSetAt.to))
    .filter((one) => flag === undefined || one.flags.includes(flag))
    .sort((one, other) => other.stateSetAt - one.stateSetAt || (one.id < other.id ? 1 : -1))
    .map(({ id }) => id);
}

/** All pages of a list. */
async function walk(filters: ProgramFilters, size: number): Promise<string[][]> {
  const pages: string[][] = [];
  let after: string | undefined;
  do {
    const { items, next } = await readProgramPage(table, program.id, filters, { after, size });
    pages.push(items.map((item) => parseProgramReferral(item).id));
    after = next;
  } while (after !== undefined);
  return pages;
}

describe('all referrals of a program', () => {
  test('the pages have exactly the matching rows in order, for all filters', async () => {
    const bound = fc.integer({ min: START - 5, max: START + 105 }).map(seconds);
    const filters = fc.record({
      state: fc.constantFrom(undefined, ...CONVERTED),
      stateSetAt: fc.option(fc.record({ from: bound, to: bound }), { nil: undefined }),
      flag: fc.constant(undefined),
    });
    const property = async (of: ProgramFilters, size: number) => {
      const pages = await walk(of, size);
      expect(pages.flat()).toEqual(expectedIds(of));
      expect(pages.slice(0, -1).every((page) => page.length === size)).toBe(true);
    };
    await fc.assert(fc.asyncProperty(filters, fc.integer({ min: 1, max: 50 }), property), { numRuns: 40 });
  });

  test.each([undefined, 'paid'] as const)('the filter by flag finds every flagged row, in state %s', async (state) => {
    const filters = { ...NONE, state, flag: 'self_referral' } as const;
    expect((await walk(filters, 5)).flat()).toEqual(expectedIds(filters));
    expect(expectedIds(filters).length).toBeGreaterThan(2);
  });

  test.each([1, 5, 50])('a search finds every matching row once, in pages of %d', async (size) => {
    const isFound = ({ id }: { readonly id: string }) => /[0-3]$/.test(id);
    const found: string[] = [];
    let after: string | undefined;
    do {
      const { items, next } = await readProgramPage(table, program.id, NONE, { after, size, isFound });
      expect(items.length).toBeLessThanOrEqual(size);
      found.push(...items.map((item) => parseProgramReferral(item).id));
      after = next;
    } while (after !== undefined);
    expect(found).toEqual(expectedIds(NONE).filter((id) => isFound({ id })));
  });
});

test('a row of a lagging index occurs once on a page, in its new state', async () => {
  const own = await aProgram(table);
  const advocate = await anAdvocate(table, own);
  const referral = await aReferral(table, own, advocate, { createdAt: seconds(START), stateSetAt: seconds(START) });
  const before = (await allItems(table)).find(({ pk }) => String(pk).endsWith(referral.id));
  await set(table, own, referral.id, 'paid');
  // The row that the index has not removed yet: another item, because the index of the engine never lags.
  const stale = { TableName: table.name, Item: { ...before, pk: `${before?.['pk']}`, sk: 'STALE' } };
  await table.client.send(new PutCommand(stale));
  const { items, next } = await readProgramPage(table, own.id, NONE, { after: undefined, size: 5 });
  expect([items.map((item) => parseProgramReferral(item).state), next]).toEqual([['paid'], undefined]);
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk: before?.['pk'], sk: 'STALE' } }));
});
