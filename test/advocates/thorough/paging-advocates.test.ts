import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import {
  type ListedAdvocate,
  parseListedAdvocate,
  planAdvocates,
} from '../../../functions/kernel/accounts/table/advocate-items.ts';
import { advocateKey, sortKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { type PageStart, readPage } from '../../../functions/kernel/dynamodb/page.ts';
import { InvalidField } from '../../../functions/kernel/errors.ts';
import { type SecondsRange, seconds } from '../../../functions/kernel/time.ts';
import { anAdvocate, aProgram, newId } from '../../support/program.ts';
import { advocatesInOrder, walk } from '../../support/table/oracle.ts';
import { range, START } from '../../support/table/rows.ts';
import { inParallel, itemAt } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
let program: Program;
const advocates: ListedAdvocate[] = [];
/** Returns an advocate as it appears in the list. */
const listed = async ({ slug }: Advocate): Promise<ListedAdvocate> =>
  parseListedAdvocate((await itemAt(table, advocateKey(program.id, slug))) ?? {});
beforeAll(async () => {
  program = await aProgram(table);
  const elsewhere = await aProgram(table);
  await inParallel(Array(120).keys(), async (index) => {
    const createdAt = seconds(START + (index % 17));
    const fields = index % 2 ? { uid: `Partner ${index}`, lastName: null, companyId: `org-${index}` } : {};
    advocates.push(await listed(await anAdvocate(table, program, fields, createdAt)));
    if (index % 10 === 0) await anAdvocate(table, elsewhere, {}, createdAt);
  });
});

async function page(createdAt: SecondsRange | undefined, start: PageStart, size: number) {
  const plan = planAdvocates(program.id, createdAt);
  const { items, next } = await readPage(table, plan, start, size);
  return { found: items.map(parseListedAdvocate), next };
}

const created = fc.option(range, { nil: undefined });
const size = fc.integer({ min: 1, max: 50 });

test('every page contains exactly the advocates created in the range, newest first', async () => {
  const property = async (of: SecondsRange | undefined, number: number, perPage: number) => {
    const expected = advocatesInOrder(advocates, of);
    const skip = (number - 1) * perPage;
    const { found, next } = await page(of, { skip }, perPage);
    expect(found).toEqual(expected.slice(skip, skip + perPage));
    expect(next !== undefined).toBe(expected.length > skip + perPage);
  };
  await fc.assert(fc.asyncProperty(created, fc.integer({ min: 1, max: 6 }), size, property), {
    numRuns: 150,
  });
});

let front = START + 1000;

test('following next returns every advocate once and in order while new advocates are added', async () => {
  const property = async (of: SecondsRange | undefined, sizes: readonly number[]) => {
    const expected = advocatesInOrder(advocates, of);
    const walked = await walk(
      (start, perPage) => page(of, start, perPage),
      sizes,
      async (turn) => {
        if (turn > 0) return;
        front += 1;
        advocates.push(await listed(await anAdvocate(table, program, {}, seconds(front))));
      },
    );
    expect(walked).toEqual(expected);
  };
  const sizes = fc.array(fc.integer({ min: 5, max: 50 }), { minLength: 1, maxLength: 4 });
  await fc.assert(fc.asyncProperty(created, sizes, property), { numRuns: 40 });
});

test('a position without an advocate continues the list, and an invalid position throws InvalidField', async () => {
  const property = async (of: SecondsRange | undefined, { from }: SecondsRange, id: string) => {
    const after = sortKey(from, id);
    const following = advocatesInOrder(advocates, of).filter((row) => sortKey(row.createdAt, row.id) < after);
    expect((await page(of, { after }, 50)).found).toEqual(following.slice(0, 50));
    await expect(page(of, { after: `${after}.` }, 50)).rejects.toThrow(InvalidField);
  };
  const id = fc.oneof(fc.uuid({ version: 7 }), fc.constant(newId()));
  await fc.assert(fc.asyncProperty(created, range, id, property), { numRuns: 60 });
});
