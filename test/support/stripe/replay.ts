import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { isEntryKey, keyOf, totalsKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { readStatement } from '../../../functions/ledger/operator/payouts.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import type { CurrencyStatement } from '../../../functions/ledger/rules/statement.ts';
import { parseEntry } from '../../../functions/ledger/table/entries.ts';
import { recordAdjustment } from '../../../functions/ledger/table/entry-claims.ts';
import { recordSettlement } from '../../../functions/ledger/table/settlements.ts';
import { applyStripeEvent } from '../../../functions/stripe/table/apply-event.ts';
import type { FakeTable } from '../../simulation/fake/table.ts';
import { anAdvocate, aProgram, aReferral } from '../program.ts';
import { CURRENCIES, generatedPayments, seeded } from './generated-payments.ts';
import { tableInMemory, withoutTimers } from './in-memory.ts';
import { addTo, type DaySums, dayOf, LedgerOracle, type Sums } from './ledger-oracle.ts';
import { compareMoney, countEntries, type Paid } from './replayed-money.ts';
import { RATE, ReplayedRules, voidBoth } from './replayed-rules.ts';

/** A replay: what was delivered, and each sum that differs from the oracle's. */
export interface Replayed {
  readonly events: number;
  readonly entries: number;
  /** Lines of statements, each of one currency and month. */
  readonly statements: number;
  /** Sums of referrals, days and totals that were compared, without zeros. */
  readonly sums: number;
  /** How many advocates have rules of their own. */
  readonly ruleSets: number;
  /** The parts of the rules that decided, and how else they did. */
  readonly decided: ReadonlySet<string>;
  /** What differs, with the value of the service and of the oracle. */
  readonly differences: readonly unknown[];
}

const START = Date.UTC(2026, 0, 1) / 1000;
const DAY = 86_400;
const PAYABLE_AFTER_DAYS = 30;

/**
 * Delivers the generated payments of advocates with one customer and generated rules each, and compares the entries, the
 * statements and the money of referrals, days and totals with the oracle. Some payments are voided. When a month has ended,
 * the merchant adjusts and settles something, and reads the statement, so that the sums grow from month to month. In the
 * end, all statements are read again.
 */
export const replay = (advocates: number, paymentsEach: number, seed: number): Promise<Replayed> =>
  withoutTimers(() => replayAll(advocates, paymentsEach, seed));

async function replayAll(advocates: number, paymentsEach: number, seed: number): Promise<Replayed> {
  let now = START;
  const { fake, table } = tableInMemory(() => now);
  const program = await aProgram(table, {
    ...{ commissionPercentage: RATE, commissionMonths: null, payableAfterDays: PAYABLE_AFTER_DAYS },
  });
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const replayed = { events: 0, statements: 0, ruleSets: 0, decided: new Set<string>(), differences: [] as unknown[] };
  const paid: Paid[] = [];
  const entries: Item[] = [];
  for (let index = 0; index < advocates; index += 1) {
    const advocate = await anAdvocate(table, program);
    const { slug } = advocate;
    const uid = `${seed}-${index}`;
    const convertedAt = seconds(START - below(200 * DAY));
    const rules = new ReplayedRules(paymentsEach, convertedAt, below);
    const referral = await aReferral(table, await rules.setIn(table, program), advocate, {
      customerUid: uid,
      createdAt: convertedAt,
    });
    const oracle = new LedgerOracle(rules.decide);
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
    for (const delivery of deliveries) {
      const { event, meaning, at } = delivery;
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
      rules.countSometimes(fake, totalsKey(program.id, slug), below);
      await applyStripeEvent(table, program, event);
      oracle.deliver(meaning, at);
      if (below(100) === 0) await voidBoth(table, program, oracle, delivery);
    }
    await compare(months);
    const found = takeEntries(fake);
    const written = found.map(parseEntry);
    const different = [...differencesBetween(sumsByDay(written), oracle.sums), ...rules.differences(written)];
    replayed.differences.push(...different.map((difference) => [uid, difference]));
    for (const kind of rules.decided) replayed.decided.add(kind);
    replayed.ruleSets += Number(rules.list !== null);
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
    addTo(sums, `${dayOf(createdAt)} ${currency}`, addedBy(kind, amount ?? 0, commission));
  }
  return sums;
}

function addedBy(kind: Entry['kind'], amount: number, commission: number): Partial<Sums> {
  switch (kind) {
    case 'payment':
    case 'refund':
      return { [`${kind}s`]: amount, commissions: commission };
    case 'void':
      return { commissions: commission };
    case 'adjustment':
    case 'settlement':
      return { [`${kind}s`]: commission };
  }
}

/** The days and currencies whose sums differ. */
function differencesBetween(actual: DaySums, expected: DaySums): unknown[] {
  const names = [...new Set([...Object.keys(actual), ...Object.keys(expected)])];
  return names
    .map((name) => [name, actual[name], expected[name]])
    .filter(([, one, other]) => JSON.stringify(one) !== JSON.stringify(other));
}
