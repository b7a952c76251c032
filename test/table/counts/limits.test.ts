import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../../functions/domain/advocate.ts';
import { type Grouping, type StateCounts, sumOf } from '../../../functions/domain/counts.ts';
import { RangeTooLarge } from '../../../functions/domain/errors.ts';
import { MAX_UID } from '../../../functions/domain/fields.ts';
import { STATES } from '../../../functions/domain/referral/state.ts';
import { seconds } from '../../../functions/domain/time.ts';
import { type CountFilters, countReferrals } from '../../../functions/table/referrals/counts.ts';
import { inSeries, metered } from '../../support/meter.ts';
import { aClick, anAdvocate, aReferral } from '../../support/program.ts';
import { addCopies } from '../../support/table/many-rows.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate: few } = await useProgram();
const START = seconds(1_700_000_000);
const DAY = 86_400;
const PLENTY = { rows: 100_000, groups: 1000 };
const LIST: CountFilters = { subId: undefined, createdAt: undefined, clicks: true };

const count = ({ slug }: Advocate, limits = PLENTY, grouping?: Grouping, filters: Partial<CountFilters> = {}) =>
  countReferrals(table, program.id, slug, { ...LIST, ...filters, grouping, limits });
const sum = (total: StateCounts) => STATES.reduce((all, state) => all + total[state], 0);

describe('limits of 10 rows in five states, on 5 days and with 3 sub ids', () => {
  beforeAll(async () => {
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

  test.each<[Grouping | undefined]>([[undefined], ['day'], ['month'], ['sub_id']])(
    'a count grouped by %s passes with exactly as many rows, and throws RangeTooLarge with one more',
    async (grouping) => {
      expect(sum((await count(few, { rows: 10, groups: 10 }, grouping)).total)).toBe(10);
      await expect(count(few, { rows: 9, groups: 10 }, grouping)).rejects.toThrow(RangeTooLarge);
    },
  );

  test.each<[Grouping, number]>([
    ['day', 5],
    ['month', 1],
    ['sub_id', 3],
  ])('a count grouped by %s lists exactly %i groups, and with a lower limit sums one up', async (by, groups) => {
    const all = await count(few, { rows: 10, groups }, by);
    expect([all.groups.length, all.other]).toEqual([groups, null]);
    const { total, groups: largest, other } = await count(few, { rows: 10, groups: groups - 1 }, by);
    expect(largest).toHaveLength(groups - 1);
    for (const group of largest) expect(all.groups).toContainEqual(group);
    expect(sumOf([...largest, ...(other ? [{ counts: other }] : [])])).toEqual(total);
  });

  test('a narrower time range, a sub id, or a count without clicks passes', async () => {
    const limits = { rows: 4, groups: 2 };
    const createdAt = { from: START, to: seconds(START + 2 * DAY) };
    expect(sum((await count(few, limits, 'day', { createdAt })).total)).toBe(4);
    expect(sum((await count(few, limits, 'sub_id', { subId: 'a' })).total)).toBe(4);
    await expect(count(few, { rows: 3, groups: 2 }, undefined, { subId: 'a' })).rejects.toThrow(RangeTooLarge);
    for (const grouping of [undefined, 'day'] as const) {
      expect(sum((await count(few, { rows: 8, groups: 2 }, grouping, { clicks: false })).total)).toBe(8);
    }
  });
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
    ['by month', 'month', {}],
    ['of a sub id', undefined, { subId: 'news' }],
    ['of a sub id, by sub id', 'sub_id', { subId: 'news' }],
  ])('a count %s is exact', async (_, grouping, filters) => {
    const { result, rounds } = await inSeries(table, () => count(many, PLENTY, grouping, filters));
    expect(result.total).toEqual({ clicked: 1, converted: ROWS, paid: 0, churned: 0, rejected: 0 });
    // Engines measure a megabyte differently.
    expect(rounds).toBeGreaterThan(1);
  });

  test('a count stops reading as soon as the limit is exceeded', async () => {
    for (const grouping of [undefined, 'sub_id'] as const) {
      const { requests } = await metered(table, () =>
        expect(count(many, { rows: 100, groups: 10 }, grouping)).rejects.toThrow(RangeTooLarge),
      );
      expect(requests).toBe(STATES.length);
    }
  });
});
