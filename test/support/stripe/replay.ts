import { randomBytes } from 'node:crypto';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { isEntryKey, keyOf } from '../../../functions/kernel/dynamodb/keys.ts';
import { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { readStatement } from '../../../functions/ledger/operator/payouts.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import type { CurrencyStatement } from '../../../functions/ledger/rules/statement.ts';
import { parseEntry } from '../../../functions/ledger/table/entries.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import { recordSettlement } from '../../../functions/ledger/table/settlements.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import { fakeClient } from '../../simulation/fake/client.ts';
import { FakeTable } from '../../simulation/fake/table.ts';
import { anAdvocate, aProgram, aReferral } from '../program.ts';
import { CURRENCIES, generatedPayments, seeded } from './generated-payments.ts';
import { addTo, type DaySums, dayOf, LedgerOracle } from './ledger-oracle.ts';
import { compareMoney, countEntries, type Paid } from './replayed-money.ts';

/** A replay: what was delivered, and each sum that differs from the oracle's. */
export interface Replayed {
  readonly events: number;
  readonly entries: number;
  /** Lines of statements, each of one currency and month. */
  readonly statements: number;
  /** Sums of referrals, days and totals that were compared, without zeros. */
  readonly sums: number;
  /** What differs, with the value of the service and of the oracle. */
  readonly differences: readonly unknown[];
}

const START = Date.UTC(2026, 0, 1) / 1000;
const RATE = 33.333333;
const PAYABLE_AFTER_DAYS = 30;

/**
 * Delivers the generated payments of advocates with one customer each, and compares the entries, the statements and
 * the money of referrals, days and totals with the oracle. When a month has ended, the merchant adjusts and settles
 * something, and reads the statement, so that the sums grow from month to month. In the end, all statements are read again.
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
  const below = (limit: number) => Math.floor(random() * limit);
  const replayed = { events: 0, entries: 0, statements: 0, sums: 0, differences: [] as unknown[] };
  const paid: Paid[] = [];
  const entries: Item[] = [];
  for (let index = 0; index < advocates; index += 1) {
    const advocate = await anAdvocate(table, program);
    const { slug } = advocate;
    const uid = `${seed}-${index}`;
    const referral = await aReferral(table, program, advocate, { customerUid: uid });
    const oracle = new LedgerOracle(RATE);
    const compare = async (months: readonly string[]) => {
      for (const month of months) {
        const { currencies } = await readStatement(table, program, slug, month);
        const [actual, expected] = [currencies.map(lineOf), oracle.statement(month, now, PAYABLE_AFTER_DAYS)];
        replayed.statements += expected.length;
        if (actual.join() !== expected.join()) replayed.differences.push([uid, month, actual, expected]);
      }
    };
    const adjustAndSettle = async (month: string) => {
      const ledger = { program: program.id, by: 'merchant' } as const;
      const [currency = 'usd'] = CURRENCIES.slice(below(3));
      const [commission, amount] = [-1 - below(1000), 1 + below(1000)];
      const [adjustmentId, settlementId] = [`a_${uid}_${month}`, `s_${uid}_${month}`];
      await recordAdjustment(table, ledger, { slug, adjustmentId, commission, currency, note: 'Too much' });
      await recordSettlement(table, ledger, { slug, settlementId, amount, currency, reference: null, settledAt: null });
      oracle.book(currency, { adjustments: commission, settlements: -amount }, now);
    };
    const deliveries = generatedPayments(uid, paymentsEach, START, random);
    const months: string[] = [];
    for (const { event, meaning, at } of deliveries) {
      const last = months.at(-1);
      now = at;
      const month = dayOf(at).slice(0, 7);
      if (last !== month) {
        if (last !== undefined) {
          await adjustAndSettle(last);
          await compare([last]);
        }
        months.push(month);
      }
      await applyStripeEvent(table, program, event);
      oracle.deliver(meaning, at);
    }
    await compare(months);
    const found = takeEntries(fake);
    const actual = sumsByDay(found.map(parseEntry));
    replayed.differences.push(...differencesBetween(actual, oracle.sums).map((difference) => [uid, difference]));
    paid.push({ referral, oracle });
    entries.push(...found);
    replayed.events += deliveries.length;
    // Only the referrals are needed by the next advocate, and the memory is small.
    fake.tokens.clear();
    fake.settle();
  }
  await countEntries(table, entries, below);
  const { compared, differences } = await compareMoney(table, program.id, paid);
  replayed.differences.push(...differences);
  return { ...replayed, entries: entries.length, sums: compared };
}

function lineOf(statement: CurrencyStatement): string {
  const { currency, payments, refunds, commissions, adjustments, settlements, opening, closing, payable } = statement;
  return [currency, payments, refunds, commissions, adjustments, settlements, opening, closing, payable].join(' ');
}

/** Removes the entries of the ledger from the table and returns them. */
function takeEntries(fake: FakeTable): Item[] {
  const found = [...fake.items].filter(([, item]) => isEntryKey(keyOf(item)));
  for (const [key] of found) fake.items.delete(key);
  return found.map(([, item]) => item);
}

function sumsByDay(entries: readonly Entry[]): DaySums {
  const sums: DaySums = {};
  for (const { kind, amount, currency, commission, createdAt } of entries) {
    const isEarned = kind !== 'adjustment' && kind !== 'settlement';
    const added = isEarned ? { [`${kind}s`]: amount ?? 0, commissions: commission } : { [`${kind}s`]: commission };
    addTo(sums, `${dayOf(createdAt)} ${currency}`, added);
  }
  return sums;
}

/** The days and currencies whose sums differ. */
function differencesBetween(actual: DaySums, expected: DaySums): unknown[] {
  const names = [...new Set([...Object.keys(actual), ...Object.keys(expected)])];
  return names
    .map((name) => [name, actual[name], expected[name]])
    .filter(([, one, other]) => JSON.stringify(one) !== JSON.stringify(other));
}
