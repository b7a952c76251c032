import { randomBytes } from 'node:crypto';
import type { Entry } from '../../../functions/domain/ledger/entry-fields.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import { Table } from '../../../functions/table/dynamodb/table.ts';
import { isEntryKey, keyOf } from '../../../functions/table/keys.ts';
import { parseEntry } from '../../../functions/table/ledger/entries.ts';
import { applyStripeEvent } from '../../../functions/tracking/stripe/handler.ts';
import { fakeClient } from '../../simulation/fake/client.ts';
import { FakeTable } from '../../simulation/fake/table.ts';
import { anAdvocate, aProgram, aReferral } from '../program.ts';
import { generatedPayments, seeded } from './generated-payments.ts';
import { addTo, expectedSums, type MonthSums, monthOf } from './ledger-oracle.ts';

/** A replay: what was delivered, and each sum that differs from the oracle's. */
export interface Replayed {
  readonly events: number;
  readonly entries: number;
  /** Customer, month and currency, with the sums of the ledger and of the oracle. */
  readonly differences: readonly unknown[];
  /** The sums of all advocates by month and currency. */
  readonly sums: MonthSums;
}

const START = Date.UTC(2026, 0, 1) / 1000;

/** Delivers the generated payments of advocates with one customer each, and compares the entries with the oracle. */
export async function replay(advocates: number, paymentsEach: number, seed: number): Promise<Replayed> {
  const fake = new FakeTable();
  const client = fakeClient(fake, { request: async (run) => run(), isStale: () => false });
  let now = START;
  const clock = () => milliseconds(now * 1000);
  const pause = async () => undefined;
  const dependencies = { tableName: 'fake', client, clock, random: randomBytes, pause };
  const table = new Table(dependencies, () => milliseconds(now * 1000 + 60_000));
  const rate = 33.333333;
  const program = await aProgram(table, { commissionPercentage: rate, commissionMonths: null });
  const random = seeded(seed);
  const differences: unknown[] = [];
  const sums: MonthSums = {};
  let [events, entries] = [0, 0];
  for (let index = 0; index < advocates; index += 1) {
    const advocate = await anAdvocate(table, program);
    const uid = `${seed}-${index}`;
    await aReferral(table, program, advocate, { customerUid: uid });
    const deliveries = generatedPayments(uid, paymentsEach, START, random);
    for (const { event, at } of deliveries) {
      now = at;
      await applyStripeEvent(table, program, event);
    }
    const found = takeEntries(fake);
    entries += found.length;
    const actual = sumsByMonth(found);
    const expected = expectedSums(deliveries, BigInt(Math.round(rate * 1_000_000)));
    differences.push(...differencesBetween(actual, expected).map((difference) => [uid, difference]));
    for (const [name, month] of Object.entries(actual)) addTo(sums, name, month);
    events += deliveries.length;
    // Only the referrals are needed by the next advocate, and the memory is small.
    fake.tokens.clear();
  }
  return { events, entries, differences, sums };
}

/** Removes the entries of the ledger from the table and returns them. */
function takeEntries(fake: FakeTable): Entry[] {
  const found = [...fake.items].filter(([, item]) => isEntryKey(keyOf(item)));
  for (const [key] of found) fake.items.delete(key);
  return found.map(([, item]) => parseEntry(item));
}

function sumsByMonth(entries: readonly Entry[]): MonthSums {
  const sums: MonthSums = {};
  for (const { kind, amount, currency, commission: commissions, createdAt } of entries) {
    const name = kind === 'payment' ? 'payments' : 'refunds';
    addTo(sums, `${monthOf(createdAt)} ${currency}`, { [name]: amount ?? 0, commissions });
  }
  return sums;
}

/** The months and currencies whose sums differ. */
function differencesBetween(actual: MonthSums, expected: MonthSums): unknown[] {
  const none = { payments: 0, refunds: 0, commissions: 0 };
  const names = [...new Set([...Object.keys(actual), ...Object.keys(expected)])];
  return names
    .map((name) => [name, actual[name] ?? none, expected[name] ?? none])
    .filter(([, one, other]) => JSON.stringify(one) !== JSON.stringify(other));
}
