import { NO_TOTALS } from '../../kernel/accounts/rules/totals.ts';
import { parseListedAdvocate } from '../../kernel/accounts/table/advocate-items.ts';
import { readTotals } from '../../kernel/accounts/table/totals.ts';
import { addDays, dayOf } from '../../kernel/days.ts';
import { indexPages } from '../../kernel/dynamodb/index-pages.ts';
import {
  ledgerSumsKey,
  paymentKey,
  programAdvocates,
  settlementCountKey,
  sortKey,
} from '../../kernel/dynamodb/keys.ts';
import { batchGet, type Table } from '../../kernel/dynamodb/table.ts';
import { secondOf } from '../../kernel/time.ts';
import type { Entry } from '../rules/entry-fields.ts';
import { commissionLeft, type EntryPosition } from '../rules/payment.ts';
import { SUMMED } from '../rules/statement-file.ts';
import { addEntry, KEPT_DAYS, noSums, type Sums } from '../rules/sums.ts';
import { parseEntry } from '../table/entries.ts';
import { storedPayment } from '../table/payment-item.ts';
import { parseSettlementCounts } from '../table/settlements.ts';
import { entryPages, type LedgerOwner } from '../table/sums.ts';
import { parseSums } from '../table/sums-item.ts';
import { claimDifferences, commissionDifferences, type Difference } from './ledger-claims.ts';
import { addToMoney, ComputedTotals, type MoneyByReferral, moneyRows } from './ledger-money.ts';

/** A difference in the ledger of an advocate. */
export interface LedgerDifference extends Difference {
  readonly slug: string;
}

/** The result of a check: the number of entries, and all differences. */
export interface LedgerCheck {
  readonly entries: number;
  readonly differences: readonly LedgerDifference[];
}

/**
 * Computes the sums, the payments, what referrals brought and the totals of statistics from the entries of a program alone,
 * and the commissions of payments from their amounts and rates; returns how the stored ones differ, and which ids do not
 * lead to their entries. The sums of days are compared as far back as a payment can be pending, totals without entries that
 * may not be counted yet. What changes during the check is read twice.
 */
export async function verifyLedger(table: Table, program: string): Promise<LedgerCheck> {
  let entries = 0;
  const differences: LedgerDifference[] = [];
  for await (const advocates of indexPages(table, 'by_created_at', programAdvocates(program))) {
    for (const { slug } of advocates.map(parseListedAdvocate)) {
      const checked = await checkTwice(table, { program, slug });
      entries += checked.entries;
      differences.push(...checked.differences);
    }
  }
  return { entries, differences };
}

/** Returns the differences that two checks find: a refund between two reads is none. */
async function checkTwice(table: Table, owner: LedgerOwner): Promise<LedgerCheck> {
  const first = await checkAdvocate(table, owner);
  if (first.differences.length === 0) return first;
  const again = await checkAdvocate(table, owner);
  const found = new Set(first.differences.map((difference) => JSON.stringify(difference)));
  return { ...again, differences: again.differences.filter((difference) => found.has(JSON.stringify(difference))) };
}

async function checkAdvocate(table: Table, owner: LedgerOwner): Promise<LedgerCheck> {
  const { program, slug } = owner;
  const [sums, counts] = await batchGet(table, [ledgerSumsKey(program, slug), settlementCountKey(program, slug)]);
  const stored = parseSums(sums);
  const computed = noSums();
  const all = noSums();
  const payments = new Map<string, ComputedPayment>();
  const money: MoneyByReferral = new Map();
  const totals = new ComputedTotals(secondOf(table.clock()));
  let count = 0;
  const ofEntries: Difference[] = [];
  for await (const { items } of entryPages(table, owner, '')) {
    count += items.length;
    const entries = items.map(parseEntry);
    for (const entry of entries) {
      addEntry(all, entry);
      if (sortKey(entry.createdAt, entry.id) <= stored.position) addEntry(computed, entry);
      addToPayment(payments, entry);
      addToMoney(money, entry);
      totals.add(entry);
    }
    ofEntries.push(
      ...(await commissionDifferences(table, program, entries)),
      ...(await claimDifferences(table, program, entries)),
    );
  }
  const firstDay = addDays(dayOf(secondOf(table.clock())), -KEPT_DAYS + SPARE_DAYS);
  const values = [valuesOfSums(stored, firstDay), valuesOfSums(computed, firstDay)] as const;
  const ofPayments = await paymentDifferences(table, program, payments);
  const brought = await moneyRows(table, owner, money);
  const [counted = NO_TOTALS] = await readTotals(table, program, [slug], { consistent: true });
  const ofTotals = totals.rows(counted);
  const differences = [
    ...differencesBetween(...values),
    ...differencesBetween(valuesOfCounts(parseSettlementCounts(counts)), valuesOfCounts(all.settlementCounts)),
    ...ofPayments,
    ...differencesBetween(valuesOf(brought.stored), valuesOf(brought.computed)),
    ...differencesBetween(valuesOf(ofTotals.stored), valuesOf(ofTotals.computed)),
    ...ofEntries,
  ];
  return { entries: count, differences: differences.map((difference) => ({ slug, ...difference })) };
}

/** Days that stored sums may lack, because clocks differ. */
const SPARE_DAYS = 2;

/** Values by subject and field. */
type Values = ReadonlyMap<string, readonly [subject: string, field: string, value: string]>;

function valuesOf(rows: readonly (readonly [subject: string, field: string, value: string])[]): Values {
  return new Map(rows.map((row) => [`${row[0]}\n${row[1]}`, row]));
}

const valuesOfCounts = (counts: Sums['settlementCounts']): Values =>
  valuesOf([...counts].map(([currency, count]) => ['settlements', currency, String(count)] as const));

function valuesOfSums({ months, days, settlementCounts }: Sums, firstDay: string): Values {
  const ofMonths = [...months].flatMap(([month, byCurrency]) =>
    [...byCurrency].flatMap(([currency, sums]) =>
      SUMMED.map((name) => [month, `${currency} ${name}`, String(sums[name])] as const),
    ),
  );
  const ofDays = [...days].flatMap(([currency, byDay]) =>
    // A day without payments has no sum, or 0.
    [...byDay]
      .filter(([day, sum]) => day >= firstDay && sum !== 0n)
      .map(([day, sum]) => [day, currency, String(sum)] as const),
  );
  const ofCounts = [...settlementCounts].map(
    ([currency, count]) => ['sums', `${currency} settlements`, String(count)] as const,
  );
  return valuesOf([...ofMonths, ...ofDays, ...ofCounts]);
}

function differencesBetween(stored: Values, computed: Values): Difference[] {
  const names = [...new Set([...stored.keys(), ...computed.keys()])].sort();
  return names.flatMap((name) => {
    const [one, other] = [stored.get(name), computed.get(name)];
    const [subject, field] = one ?? other ?? ['', ''];
    const difference = { subject, field, stored: one?.[2] ?? null, computed: other?.[2] ?? null };
    return difference.stored === difference.computed ? [] : [difference];
  });
}

/** What entries say about a payment. */
interface ComputedPayment {
  readonly entry: Entry | null;
  readonly refunded: number;
  readonly voided: EntryPosition | null;
  /** The sum of its commissions. */
  readonly left: number;
}

const NO_PAYMENT: ComputedPayment = { entry: null, refunded: 0, voided: null, left: 0 };

function addToPayment(payments: Map<string, ComputedPayment>, entry: Entry): void {
  if (entry.paymentId === null) return;
  const before = payments.get(entry.paymentId) ?? NO_PAYMENT;
  payments.set(entry.paymentId, {
    entry: entry.kind === 'payment' ? entry : before.entry,
    refunded: entry.kind === 'refund' ? before.refunded - (entry.amount ?? 0) : before.refunded,
    voided: entry.kind === 'void' ? entry : before.voided,
    left: before.left + entry.commission,
  });
}

async function paymentDifferences(table: Table, program: string, payments: ReadonlyMap<string, ComputedPayment>) {
  const ids = [...payments.keys()];
  const items = await batchGet(
    table,
    ids.map((id) => paymentKey(program, id)),
  );
  const stored = items.flatMap((item) => {
    const payment = storedPayment(item);
    if (!payment) return [];
    return rowsOf(payment.paymentId, { ...payment, left: commissionLeft(payment) });
  });
  const computed = [...payments].flatMap(([id, { entry, ...changes }]) =>
    rowsOf(id, {
      ...{ advocateSlug: '', referralId: '', amount: 0, currency: '', commission: 0, paidAt: 0 },
      ...entry,
      ...{ entry, ...changes },
    }),
  );
  return differencesBetween(valuesOf(stored), valuesOf(computed));
}

/** The fields of a payment that are compared. */
interface PaymentValues extends Pick<Entry, 'advocateSlug' | 'referralId' | 'amount' | 'currency' | 'commission'> {
  readonly paidAt: number | null;
  readonly entry: EntryPosition | null;
  readonly refunded: number;
  readonly voided: EntryPosition | null;
  readonly left: number;
}

function rowsOf(id: string, payment: PaymentValues) {
  const { advocateSlug, referralId, amount, currency, commission, paidAt, refunded, left } = payment;
  const [entry, voided] = [payment.entry, payment.voided].map((each) => each && sortKey(each.createdAt, each.id));
  const values = { advocateSlug, referralId, amount, currency, commission, paidAt, refunded, left, entry, voided };
  return Object.entries(values).map(([field, value]) => [id, field, String(value)] as const);
}
