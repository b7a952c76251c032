import { readAllTotals } from '../../../functions/kernel/accounts/table/totals.ts';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { readBrought } from '../../../functions/referrals/table/money.ts';
import { statisticsHandler } from '../../../functions/statistics/stream/count.ts';
import { readDaily } from '../../../functions/statistics/table/sums.ts';
import { imageOf } from '../../simulation/stream.ts';
import { CURRENCIES } from './generated-payments.ts';
import type { LedgerOracle } from './ledger-oracle.ts';

/** A referral that has paid, and the oracle of its advocate. */
export interface Paid {
  readonly referral: Referral;
  readonly oracle: LedgerOracle;
}

/** Records per invocation, and per shard. */
const [BATCH, SHARD] = [1000, 10_000];
const RANGE = { from: '2026-01-01', to: '2027-12-31' };
const TOTAL = 'total';
const PROGRAM = 'program';

/**
 * Passes new entries to the function `statistics` in the order of their times, as shards that continue each other. Each
 * batch is passed in part, completely, and once more after older records.
 */
export async function countEntries(table: Table, entries: readonly Item[], below: (limit: number) => number) {
  const handle = statisticsHandler({ table, recordMetrics: () => undefined });
  const byTime = entries.toSorted((one, other) => (String(one['sk']) < String(other['sk']) ? -1 : 1));
  for (let start = 0; start < byTime.length; start += SHARD) {
    const shard = byTime.slice(start, start + SHARD).map((item, index) => ({
      eventName: 'INSERT' as const,
      dynamodb: { SequenceNumber: String(10n ** 24n + BigInt(start + index)), NewImage: imageOf(item) },
    }));
    const pass = (from: number, to: number) =>
      handle({ Records: shard.slice(Math.max(0, from), to), shardId: `shard-${start}` });
    for (let position = 0; position < shard.length; ) {
      const end = position + 1 + below(BATCH);
      await pass(position, position + below(end - position));
      await pass(position, end);
      await pass(position - below(BATCH), end);
      position = end;
    }
  }
}

/** Compares what referrals have brought, the money of each day and the totals with the oracles. */
export async function compareMoney(table: Table, program: string, paid: readonly Paid[]) {
  const [actual, expected] = [await readMoney(table, program, paid), expectedMoney(paid)];
  const compared = [...new Set([...actual.keys(), ...expected.keys()])]
    .map((name) => [name, actual.get(name) ?? 0, expected.get(name) ?? 0] as const)
    .filter(([, one, other]) => one !== 0 || other !== 0);
  return { compared: compared.length, differences: compared.filter(([, one, other]) => one !== other) };
}

/** Reads the sums, by names such as `jane-doe 2026-03-09 eur revenue`. */
async function readMoney(table: Table, program: string, paid: readonly Paid[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const add = (owner: string, currency: string, sums: Readonly<Record<string, bigint>>) => {
    for (const [kind, sum] of Object.entries(sums)) found.set(`${owner} ${currency} ${kind}`, Number(sum));
  };
  const referrals = paid.map(({ referral }) => referral);
  for (const { referral, brought } of await readBrought(table, program, referrals)) {
    found.set(`${referral.id} payments`, brought.payments);
    for (const { currency, ...sums } of brought.money) add(referral.id, currency, sums);
  }
  const slugs = [null, ...referrals.map(({ advocateSlug }) => advocateSlug)];
  const daily = await readDaily(table, program, slugs, { ...RANGE, currencies: CURRENCIES });
  for (const [index, { money }] of daily.entries()) {
    for (const [currency, byDay] of money) {
      for (const [day, sums] of byDay) add(`${slugs[index] ?? PROGRAM} ${day}`, currency, sums);
    }
  }
  const totals = await readAllTotals(table, program);
  for (const [owner, { money }] of [[PROGRAM, totals.program] as const, ...totals.advocates]) {
    for (const [currency, sums] of money) add(`${owner} ${TOTAL}`, currency, sums);
  }
  return found;
}

/** Adds up the days of the oracles, by the same names. */
function expectedMoney(paid: readonly Paid[]): Map<string, number> {
  const expected = new Map<string, number>();
  const add = (owner: string, sums: Readonly<Record<string, number>>) => {
    for (const [kind, sum] of Object.entries(sums)) {
      expected.set(`${owner} ${kind}`, (expected.get(`${owner} ${kind}`) ?? 0) + sum);
    }
  };
  for (const { referral, oracle } of paid) {
    add(referral.id, { payments: oracle.payments().length });
    for (const [name, { payments, refunds, commissions, adjustments, settlements }] of Object.entries(oracle.sums)) {
      const [day, currency] = name.split(' ');
      const revenue = payments + refunds;
      add(`${referral.id} ${currency}`, { revenue, commission: commissions });
      for (const owner of [PROGRAM, referral.advocateSlug]) {
        const sums = { revenue, commissions, adjustments, settled: -settlements };
        for (const when of [day, TOTAL]) add(`${owner} ${when} ${currency}`, sums);
      }
    }
  }
  return expected;
}
