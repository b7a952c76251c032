import * as keys from '../../../functions/kernel/dynamodb/keys.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import type { Referral } from '../../../functions/referrals/rules/referral.ts';
import { expectedCommission } from '../../support/ledger/money-oracle.ts';
import { expectedDecision, type OracleRule } from '../../support/ledger/rules-oracle.ts';
import type { FakeTable } from '../fake/table.ts';
import type { Past, PastItem } from '../past.ts';
import type { Evidence } from './evidence.ts';
import { entryOf, storedEntries } from './ledger.ts';
import { rowOf } from './rows.ts';

/** How old the number of customers in an entry may be, in milliseconds. */
const COUNT_AGE = 60_000;

/** Reads rules. They never change. */
export const rulesOf = (table: FakeTable, program: string, id: string | null) =>
  (id === null ? undefined : table.get({ ...keys.rulesKey(program, id) })?.['rules']) as
    | readonly OracleRule[]
    | undefined;

/** Entries whose commission does not follow from the terms of their referral. */
export function* commissionProblems({ table, past }: Evidence): Iterable<string> {
  for (const [name, payments] of past.payments) {
    const [program = '', id = ''] = name.split(' ');
    const rows = past.of(keys.referralKey(program, id));
    for (const [index, payment] of payments.entries()) {
      const item = table.get(payment.item ?? {});
      if (!item) continue;
      const { entry } = entryOf(item);
      const referral = referralAt(rows, payment);
      const expected =
        referral && expectedOf(referral, entry, rulesOf(table, program, referral.commissionRulesId), index + 1);
      if (expected !== decidedIn(entry) && !isGiven(entry))
        yield `Payment ${index + 1} of ${id} has ${decidedIn(entry)} instead of ${expected}`;
      yield* countProblems(past, program, { entry, payment });
    }
    yield* numberProblems(past.of(keys.moneyKey(program, id)), payments);
  }
  const parts = storedEntries(table).filter(({ entry }) => entry.paymentId !== null);
  for (const own of Map.groupBy(parts, ({ program, entry }) => `${program} ${entry.paymentId}`).values()) {
    const texts = own.map(({ entry: { commissionRulesId, rule, payingSeen } }) =>
      [commissionRulesId, rule, payingSeen].join(),
    );
    if (new Set(texts).size > 1) yield `The payment ${own[0]?.entry.paymentId} and its refunds have other rules`;
  }
}

/** The converted referral as it was when an entry was stored. A checkout stores its entry just before its referral. */
function referralAt(rows: readonly PastItem[], { order }: PastItem): Referral | undefined {
  const converted = rows.filter(({ item }) => item?.['converted_at'] !== undefined);
  const { item } = converted.findLast((row) => row.order < order) ?? converted[0] ?? {};
  return item && rowOf(item).referral;
}

/** An entry that saw a number of customers that its advocate did not have. */
function* countProblems(
  past: Past,
  program: string,
  { entry, payment }: { readonly entry: Entry; readonly payment: PastItem },
) {
  const { payingSeen, advocateSlug: slug } = entry;
  const counts = past
    .before(keys.totalsKey(program, slug), payment, COUNT_AGE)
    .map((totals) => Number(totals?.['n'] ?? 0));
  if (payingSeen !== null && !counts.includes(payingSeen))
    yield `${entry.id} saw ${payingSeen} customers, but ${slug} had ${counts.join(' or ')}`;
}

/** Payments of a referral that are not counted one by one, each when it is stored. */
function* numberProblems(money: readonly PastItem[], payments: readonly PastItem[]): Iterable<string> {
  for (const { order, at, item } of money) {
    const number = payments.filter((payment) => payment.order < order).length;
    // An import stores and counts several in one transaction.
    const together = payments.filter((payment) => payment.order >= order && payment.at === at).length;
    const counted = Number(item?.['payments'] ?? 0);
    if (item && (counted < number || counted > number + together))
      yield `${number} payments of ${item['pk']} were counted as ${counted}`;
  }
}

/** True if an import gave the commission. */
const isGiven = ({ by, commissionPercentage: rate, commissionRulesId: rules, note }: Entry) =>
  by === 'import' && rate === null && rules === null && note === null;

/** What decided a commission, as a text. */
function decidedIn(entry: Entry): string {
  const { commission, commissionPercentage: rate, commissionRulesId, rule, payingSeen, note } = entry;
  return [commission, rate, commissionRulesId, rule, payingSeen !== null, note].join(' ');
}

function expectedOf(
  referral: Referral,
  entry: Entry,
  rules: readonly OracleRule[] | undefined,
  number: number,
): string {
  const { state, commissionPercentage: rate, commissionRulesId, commissionEndDate: end } = referral;
  const { amount: paid, currency, paidAt } = entry;
  const [amount, at] = [paid ?? 0, paidAt ?? 0];
  if (!rules) {
    const reasons = { rejected: state === 'rejected', ended: end !== null && at >= end, no_rate: rate === null };
    const [note = null] = Object.entries(reasons).flatMap(([reason, holds]) => (holds ? [reason] : []));
    return [note === null ? expectedCommission(amount, rate ?? 0) : 0, rate, null, null, false, note].join(' ');
  }
  const isCounted = rules.some((rule) => rule.paying_from !== undefined);
  const convertedAt = referral.convertedAt ?? 0;
  const payment = { amount, currency, paidAt: at, convertedAt, number, paying: entry.payingSeen ?? 0 };
  const decision = state === 'rejected' ? undefined : expectedDecision(rules, payment);
  if (!decision)
    return [0, null, commissionRulesId, null, isCounted, state === 'rejected' ? state : 'no_rule'].join(' ');
  const { commission, rule } = decision;
  return [commission, rules[rule - 1]?.percentage ?? null, commissionRulesId, rule, isCounted, null].join(' ');
}
