import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Advocate } from '../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { sortKey } from '../../functions/kernel/dynamodb/keys.ts';
import { type PageStart, readPage } from '../../functions/kernel/dynamodb/page.ts';
import { PageTooDeep } from '../../functions/kernel/errors.ts';
import { LAST_SECOND, seconds } from '../../functions/kernel/time.ts';
import { planReferrals, type ReferralFilters } from '../../functions/referrals/table/advocate-referrals.ts';
import { type ListedReferral, parseListedReferral } from '../../functions/referrals/table/referral-item.ts';
import { anAdvocate, aProgram, newId } from '../support/program.ts';
import { positionKey, referralsInOrder, walk } from '../support/table/oracle.ts';
import { filters, range, START, sampleRows, storeRow, storeRows } from '../support/table/rows.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
let rows: ListedReferral[];
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  rows = await storeRows(table, program, advocate, sampleRows(300, 1));
  // No page may contain these rows: they belong to other advocates, one with a slug that has the same prefix.
  const others = [await anAdvocate(table, program), await anAdvocate(table, program, { slug: `${advocate.slug}-2` })];
  for (const other of others) await storeRows(table, program, other, sampleRows(40, 2));
});

async function page(of: ReferralFilters, start: PageStart, size: number) {
  const { items, next } = await readPage(table, planReferrals(program.id, advocate.slug, of), start, size);
  return { found: items.map(parseListedReferral), next };
}

const size = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 4 }));

test('every page contains exactly the matching rows in order, for all filters', async () => {
  const property = async (of: ReferralFilters, number: number, perPage: number) => {
    const expected = referralsInOrder(rows, of);
    const skip = (number - 1) * perPage;
    const { found, next } = await page(of, { skip }, perPage);
    expect(found).toEqual(expected.slice(skip, skip + perPage));
    expect(next !== undefined).toBe(expected.length > skip + perPage);
    const last = found.at(-1);
    if (next !== undefined) expect(next).toBe(last && positionKey(last, of));
  };
  await fc.assert(fc.asyncProperty(filters, fc.integer({ min: 1, max: 12 }), size, property), {
    numRuns: 300,
  });
});

test('a range of created_at does not contain its end, also if the list is sorted by state_set_at', async () => {
  const from = seconds(0);
  const to = rows.find(({ state }) => state !== 'clicked')?.createdAt ?? seconds(START);
  const of = {
    state: undefined,
    subId: undefined,
    createdAt: { from, to },
    stateSetAt: { from, to: seconds(LAST_SECOND) },
  };
  expect((await page(of, { skip: 0 }, 300)).found).toEqual(referralsInOrder(rows, of));
});

test('a page that would skip too many rows of the list is refused, a page past the end is empty', async () => {
  const property = async (of: ReferralFilters, maxSkip: number, beyond: number) => {
    const plan = planReferrals(program.id, advocate.slug, of);
    const { length } = referralsInOrder(rows, of);
    const deepest = await readPage(table, plan, { skip: maxSkip, maxSkip }, 1);
    expect(deepest.items.length).toBe(length > maxSkip ? 1 : 0);
    const beyondIt = readPage(table, plan, { skip: maxSkip + beyond, maxSkip }, 1);
    if (length > maxSkip) await expect(beyondIt).rejects.toThrow(PageTooDeep);
    else expect(await beyondIt).toEqual({ items: [], next: undefined });
  };
  await fc.assert(fc.asyncProperty(filters, fc.nat(300), fc.integer({ min: 1, max: 1_000_000_000 }), property), {
    numRuns: 100,
  });
});

/** Creation time of the newest row that was added at the front. It is later than all other rows. */
let front = START + 1000;

/** Adds rows at the top of the lists, with random states and sub ids. */
async function addInFront(count: number): Promise<void> {
  for (const changes of sampleRows(count, front)) {
    front += 1;
    const moment = seconds(front);
    const times = { createdAt: moment, stateSetAt: moment, updatedAt: moment };
    rows.push(await storeRow(table, program, advocate, { ...changes, ...times }));
  }
}

test('following next returns every row once and in order, for all page sizes, while new rows are added', async () => {
  const property = async (of: ReferralFilters, sizes: readonly number[], added: number) => {
    const expected = referralsInOrder(rows, of);
    const walked = await walk(
      (start, perPage) => page(of, start, perPage),
      sizes,
      async (turn) => {
        if (turn < 2) await addInFront(added);
      },
    );
    expect(walked).toEqual(expected);
  };
  const sizes = fc.array(fc.integer({ min: 7, max: 50 }), { minLength: 1, maxLength: 4 });
  await fc.assert(fc.asyncProperty(filters, sizes, fc.nat(2), property), { numRuns: 60 });
});

test('a list continues after a position that matches no row, within the filters', async () => {
  const property = async (of: ReferralFilters, second: number, id: string, perPage: number) => {
    const after = sortKey(seconds(second), id);
    const expected = referralsInOrder(rows, of).filter((row) => positionKey(row, of) < after);
    const { found, next } = await page(of, { after }, perPage);
    expect(found).toEqual(expected.slice(0, perPage));
    expect(next !== undefined).toBe(expected.length > perPage);
  };
  const second = fc.oneof(
    range.map(({ from }) => from),
    fc.constantFrom(0, START, 253_402_300_799),
  );
  const id = fc.oneof(
    fc.uuid({ version: 7 }),
    fc.constantFrom('00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff'),
    fc.nat(299).map((index) => rows[index]?.id ?? newId()),
  );
  await fc.assert(fc.asyncProperty(filters, second, id, size, property), { numRuns: 150 });
});
