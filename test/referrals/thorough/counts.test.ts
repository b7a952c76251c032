import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { RangeTooLarge } from '../../../functions/kernel/errors.ts';
import { MAX_UID } from '../../../functions/kernel/fields/fields.ts';
import { type Seconds, seconds } from '../../../functions/kernel/time.ts';
import { type Counts, GROUPINGS, type Grouping, type StateCounts } from '../../../functions/referrals/rules/counts.ts';
import { STATES } from '../../../functions/referrals/rules/state.ts';
import { type CountFilters, countReferrals } from '../../../functions/referrals/table/counts.ts';
import type { ListedReferral } from '../../../functions/referrals/table/referral-item.ts';
import { inSeries } from '../../support/meter.ts';
import { aClick, anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { addCopies } from '../../support/table/many-rows.ts';
import { countsOf } from '../../support/table/oracle.ts';
import { storeRow, storeRows } from '../../support/table/rows.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const at = (moment: string) => seconds(Date.parse(moment) / 1000);

/** The ends of days, months and years in UTC, leap days included. */
const BOUNDARIES = ['2023-03-01', '2024-02-29', '2024-03-01', '2024-12-31', '2025-01-01', '2025-10-26'].map((day) =>
  at(`${day}T00:00:00Z`),
);
/** Sub ids whose order by code unit differs from the order by code point and of any language. */
const SUB_IDS = ['10', '9', 'News', 'a#CLICKS#b', 'news', 'ñandú', '\u{1f600}', '\u{1f600}a', '\uff5e', '李'];

const moment: fc.Arbitrary<Seconds> = fc
  .tuple(fc.constantFrom(...BOUNDARIES), fc.constantFrom(-86_401, -1, 0, 1, 43_200))
  .map(([boundary, offset]) => seconds(boundary + offset));
const row = fc.record({
  state: fc.constantFrom(...STATES),
  subId: fc.option(fc.constantFrom(...SUB_IDS)),
  createdAt: moment,
});
const sample = (count: number, seed: number) =>
  fc.sample(row, { numRuns: count, seed }).map((each) => {
    const time = each.createdAt;
    return { ...each, stateSetAt: time, updatedAt: time };
  });

let program: Program;
let advocate: Advocate;
let rows: ListedReferral[];
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  rows = await storeRows(table, program, advocate, sample(250, 1));
  // None of these rows counts: they belong to advocates whose slugs start or end in the same way, or to another program.
  const elsewhere = await aProgram(table);
  const others = [`${advocate.slug}-2`, `${advocate.slug}_`, `x${advocate.slug}`];
  for (const slug of others) await storeRows(table, program, await anAdvocate(table, program, { slug }), sample(20, 2));
  const stranger = await anAdvocate(table, elsewhere, { slug: advocate.slug });
  await storeRows(table, elsewhere, stranger, sample(20, 3));
});

const NO_FILTERS: CountFilters = { subId: undefined, createdAt: undefined, clicks: true };
const count = (filters: Partial<CountFilters> = {}, grouping?: Grouping, { slug } = advocate): Promise<Counts> =>
  countReferrals(table, program.id, slug, { ...NO_FILTERS, ...filters, grouping });

const range = fc.tuple(moment, moment).map(([from, to]) => ({ from, to }));
const filters: fc.Arbitrary<CountFilters> = fc.record({
  subId: fc.option(fc.constantFrom(...SUB_IDS, 'nothing has it'), { nil: undefined }),
  createdAt: fc.option(range, { nil: undefined }),
  clicks: fc.boolean(),
});
const grouping = fc.constantFrom(undefined, ...GROUPINGS);

test('counts equal a naive count of all rows, for all filters and groupings', async () => {
  const property = async (of: CountFilters, by: Grouping | undefined) => {
    expect(await count(of, by)).toEqual(countsOf(rows, of, by));
  };
  await fc.assert(fc.asyncProperty(filters, grouping, property), { numRuns: 100 });
});

test('all states are counted in parallel, and clicks of a sub id beside its other states', async () => {
  const own = await anAdvocate(table, program);
  for (const state of STATES) {
    const times = { createdAt: at('2025-05-01T00:00:00Z'), stateSetAt: at('2025-05-01T00:00:00Z') };
    await storeRow(table, program, own, { ...times, updatedAt: times.stateSetAt, state, subId: 'news' });
  }
  const all = { clicked: 1, converted: 1, paid: 1, churned: 1, rejected: 1 };
  for (const by of [undefined, 'day'] as const) {
    for (const subId of [undefined, 'news']) {
      const { result, rounds } = await inSeries(table, () => count({ subId }, by, own));
      expect([result.total, rounds]).toEqual([all, 1]);
    }
  }
});

const START = seconds(1_700_000_000);
const DAY = 86_400;
const PLENTY = { rows: 100_000, groups: 1000 };

const limited = ({ slug }: Advocate, limits = PLENTY, grouping?: Grouping, filters: Partial<CountFilters> = {}) =>
  countReferrals(table, program.id, slug, { ...NO_FILTERS, ...filters, grouping, limits });
const sum = (total: StateCounts) => STATES.reduce((all, state) => all + total[state], 0);

describe('limits of 10 rows in five states, on 5 days and with 3 sub ids', () => {
  let few: Advocate;
  beforeAll(async () => {
    few = await anAdvocate(table, program);
    for (const index of Array(10).keys()) {
      const createdAt = seconds(START + Math.floor(index / 2) * DAY);
      const state = STATES[index % STATES.length] ?? 'paid';
      const changes = {
        createdAt,
        stateSetAt: createdAt,
        updatedAt: createdAt,
        state,
        subId: ['a', 'b', null][index % 3] ?? null,
      };
      if (state === 'clicked') await aClick(table, program, few, changes);
      else await aReferral(table, program, few, changes);
    }
  });

  test.each([undefined, 'day'] as const)(
    'a count grouped by %s passes with exactly as many rows, and throws RangeTooLarge with one more',
    async (grouping) => {
      expect(sum((await limited(few, { rows: 10, groups: 10 }, grouping)).total)).toBe(10);
      await expect(limited(few, { rows: 9, groups: 10 }, grouping)).rejects.toThrow(RangeTooLarge);
    },
  );
});

describe('a count of more rows than one response of 1 MB', () => {
  const ROWS = 2000;
  /** Makes a row of the index long, so that fewer fill a response. */
  const LONG_UID = '\u{1f600}'.repeat(MAX_UID);
  let many: Advocate;
  beforeAll(async () => {
    many = await anAdvocate(table, program);
    const sample = await aReferral(table, program, many, { createdAt: START, subId: 'news', customerUid: LONG_UID });
    await addCopies(table, program, sample, { from: 1, to: ROWS });
    await aClick(table, program, many, { createdAt: START, subId: 'news' });
  });

  test.each<[string, Grouping | undefined, Partial<CountFilters>]>([
    ['of all rows', undefined, {}],
    ['of a sub id, by sub id', 'sub_id', { subId: 'news' }],
  ])('a count %s is exact', async (_, grouping, filters) => {
    const { result, rounds } = await inSeries(table, () => limited(many, PLENTY, grouping, filters));
    expect(result.total).toEqual({ clicked: 1, converted: ROWS, paid: 0, churned: 0, rejected: 0 });
    // Engines measure a megabyte differently.
    expect(rounds).toBeGreaterThan(1);
  });
});
