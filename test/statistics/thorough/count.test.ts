import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import type { Advocate } from '../../../functions/kernel/accounts/rules/advocate.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { NO_MONEY } from '../../../functions/kernel/accounts/rules/totals.ts';
import { readAllTotals, readTotals } from '../../../functions/kernel/accounts/table/totals.ts';
import { entryKey, positionKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { DAY, milliseconds, seconds } from '../../../functions/kernel/time.ts';
import { adjustmentEntry, paymentEntry, settlementEntry } from '../../../functions/ledger/rules/entry.ts';
import { newPayment, refund } from '../../../functions/ledger/rules/payment.ts';
import { newClick, newReferral, type Referral } from '../../../functions/referrals/rules/referral.ts';
import { reassign, setState } from '../../../functions/referrals/rules/referral-changes.ts';
import { dailyReader } from '../../../functions/statistics/table/sums.ts';
import { attributed, conversionOf } from '../../support/conversion.ts';
import { itemRecord, streamRecord } from '../../support/events/events.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { interleavedAttempts } from '../../support/interleaved.ts';
import { putEntries } from '../../support/ledger/entries.ts';
import { anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { counterOn, dayOfReferral, numbersOn, withLongSequence } from '../../support/statistics/statistics.ts';
import { atTime, itemAt } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const proxied = useFaultyProxy(table);
/** 2026-01-31T23:59:59Z. */
const AT = seconds(1_769_903_999);
const TODAY = dayOfReferral({ createdAt: AT });
let program: Program;
let jane: Advocate;
let shard: string;
let logged: unknown[][];
beforeEach(async () => {
  program = await aProgram(table);
  jane = await anAdvocate(table, program);
  shard = `shard-${newId()}`;
  logged = jest.spyOn(console, 'error').mockImplementation(() => undefined).mock.calls;
});
afterEach(() => {
  jest.restoreAllMocks();
});

const clickOf = (advocate = jane, at = AT) =>
  newClick(program, attributed(program, advocate), { id: newId(), subId: null }, at);
const aRecord = (advocate = jane, at = AT): DynamoDBRecord =>
  withLongSequence(streamRecord(program.id, null, clickOf(advocate, at)));
const records = (count: number) => Array.from({ length: count }, () => aRecord());
const clicks = (slug: string | null = null) => numbersOn(table, program, slug, TODAY).then((numbers) => numbers.clicks);

describe('a batch of the stream', () => {
  test('a batch counts for the program and for each advocate, and records metrics without personal data', async () => {
    const john = await anAdvocate(table, program);
    const { count, metrics } = counterOn(table);
    expect(await count([aRecord(), aRecord(john), aRecord()], shard)).toEqual({ state: {} });
    expect([await clicks(), await clicks(jane.slug), await clicks(john.slug)]).toEqual([3, 2, 1]);
    expect(metrics).toEqual([[program.id, { Clicks: 3, Conversions: 0 }]]);
    expect(logged).toEqual([]);
  });

  test('an entry of the ledger adds its money to its day and to the totals, once, and imported ones do too', async () => {
    const [id, at] = [() => newId(), AT];
    const referral = await aReferral(table, program, jane, { commissionPercentage: 10 });
    const writing = (by: 'merchant' | 'import') => ({ id: id(), now: at, by });
    const paid = paymentEntry(
      referral,
      { paymentId: 'in_1', amount: 1000, currency: 'usd', paidAt: at },
      writing('import'),
      null,
    );
    const { entry: refunded } = refund(
      newPayment(paid),
      400,
      { refundId: 're_1', refundedAt: at },
      writing('merchant'),
    );
    const owed = { slug: jane.slug, currency: 'usd' };
    const entries = [
      paid,
      refunded,
      adjustmentEntry({ ...owed, adjustmentId: 'a', commission: -5, note: 'Correction' }, writing('merchant')),
      settlementEntry(
        { ...owed, settlementId: 's', amount: 30, reference: null, settledAt: null },
        writing('merchant'),
      ),
      adjustmentEntry(
        { ...owed, adjustmentId: 'b', currency: 'eur', commission: 7, note: 'Bonus' },
        writing('merchant'),
      ),
    ];
    await putEntries(table, program, entries);
    const all = await Promise.all(
      entries.map(async (entry) =>
        itemRecord(null, (await itemAt(table, entryKey(program.id, jane.slug, entry))) ?? null),
      ),
    );
    const batch = all.map(withLongSequence);
    const { count } = counterOn(table);
    await count(batch, shard);
    await count(batch, shard);
    const usd = { revenue: 600n, commissions: 60n, adjustments: -5n, settled: 30n };
    const eur = { ...NO_MONEY, adjustments: 7n };
    const [totals, ofProgram] = await readTotals(table, program.id, [jane.slug, null]);
    const expected = new Map(Object.entries({ usd, eur }));
    expect([totals?.money, ofProgram?.money]).toEqual([expected, expected]);
    const range = { from: TODAY, to: TODAY };
    for (const slug of [null, jane.slug]) {
      const daily = await dailyReader(table.clock)(table, program.id, slug, range);
      expect(daily?.money).toEqual(
        new Map(Object.entries({ usd, eur }).map(([code, money]) => [code, new Map([[TODAY, money]])])),
      );
    }
  });

  test('a batch that is repeated, is split, is late or overlaps others counts once', async () => {
    const all = records(6);
    const { count, metrics } = counterOn(table);
    for (const [from, to] of [
      [0, 6],
      [0, 6],
      [0, 3],
      [3, 6],
      [2, 4],
    ] as const)
      await count(all.slice(from, to), shard);
    await count([...all, aRecord()].toReversed(), shard);
    expect(await clicks(jane.slug)).toBe(7);
    expect(metrics.map(([, numbers]) => numbers.Clicks)).toEqual([6, 1]);
  });

  test('paying customers are counted once, however a batch is repeated, split or overlaps others', async () => {
    const omar = { ...jane, slug: 'omar' };
    const writes: DynamoDBRecord[] = [];
    const write = (before: Referral | null, after: Referral) => {
      writes.push(withLongSequence(streamRecord(program.id, before, after)));
      return after;
    };
    const customer = () => {
      const converted = newReferral(newId(), { ...attributed(program, jane), ...conversionOf({}), now: AT });
      return write(write(null, converted), setState(converted, 'paid', 'merchant', AT));
    };
    const [lost, restored, moved] = [customer(), customer(), customer()];
    write(lost, setState(lost, 'rejected', 'merchant', AT));
    const rejected = write(restored, setState(restored, 'rejected', 'merchant', AT));
    write(rejected, setState(rejected, 'converted', 'merchant', AT));
    write(moved, reassign(moved, { ...attributed(program, omar), actor: 'merchant', now: AT }));
    const { count } = counterOn(table);
    for (const batch of [writes.slice(0, 4), writes.slice(2, 8), writes, writes.toReversed()])
      await count(batch, shard);
    const { customers } = await readAllTotals(table, program.id, { consistent: true });
    expect(customers).toEqual(
      new Map([
        [jane.slug, 1],
        ['omar', 1],
      ]),
    );
  });

  test('each shard has a position of its own, which expires 7 days after its last change', async () => {
    const [record] = [aRecord()];
    const { count } = counterOn(atTime(table, () => milliseconds(AT * 1000 + 999)));
    await count([record], shard);
    await count([record], `${shard}-child`);
    expect(await clicks()).toBe(2);
    expect(await itemAt(table, positionKey(shard))).toEqual({
      ...positionKey(shard),
      sequence: record.dynamodb?.SequenceNumber,
      expires_at: AT + 7 * DAY,
    });
  });

  test('a batch with more advocates than one transaction can write counts in several', async () => {
    const { count } = counterOn(table);
    const many = Array.from({ length: 120 }, (_, index) => aRecord({ ...jane, slug: `a-${index}` }));
    await count(many, shard);
    await count(many, shard);
    expect(await clicks()).toBe(120);
    expect([await clicks('a-0'), await clicks('a-97'), await clicks('a-98'), await clicks('a-119')]).toEqual([
      1, 1, 1, 1,
    ]);
  });

  test('the last batch of a window, without records, and records without an effect write nothing', async () => {
    const { count } = counterOn(table);
    const click = clickOf();
    expect(await count([], shard)).toEqual({ state: {} });
    await count([withLongSequence(streamRecord(program.id, click, { ...click, version: 2, history: [] }))], shard);
    await count([withLongSequence(itemRecord(null, { pk: `PROGRAM#${program.id}`, sk: 'PROGRAM' }))], shard);
    expect(await itemAt(table, positionKey(shard))).toBeUndefined();
  });

  test.each([
    [
      'an image that cannot be read',
      (record: DynamoDBRecord) => ({
        ...record.dynamodb,
        NewImage: { ...record.dynamodb?.NewImage, state: { S: 'x' } },
      }),
    ],
    ['no sequence number', ({ dynamodb: { SequenceNumber: _, ...others } = {} }: DynamoDBRecord) => others],
  ])('a record with %s counts as nothing, and is logged by its key', async (_, damaged) => {
    const record = aRecord();
    await counterOn(table).count([aRecord(), { ...record, dynamodb: damaged(record) }, aRecord()], shard);
    expect(await clicks()).toBe(2);
    const key = record.dynamodb?.Keys?.['pk']?.S;
    expect(logged).toEqual([[expect.objectContaining({ error: 'record_unreadable', key })]]);
  });
});

describe('faults', () => {
  test('a batch whose response is lost, and which Lambda therefore passes again, counts once', async () => {
    const { faulty, proxy } = proxied;
    proxy.next('TransactWriteItems', 'lose', 'lose');
    const all = records(3);
    await counterOn(faulty).count(all, shard);
    await counterOn(table).count(all, shard);
    expect(await clicks()).toBe(3);
  });

  test('two invocations with the same and with other records of a shard, in any order, count each record once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.boolean(), { maxLength: 6 }), async (scheduler, lost) => {
        const own = `${shard}-${newId()}`;
        const before = await clicks();
        const all = records(4);
        const { count: countOnce } = counterOn(table);
        // Lambda passes a batch again if the function fails.
        const count = async (...batch: Parameters<typeof countOnce>): Promise<unknown> =>
          countOnce(...batch).catch(() => count(...batch));
        await interleavedAttempts(scheduler, table, lost, () =>
          Promise.all([count(all.slice(0, 3), own), count(all, own), count(all.slice(0, 1), own)]),
        );
        expect((await clicks()) - before).toBe(4);
      }),
      { numRuns: 20 },
    );
  });
});
