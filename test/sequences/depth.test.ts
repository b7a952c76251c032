import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Grouping, StateCounts } from '../../functions/domain/counts.ts';
import type { Program } from '../../functions/domain/program.ts';
import { seconds } from '../../functions/domain/time.ts';
import { readPage } from '../../functions/table/dynamodb/page.ts';
import { planReferrals, type ReferralFilters } from '../../functions/table/dynamodb/plan.ts';
import { type CountFilters, countReferrals } from '../../functions/table/referrals/counts.ts';
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

let program: Program;
let advocate: Advocate;
/** The capacity used by pages of each list, by the length of the list. */
const readings = new Map<string, Reading & { rows: number }>();

async function readPages(length: number, pages: readonly number[]): Promise<void> {
  for (const [list, filters] of LISTS) {
    const plan = planReferrals(program.id, advocate.slug, { ...NO_FILTERS, ...filters });
    for (const page of pages) {
      const read = () => readPage(table, plan, { skip: (page - 1) * 50 }, 50);
      const { result, ...reading } = await metered(table, read);
      readings.set(`page ${page} of ${length} ${list}`, { ...reading, rows: result.items.length });
    }
  }
}

const COUNTS: readonly (readonly [string, Partial<CountFilters>, Grouping | undefined])[] = [
  ['without filters', {}, undefined],
  ['in a time range', { createdAt: ALL_TIME }, undefined],
  ['by day', {}, 'day'],
  ['by sub id', {}, 'sub_id'],
];
/** The total of each count, the capacity used by it, and its requests in series. */
const counted = new Map<string, Reading & { rounds: number; total: StateCounts }>();

async function countRows(): Promise<void> {
  for (const [name, filters, grouping] of [...COUNTS, ['of one sub id', { subId: 'newsletter' }, undefined] as const]) {
    const all = { subId: undefined, createdAt: undefined, clicks: true, ...filters };
    const count = () => countReferrals(table, program.id, advocate.slug, { ...all, grouping });
    const { result, ...reading } = await metered(table, () => inSeries(table, count));
    counted.set(name, { ...reading, rounds: result.rounds, total: result.result.total });
  }
}

beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  const sample = await aReferral(table, program, advocate, {
    createdAt: START,
    email: 'jane.smith82@example.com',
    customerUid: 'cus_12345678',
    subId: 'newsletter',
  });
  await addCopies(table, program, sample, { from: 1, to: 1000 });
  await readPages(1000, [1]);
  await addCopies(table, program, sample, { from: 1000, to: 10_000 });
  await readPages(10_000, [1, 20, 200]);
  await countRows();
});

describe('a list of 10,000 rows', () => {
  test.each(LISTS)('a list of 10,000 rows returns page 20 in 2 requests and page 200 in 5: %s', (list) => {
    const page20 = readings.get(`page 20 of 10000 ${list}`);
    const page200 = readings.get(`page 200 of 10000 ${list}`);
    expect(page20?.rows).toBe(50);
    expect(page200?.rows).toBe(50);
    expect(page20?.requests).toBe(2);
    expect(page200?.requests).toBe(5);
  });
});

describe('a count of 10,000 rows in one state', () => {
  test.each(COUNTS)('a count of 10,000 rows takes 4 requests in series and 421 read units: %s', (name) => {
    const reading = counted.get(name);
    expect(reading?.total).toMatchObject({ clicked: 0, converted: 10_000, paid: 0 });
    expect(reading?.rounds).toBe(4);
    expect(reading?.readUnits).toBe(421);
  });

  // The hash in the partition is longer than slug and state, and the state is an attribute.
  test('a count of 10,000 rows of one sub id takes 462 read units', () => {
    const reading = counted.get('of one sub id');
    expect(reading?.total).toMatchObject({ clicked: 0, converted: 10_000, paid: 0 });
    expect(reading?.rounds).toBe(4);
    expect(reading?.readUnits).toBe(462);
  });
});

test('docs/design.md states the exact capacity of an unfiltered list of 10,000 rows', () => {
  expect(readings.get('page 20 of 10000 without filters')).toMatchObject({ requests: 2, readUnits: 42.5 });
  expect(readings.get('page 200 of 10000 without filters')).toMatchObject({ requests: 5, readUnits: 417 });
});

describe('first pages of long lists', () => {
  test.each(LISTS)('a first page uses the same capacity with 1,000 and with 10,000 rows: %s', (list) => {
    const short = readings.get(`page 1 of 1000 ${list}`);
    expect(short).toMatchObject({ rows: 50, requests: 1 });
    expect(readings.get(`page 1 of 10000 ${list}`)).toEqual(short);
    expect(short?.readUnits).toBe(2.5);
  });
});
