import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { KINDS, MONEY_KINDS } from '../../functions/kernel/accounts/rules/totals.ts';
import { moneyAttribute, totalAttribute } from '../../functions/kernel/accounts/table/totals.ts';
import { addDays, daysIn, MAX_DAYS, monthsIn } from '../../functions/kernel/days.ts';
import { statisticsKey, totalsKey } from '../../functions/kernel/dynamodb/keys.ts';
import { seconds } from '../../functions/kernel/time.ts';
import { entryWrites } from '../../functions/ledger/table/entries.ts';
import { newClick } from '../../functions/referrals/rules/referral.ts';
import { sortedAdvocates, sumsOfAdvocates } from '../../functions/statistics/table/advocates.ts';
import { attributeOf, dailyReader, moneyAttributeOf, readDaily } from '../../functions/statistics/table/sums.ts';
import { attributed } from '../support/conversion.ts';
import { itemRecord, streamRecord } from '../support/events/events.ts';
import { aPaymentEntry } from '../support/ledger/entries.ts';
import { metered } from '../support/meter.ts';
import { anAdvocate, aProgram, newId } from '../support/program.ts';
import { counterOn, withLongSequence } from '../support/statistics/statistics.ts';
import { inParallel } from '../support/table.ts';
import { useCountingTable } from '../support/use-table.ts';

const table = useCountingTable();
/** The longest range: 400 days in 15 months. */
const RANGE = { from: '2025-01-31', to: addDays('2025-01-31', MAX_DAYS - 1) };
const YEAR = { from: '2025-01-01', to: '2025-12-31' };
/** A million of each kind on each day. */
const BUSY = 1_234_567;
const SLUGS = Array.from({ length: 50 }, (_, index) => `advocate-${index}`);
let program: Program;
beforeAll(async () => {
  program = await aProgram(table);
  for (const slug of SLUGS) await anAdvocate(table, program, { slug });
  await inParallel([null, ...SLUGS], async (slug) => {
    for (const month of monthsIn(RANGE)) {
      const days = daysIn({ from: `${month}-01`, to: `${month}-28` });
      const numbers = days.flatMap((day) => KINDS.map((kind) => [attributeOf(kind, day), BUSY]));
      await putItem({ ...statisticsKey(program.id, month, slug), ...Object.fromEntries(numbers) });
      // Payments and refunds of a million dollars on each day, two bonuses and two payouts.
      const money = days.flatMap((day) =>
        MONEY_KINDS.slice(0, day > `${month}-02` ? 2 : 4).map((kind) => [moneyAttributeOf(kind, day), BUSY * 100]),
      );
      await putItem({ ...statisticsKey(program.id, month, slug, 'usd'), ...Object.fromEntries(money) });
    }
    const totals = [
      ...KINDS.map((kind) => [totalAttribute(kind), BUSY]),
      ...MONEY_KINDS.map((kind) => [moneyAttribute(kind, 'usd'), BUSY * 36_500]),
    ];
    await putItem({ ...totalsKey(program.id, slug), ...Object.fromEntries(totals) });
  });
});

const putItem = (Item: object) => table.client.send(new PutCommand({ TableName: table.name, Item: { ...Item } }));
const record = (slug: string, second: number) => {
  const target = { slug, email: '', uid: null, commissionPercentage: null, group: null, active: true };
  return withLongSequence(
    streamRecord(
      program.id,
      null,
      newClick(program, attributed(program, target), { id: newId(), subId: null }, seconds(second)),
    ),
  );
};
const IN_A_NEW_MONTH = Date.parse('2027-01-15T00:00:00Z') / 1000;
const IN_A_BUSY_MONTH = Date.parse('2026-01-15T00:00:00Z') / 1000;

describe('the capacity of statistics', () => {
  test('a year is one request with 6 read units, and 400 days are one with 7.5, whatever the numbers are', async () => {
    const read = (slug: string | null, range: typeof RANGE) =>
      metered(table, () => readDaily(table, program.id, [slug], range));
    for (const slug of [null, 'advocate-0']) {
      expect(await read(slug, YEAR)).toMatchObject({ requests: 1, readUnits: 6 });
      expect(await read(slug, RANGE)).toMatchObject({ requests: 1, readUnits: 7.5 });
    }
  });

  test('a year of numbers and money in one currency is one request with 12 read units', async () => {
    const read = dailyReader(table.clock);
    for (const slug of [null, 'advocate-0']) {
      // The first request also reads which currencies there are.
      const [cold, warm] = [1, 2].map(() => () => metered(table, () => read(table, program.id, slug, YEAR)));
      expect(await cold?.()).toMatchObject({ requests: 2, readUnits: 12.5 });
      const reading = await warm?.();
      expect(reading).toMatchObject({ requests: 1, readUnits: 12 });
      expect(reading?.result?.money.get('usd')?.size).toBe(12 * 28);
    }
  });

  test('50 advocates over 30 days are 3 requests if they are named, and 4 if they are not', async () => {
    const month = { from: '2026-01-31', to: '2026-03-01' };
    const named = await metered(table, () => sumsOfAdvocates(table, program.id, SLUGS, month));
    expect(named).toMatchObject({ requests: 3, readUnits: 125 });
    const read = () =>
      sortedAdvocates(
        table,
        program.id,
        { range: month, sort: 'paying', currency: undefined },
        { after: undefined, size: 50 },
      );
    const largest = await metered(table, read);
    expect(largest.result.rows).toHaveLength(50);
    expect(largest).toMatchObject({ requests: 4, readUnits: 47.5 });
  });

  test.each([
    ['a new month', IN_A_NEW_MONTH, 10],
    ['a busy month', IN_A_BUSY_MONTH, 14],
  ])('a batch of one advocate in %s takes 1 read unit and few write units, whatever its size', async (_, at, units) => {
    const { count } = counterOn(table);
    const ofOne = (clicks: number) => Array.from({ length: clicks }, () => record('advocate-0', at));
    const shard = `shard-${newId()}`;
    const batch = (clicks: number) => metered(table, () => count(ofOne(clicks), shard));
    expect(await batch(1)).toMatchObject({ requests: 2, readUnits: 1, writeUnits: units });
    expect(await batch(1000)).toMatchObject({ requests: 2, readUnits: 1, writeUnits: units });
    const ofTwo = [...ofOne(1), record('advocate-1', at)];
    const both = await metered(table, () => count(ofTwo, shard));
    expect(both).toMatchObject({ requests: 2, writeUnits: units + (units - 2) / 2 });
  });

  test.each([
    ['a new month', IN_A_NEW_MONTH],
    ['a busy month', IN_A_BUSY_MONTH],
  ])(
    'payments of %s take at most 8 write units for each advocate and currency, besides the position',
    async (_, at) => {
      const { count } = counterOn(table);
      const paid = (slug: string) => {
        const [put] = entryWrites(program.id, aPaymentEntry(slug, seconds(at)));
        return withLongSequence(itemRecord(null, put && 'Put' in put.write ? put.write.Put.Item : null));
      };
      const batch = (...records: DynamoDBRecord[]) => metered(table, () => count(records, `shard-${newId()}`));
      const many = Array.from({ length: 500 }, () => paid('advocate-0'));
      expect(await batch(...many)).toMatchObject({ requests: 2, readUnits: 1, writeUnits: 2 + 8 });
      const two = await batch(paid('advocate-0'), paid('advocate-1'));
      expect(two.writeUnits).toBeLessThanOrEqual(2 + 2 * 8);
    },
  );

  test('a batch without anything to count takes nothing', async () => {
    expect(await metered(table, () => counterOn(table).count([]))).toMatchObject({ requests: 0 });
  });
});
