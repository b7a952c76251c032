import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { parseSortKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { Unavailable } from '../../../functions/kernel/errors.ts';
import { DAY, milliseconds, seconds } from '../../../functions/kernel/time.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { balancesOf } from '../../../functions/ledger/rules/statement.ts';
import type { Sums } from '../../../functions/ledger/rules/sums.ts';
import { readSums } from '../../../functions/ledger/table/sums.ts';
import { parseSums } from '../../../functions/ledger/table/sums-item.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { anEntry, aPaymentEntry, putEntries, storedSums } from '../../support/ledger/entries.ts';
import { metered } from '../../support/meter.ts';
import { aProgram } from '../../support/program.ts';
import { atTime, type TestTable, untilLate } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
const NOW = seconds(Date.parse('2026-11-02T12:00:00Z') / 1000);
const SLUG = 'jane';
let program: Program;
beforeEach(async () => {
  program = await aProgram(table);
});

const at = (now: number, through: TestTable = table) => atTime(through, () => milliseconds(now * 1000));
/** Settlements of 1 cent each, at a number of seconds before now. */
const settlements = (count: number, ago: number, changes: Partial<Entry> = {}) =>
  Array.from({ length: count }, () => anEntry(SLUG, seconds(NOW - ago), changes));
const write = (entries: readonly Entry[]) => putEntries(table, program, entries);
const stored = async () => parseSums(await storedSums(table, program, SLUG));
const balanceIn = (sums: Sums) =>
  balancesOf(sums, { today: '2026-11-02', payableAfterDays: 0 }).get('usd')?.balance ?? 0n;
const balance = async (through = at(NOW)) => balanceIn(await readSums(through, program.id, SLUG));

describe('the sums of an advocate', () => {
  test('a reader stores them from 50 new entries on, and then only reads', async () => {
    await write(settlements(49, 100));
    expect(await balance()).toBe(-49n);
    expect(await storedSums(table, program, SLUG)).toBeUndefined();
    await write(settlements(1, 100));
    expect(await balance()).toBe(-50n);
    expect(await stored()).toMatchObject({ version: 1 });
    const again = await metered(table, () => balance());
    expect([again.result, again.requests]).toEqual([-50n, 2]);
    expect(await stored()).toMatchObject({ version: 1 });
  });

  test('sums that were stored before settlements were counted are added up again', async () => {
    await write(settlements(60, 100, { isCounted: true }));
    await balance();
    const { settlement_counts: _, ...old } = (await storedSums(table, program, SLUG)) ?? {};
    await table.client.send(new PutCommand({ TableName: table.name, Item: old }));
    const sums = await readSums(at(NOW), program.id, SLUG);
    expect([balanceIn(sums), sums.settlementCounts.get('usd')]).toEqual([-60n, 60]);
    expect(await stored()).toMatchObject({ version: 2 });
  });

  test('stored sums still tell which payment of 364 days ago is not payable after 365 days', async () => {
    const paid = (daysAgo: number) =>
      aPaymentEntry(SLUG, seconds(NOW - 100), { commission: 7, paidAt: seconds(NOW - daysAgo * DAY) });
    await write([...settlements(60, 100), paid(364), paid(365)]);
    await balance();
    expect(await stored()).toMatchObject({ version: 1 });
    const sums = await readSums(at(NOW), program.id, SLUG);
    const balances = balancesOf(sums, { today: '2026-11-02', payableAfterDays: 365 });
    expect(balances.get('usd')).toMatchObject({ balance: -46n, payable: -53n });
  });

  test('an entry of the last 60 seconds is read, but not stored', async () => {
    await write([...settlements(60, 61), ...settlements(30, 60), ...settlements(10, 0)]);
    expect(await balance()).toBe(-100n);
    const sums = await stored();
    expect(balanceIn(sums)).toBe(-60n);
    expect(parseSortKey(sums.position).second).toBe(NOW - 61);
  });

  test('an entry that arrives late, with a clock 20 seconds behind, is not lost', async () => {
    await write(Array.from({ length: 120 }, (_, ago) => settlements(1, ago)).flat());
    expect(await balance(at(NOW + 20))).toBe(-120n);
    // Its time was taken 10 seconds before it arrives, the deadline of a request.
    await write(settlements(1, 30));
    for (const later of [0, 5, 20, 30, 60, 100, 1000]) expect(await balance(at(NOW + later))).toBe(-121n);
  });

  test('a put whose response is lost is not repeated with other sums', async () => {
    await write(settlements(60, 100));
    proxied.proxy.next('PutItem', 'lose');
    expect(await balance(at(NOW, proxied.faulty))).toBe(-60n);
    expect(proxied.proxy.seen.filter((operation) => operation === 'PutItem')).toHaveLength(2);
    expect(await stored()).toMatchObject({ version: 1 });
    expect(await balance()).toBe(-60n);
  });

  test('a reader that read old sums returns the right ones, and leaves the stored ones alone', async () => {
    await write(settlements(60, 200));
    await balance();
    const before = await storedSums(table, program, SLUG);
    await write(settlements(60, 100));
    proxied.proxy.isStale = true;
    expect(await balance(at(NOW, proxied.faulty))).toBe(-120n);
    expect(proxied.proxy.seen).toContain('PutItem');
    expect(await storedSums(table, program, SLUG)).toEqual(before);
    proxied.proxy.isStale = false;
    expect(await balance()).toBe(-120n);
    expect(await stored()).toMatchObject({ version: 2 });
  });

  test('a rebuild that exceeds the deadline stores its progress, and the next reader continues', async () => {
    // DynamoDB returns at most 1 MB, which is about 1,000 of these.
    await write(settlements(2200, 100, { reference: 'r'.repeat(200), note: '😀'.repeat(200) }));
    const positions: string[] = [];
    let result: unknown;
    do {
      proxied.proxy.seen.length = 0;
      const late = untilLate(at(NOW, proxied.faulty), () => proxied.proxy.seen.includes('PutItem'));
      result = await balance(late).catch((error: unknown) => error);
      if (result instanceof Unavailable) positions.push((await stored()).position);
    } while (result instanceof Unavailable && positions.length < 10);
    expect(result).toBe(-2200n);
    expect(positions.length).toBeGreaterThanOrEqual(2);
    expect(positions).toEqual([...new Set(positions)].sort());
  });
});
