import { beforeAll, describe, expect, test } from '@jest/globals';
import { searchAdvocates } from '../../functions/advocates/table/search.ts';
import type { Advocate } from '../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { planAdvocates } from '../../functions/kernel/accounts/table/advocate-items.ts';
import { advocateKey, sortKey } from '../../functions/kernel/dynamodb/keys.ts';
import { type PageStart, readPage } from '../../functions/kernel/dynamodb/page.ts';
import type { Plan } from '../../functions/kernel/dynamodb/plan.ts';
import { seconds } from '../../functions/kernel/time.ts';
import { STATES } from '../../functions/referrals/rules/state.ts';
import { planReferrals, type ReferralFilters } from '../../functions/referrals/table/advocate-referrals.ts';
import { readBrought } from '../../functions/referrals/table/money.ts';
import { readProgramPage } from '../../functions/referrals/table/program-referrals.ts';
import { parseListedReferral } from '../../functions/referrals/table/referral-item.ts';
import { metered } from '../support/meter.ts';
import { aClick, anAdvocate, aProgram, aReferral, newId } from '../support/program.ts';
import { putItems } from '../support/table/many-rows.ts';
import { NO_FILTERS } from '../support/table/track.ts';
import { inParallel, itemAt } from '../support/table.ts';
import { useCountingTable } from '../support/use-table.ts';

const table = useCountingTable();
const START = 1_700_000_000;
const ALL_TIME = { from: seconds(START), to: seconds(START + 1_000_000) };
/** The number of rows in each state; half of them have the sub id. */
const ROWS = 240;
let program: Program;
let advocate: Advocate;
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  await inParallel(Array(ROWS * STATES.length).keys(), async (number) => {
    const createdAt = seconds(START + number);
    const state = STATES[number % STATES.length] ?? 'paid';
    const times = { createdAt, stateSetAt: createdAt, updatedAt: createdAt };
    const changes = { ...times, state, subId: number % 2 ? 'newsletter' : 'winter2026' };
    if (state === 'clicked') await aClick(table, program, advocate, changes);
    // Each row has an email of 30 characters, a uid of 12, a rate and an end of the commission. One in ten has a flag.
    else {
      const customer = { email: emailOf(number), customerUid: `cus_${String(number).padStart(8, '0')}` };
      await aReferral(table, program, advocate, {
        ...changes,
        ...customer,
        flags: number % 10 ? [] : ['self_referral'],
      });
    }
  });
  await inParallel(Array(60).keys(), async (number) => {
    const createdAt = seconds(START + number);
    const fields = {
      email: emailOf(number),
      uid: `partner-${number}`,
      companyId: `org-${number}`,
    };
    await anAdvocate(table, program, fields, createdAt);
  });
});

const NO_PROGRAM_FILTERS = { state: undefined, stateSetAt: undefined, flag: undefined };
const emailOf = (number: number) => `customer-${String(number).padStart(8, '0')}@shop.example`;

async function measuredPage(plan: Plan, start: PageStart = { skip: 0 }) {
  const { result, ...reading } = await metered(table, () => readPage(table, plan, start, 50));
  expect(result.items).toHaveLength(50);
  return { ...reading, next: result.next ?? '' };
}

describe('the capacity of a first page', () => {
  const CASES: readonly (readonly [string, Partial<ReferralFilters>])[] = [
    ['without filters', {}],
    ['a state and created_at', { state: 'paid', createdAt: ALL_TIME }],
    ['state_set_at and created_at', { stateSetAt: ALL_TIME, createdAt: ALL_TIME }],
    ['state clicked', { state: 'clicked' }],
  ];

  test.each(CASES)(
    'a first page of 50 referrals uses one request and 2.5 read units, of clicks 2: %s',
    async (_, filters) => {
      const plan = planReferrals(program.id, advocate.slug, { ...NO_FILTERS, ...filters });
      const reading = await measuredPage(plan);
      const readUnits = filters.state === 'clicked' ? 2 : 2.5;
      expect(reading).toMatchObject({ requests: 1, readUnits, writeUnits: 0 });
      const second = await measuredPage(plan, { after: reading.next });
      expect(second).toMatchObject({ requests: 1, readUnits });
    },
  );

  test('a first page of 50 advocates uses one request and 2 read units', async () => {
    const reading = await measuredPage(planAdvocates(program.id, ALL_TIME));
    expect(reading).toMatchObject({ requests: 1, readUnits: 2, writeUnits: 0 });
  });
});

test.each([
  ['without filters', NO_PROGRAM_FILTERS, 4, 12],
  ['with a state', { ...NO_PROGRAM_FILTERS, state: 'paid' }, 1, 3],
] as const)('a page of 50 uses one round of requests %s', async (_, filters, requests, readUnits) => {
  const read = () => readProgramPage(table, program.id, filters, { after: undefined, size: 50 });
  const { result, ...reading } = await metered(table, read);
  expect(result.items).toHaveLength(50);
  expect(reading).toMatchObject({ requests, readUnits, writeUnits: 0 });
});

test('a search of 960 referrals uses one round of requests, and reads each of them once', async () => {
  const isFound = ({ email }: { readonly email: string | null }) => email === emailOf(1);
  const paging = { after: undefined, size: 25, isFound };
  const { result, ...reading } = await metered(table, () =>
    readProgramPage(table, program.id, NO_PROGRAM_FILTERS, paging),
  );
  expect([result.items.length, result.next]).toEqual([1, undefined]);
  expect(reading).toMatchObject({ requests: 4, readUnits: 49, writeUnits: 0 });
});

test('the money of a page of 50 is one batch of 25 read units', async () => {
  const plan = planReferrals(program.id, advocate.slug, { ...NO_FILTERS, state: 'paid' });
  const { items } = await readPage(table, plan, { skip: 0 }, 50);
  const rows = items.map(parseListedReferral).map((row) => ({ ...row, advocateSlug: advocate.slug }));
  const { result, ...reading } = await metered(table, () => readBrought(table, program.id, rows));
  expect(result).toHaveLength(50);
  expect(reading).toMatchObject({ requests: 1, readUnits: 25, writeUnits: 0 });
});

test('a search of 2,000 advocates uses one request, and reads each of them once', async () => {
  const own = await aProgram(table);
  const sample = await anAdvocate(table, own, { email: emailOf(0), uid: 'partner-0', companyId: 'org-0' });
  const original = await itemAt(table, advocateKey(own.id, sample.slug));
  const copies = Array.from({ length: 1999 }, (_, index) => ({
    ...original,
    ...advocateKey(own.id, `slug-${index}`),
    slug: `slug-${index}`,
    created: sortKey(seconds(START + index), newId()),
  }));
  await putItems(table, copies);
  const search = { text: 'slug-1999', createdAt: undefined, filters: {} };
  const { result, ...reading } = await metered(table, () =>
    searchAdvocates(table, own.id, search, { after: undefined, size: 50 }),
  );
  expect(result).toEqual({ advocates: [], next: undefined });
  expect(reading).toMatchObject({ requests: 1, readUnits: 72.5, writeUnits: 0 });
});
