import { beforeAll, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { readPage } from '../../functions/kernel/dynamodb/page.ts';
import { seconds } from '../../functions/kernel/time.ts';
import type { Grouping } from '../../functions/referrals/rules/counts.ts';
import { planReferrals, type ReferralFilters } from '../../functions/referrals/table/advocate-referrals.ts';
import { type CountFilters, countReferrals } from '../../functions/referrals/table/counts.ts';
import { inSeries, metered, type Reading } from '../support/meter.ts';
import { anAdvocate, aProgram, aReferral } from '../support/program.ts';
import { addCopies } from '../support/table/many-rows.ts';
import { NO_FILTERS } from '../support/table/track.ts';
import { useCountingTable } from '../support/use-table.ts';

const table = useCountingTable();
const START = seconds(1_700_000_000);
const ALL_TIME = { from: START, to: seconds(START + 1_000_000) };
const LISTS: readonly (readonly [string, Partial<ReferralFilters>])[] = [
  ['without filters', {}],
  ['by created_at', { createdAt: ALL_TIME }],
  ['by state', { state: 'converted' }],
  ['by sub_id', { subId: 'newsletter' }],
  ['by state_set_at', { stateSetAt: ALL_TIME }],
];

const COUNTS: readonly (readonly [string, Partial<CountFilters>, Grouping | undefined, units: number])[] = [
  ['without filters', {}, undefined, 438],
  ['in a time range', { createdAt: ALL_TIME }, undefined, 438],
  ['by day', {}, 'day', 438],
  // The hash in the partition is longer than slug and state, and the state is an attribute.
  ['of one sub id', { subId: 'newsletter' }, undefined, 479.5],
];

let program: Program;
let advocate: Advocate;
/** The capacity used by a first page of each list while the list has 1,000 rows. */
let short: Reading[];

/** The capacity used by a page of 50 rows. */
async function pageOf(filters: Partial<ReferralFilters>, page: number): Promise<Reading> {
  const plan = planReferrals(program.id, advocate.slug, { ...NO_FILTERS, ...filters });
  const { result, ...reading } = await metered(table, () => readPage(table, plan, { skip: (page - 1) * 50 }, 50));
  expect(result.items).toHaveLength(50);
  return reading;
}

beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  const fields = { email: 'jane.smith82@example.com', customerUid: 'cus_12345678', subId: 'newsletter' };
  const sample = await aReferral(table, program, advocate, { createdAt: START, ...fields });
  await addCopies(table, program, sample, { from: 1, to: 1000 });
  short = [];
  for (const [, filters] of LISTS) short.push(await pageOf(filters, 1));
  await addCopies(table, program, sample, { from: 1000, to: 10_000 });
});

// docs/design.md states the capacity without filters.
test.each(LISTS)('a list of 10,000 rows returns page 20 in 2 requests and page 200 in 5: %s', async (name, filters) => {
  const [page20, page200] = [await pageOf(filters, 20), await pageOf(filters, 200)];
  expect([page20.requests, page200.requests]).toEqual([2, 5]);
  if (name === 'without filters') expect([page20.readUnits, page200.readUnits]).toEqual([44, 434]);
});

test('a first page of a list uses the same capacity with 1,000 and with 10,000 rows', async () => {
  for (const [index, [name, filters]] of LISTS.entries()) {
    const first = { requests: 1, readUnits: 2.5, writeUnits: 0 };
    expect([name, short[index], await pageOf(filters, 1)]).toEqual([name, first, first]);
  }
});

test.each(COUNTS)('a count of 10,000 rows takes 4 requests in series: %s', async (_, filters, grouping, units) => {
  const all = { subId: undefined, createdAt: undefined, clicks: true, grouping, ...filters };
  const count = () => countReferrals(table, program.id, advocate.slug, all);
  const { result, readUnits } = await metered(table, () => inSeries(table, count));
  expect(result.result.total).toMatchObject({ clicked: 0, converted: 10_000, paid: 0 });
  expect([result.rounds, readUnits]).toEqual([4, units]);
});
