import { randomBytes } from 'node:crypto';
import { isEntryKey, keyOf } from '../../../functions/kernel/dynamodb/keys.ts';
import { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { readStatement } from '../../../functions/ledger/operator/payouts.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import type { CurrencyStatement } from '../../../functions/ledger/rules/statement.ts';
import { parseEntry } from '../../../functions/ledger/table/entries.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { fakeClient } from '../../simulation/fake/client.ts';
import { FakeTable } from '../../simulation/fake/table.ts';
import { anAdvocate, aProgram, aReferral } from '../program.ts';
import { generatedPayments, seeded } from './generated-payments.ts';
import { addTo, LedgerOracle, type MonthSums, monthOf } from './ledger-oracle.ts';

/** A replay: what was delivered, and each sum that differs from the oracle's. */
export interface Replayed {
  readonly events: number;
  readonly entries: number;
  /** Lines of statements, each of one currency and month. */
  readonly statements: number;
  /** Customer, month and currency, with the sums of the ledger and of the oracle; or two statements. */
  readonly differences: readonly unknown[];
  /** The sums of all advocates by month and currency. */
  readonly sums: MonthSums;
}

const START = Date.UTC(2026, 0, 1) / 1000;
const RATE = 33.333333;
const PAYABLE_AFTER_DAYS = 30;

/**
 * Delivers the generated payments of advocates with one customer each, and compares the entries and the statements with
 * the oracle. A statement is read when its month has ended, as merchants do, so that the sums grow from month to month;
 * in the end, all of them are read again.
 */
export async function replay(advocates: number, paymentsEach: number, seed: number): Promise<Replayed> {
  const { timeout } = AbortSignal;
  // Nothing takes real time, and a million real timers take gigabytes.
  const never = new AbortController().signal;
  AbortSignal.timeout = () => never;
  return replayAll(advocates, paymentsEach, seed).finally(() => {
    AbortSignal.timeout = timeout;
  });
}

async function replayAll(advocates: number, paymentsEach: number, seed: number): Promise<Replayed> {
  const fake = new FakeTable();
  const client = fakeClient(fake, { request: async (run) => run(), isStale: () => false });
  let now = START;
  const clock = () => milliseconds(now * 1000);
  const pause = async () => undefined;
  const dependencies = { tableName: 'fake', client, clock, random: randomBytes, pause };
  const table = new Table(dependencies, () => milliseconds(now * 1000 + 60_000));
  const program = await aProgram(table, {
    ...{ commissionPercentage: RATE, commissionMonths: null, payableAfterDays: PAYABLE_AFTER_DAYS },
  });
  const random = seeded(seed);
  const sums: MonthSums = {};
  const replayed = { events: 0, entries: 0, statements: 0, differences: [] as unknown[], sums };
  for (let index = 0; index < advocates; index += 1) {
    const advocate = await anAdvocate(table, program);
    const { slug } = advocate;
    const uid = `${seed}-${index}`;
    await aReferral(table, program, advocate, { customerUid: uid });
    const oracle = new LedgerOracle(RATE);
    const compare = async (months: readonly string[]) => {
      for (const month of months) {
        const { currencies } = await readStatement(table, program, slug, month);
        const [actual, expected] = [currencies.map(lineOf), oracle.statement(month, now, PAYABLE_AFTER_DAYS)];
        replayed.statements += expected.length;
        if (actual.join() !== expected.join()) replayed.differences.push([uid, month, actual, expected]);
      }
    };
    const deliveries = generatedPayments(uid, paymentsEach, START, random);
    const months: string[] = [];
    for (const { event, meaning, at } of deliveries) {
      const last = months.at(-1);
      now = at;
      if (last !== monthOf(at)) {
        if (last !== undefined) await compare([last]);
        months.push(monthOf(at));
      }
      await applyStripeEvent(table, program, event);
      oracle.deliver(meaning, at);
    }
    await compare(months);
    const found = takeEntries(fake);
    const actual = sumsByMonth(found);
    replayed.differences.push(...differencesBetween(actual, oracle.sums).map((difference) => [uid, difference]));
    for (const [name, month] of Object.entries(actual)) addTo(sums, name, month);
    replayed.entries += found.length;
    replayed.events += deliveries.length;
    // Only the referrals are needed by the next advocate, and the memory is small.
    fake.tokens.clear();
    fake.settle();
  }
  return replayed;
}

/** The line of a statement. Nothing was adjusted or settled. */
function lineOf(statement: CurrencyStatement): string {
  const { currency, payments, refunds, commissions, adjustments, settlements, opening, closing, payable } = statement;
  const others = adjustments === 0n && settlements === 0n ? [] : [adjustments, settlements];
  return [currency, payments, refunds, commissions, opening, closing, payable, ...others].join(' ');
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
