import type { Money, Numbers } from '../../../functions/kernel/accounts/rules/totals.ts';
import { parseTotals } from '../../../functions/kernel/accounts/table/totals.ts';
import type { Item } from '../../../functions/kernel/dynamodb/item.ts';
import { lastPart } from '../../../functions/kernel/dynamodb/keys.ts';
import { exactNumbers } from '../../../functions/kernel/json.ts';
import { entryCount } from '../../../functions/referrals/rules/history.ts';
import { unexplainedDifferences } from '../../../functions/statistics/operator/statistics.ts';
import { parseMoney, parseSums } from '../../../functions/statistics/table/sums.ts';
import type { FakeTable } from '../fake/table.ts';
import type { Knowledge, PromiseName } from '../knowledge.ts';
import { nameOf, TOTAL } from '../statistics.ts';
import type { World } from '../world.ts';
import type { Check, Evidence } from './evidence.ts';
import { explanationProblems } from './explanations.ts';
import { ABOUT_PEOPLE } from './people.ts';
import { AT_REST } from './quiet.ts';
import { countProblems, listProblems, programListProblems } from './reads.ts';
import { rowsOf } from './rows.ts';
import { statementProblems } from './statements.ts';
import { AT_EVERY_MOMENT } from './table.ts';

/** A violation of one promise usually breaks it for many rows. */
const MAX_SENTENCES = 5;

/** Checks what must hold at every moment, while requests are under way. */
export function checkMoment(evidence: Evidence): void {
  runAll(AT_EVERY_MOMENT, evidence);
}

/** Checks everything, once no request is under way and all events are delivered. */
export async function checkAll(evidence: Evidence, world: World): Promise<void> {
  const { table, knowledge } = evidence;
  table.catchUp();
  runAll({ ...AT_EVERY_MOMENT, ...AT_REST, ...ABOUT_PEOPLE }, evidence);
  await world.run(report(knowledge, 'lists', listProblems(evidence)));
  await world.run(report(knowledge, 'lists', programListProblems(evidence)));
  await world.run(report(knowledge, 'counts', countProblems(evidence)));
  await world.run(report(knowledge, 'explanations', explanationProblems(evidence)));
  await world.run(report(knowledge, 'statistics', statisticsProblems(evidence)));
  await world.run(report(knowledge, 'ledger', statementProblems(evidence)));
}

function runAll(checks: Readonly<Partial<Record<PromiseName, Check>>>, evidence: Evidence): void {
  for (const [promise, check] of Object.entries(checks) as [PromiseName, Check][]) {
    for (const sentence of firstOf(check(evidence))) evidence.knowledge.report(promise, sentence);
  }
}

function* firstOf(sentences: Iterable<string>): Iterable<string> {
  let count = 0;
  for (const sentence of sentences) {
    yield sentence;
    count += 1;
    if (count === MAX_SENTENCES) return;
  }
}

async function report(knowledge: Knowledge, promise: PromiseName, problems: AsyncIterable<string>): Promise<void> {
  for await (const sentence of problems) knowledge.report(promise, sentence);
}

/** Compares the statistics with all changes, and with what a rebuild computes. Returns a sentence for each difference. */
async function* statisticsProblems(evidence: Evidence): AsyncGenerator<string, void> {
  const { table, statistics, shops, operator } = evidence;
  const stored = storedIn(table);
  const expected = new Map([...statistics.expected, ...customersOf(table)]);
  for (const name of new Set([...stored.keys(), ...expected.keys()])) {
    const [is, shouldBe] = [stored.get(name) ?? 0n, expected.get(name) ?? 0n];
    if (is !== shouldBe) yield `${name} is ${is} instead of ${shouldBe}`;
  }
  const withDropped = new Set(
    rowsOf(table)
      .filter(({ referral }) => entryCount(referral) > referral.history.length)
      .map(({ program }) => program),
  );
  for (const { program } of shops) {
    // A rebuild does not know what only the dropped entries of a long history knew.
    if (withDropped.has(program.id)) continue;
    for (const difference of await unexplainedDifferences(operator, program)) {
      const { place: _, ...shown } = difference;
      yield `statistics rebuild would change ${JSON.stringify(exactNumbers(shown))}`;
    }
  }
}

/** Counts the customers of each advocate who paid and are not rejected, by the names of their totals. */
function customersOf(table: FakeTable): ReadonlyMap<string, bigint> {
  const counts = new Map<string, bigint>();
  for (const { program, item, referral } of rowsOf(table)) {
    if (Number(item['paid_at'] ?? 0) === 0 || item['state'] === 'rejected') continue;
    const name = nameOf({ program, day: TOTAL, slug: referral.advocateSlug, kind: CUSTOMERS });
    counts.set(name, (counts.get(name) ?? 0n) + 1n);
  }
  return counts;
}

const CUSTOMERS = 'customers';

/** The stored numbers and money, of days and of totals, by their names. */
function storedIn(table: FakeTable): ReadonlyMap<string, bigint> {
  const named = [...table.items.values()].flatMap((item) => {
    const [, program = '', room, , currency] = String(item['pk']).split('#');
    const sums = room === 'TOTALS' ? totalsIn(item) : room === 'STATISTICS' ? daysIn(item, currency) : [];
    const slug = item['sk'] === 'ALL' ? null : lastPart(String(item['sk']));
    return sums.flatMap(([day, prefix, of]) =>
      Object.entries(of).map(
        ([kind, value]) => [nameOf({ program, day, slug, kind: prefix + kind }), BigInt(value)] as const,
      ),
    );
  });
  return new Map(named);
}

type NamedSums = readonly (readonly [
  day: string,
  prefix: string,
  of: Partial<Numbers & Money> & { customers?: number },
])[];

function totalsIn(item: Item): NamedSums {
  const { numbers, money } = parseTotals(item);
  const customers = { [CUSTOMERS]: Number(item['n'] ?? 0) };
  return [
    [TOTAL, '', { ...numbers, ...customers }],
    ...[...money].map(([currency, sums]) => [TOTAL, `${currency} `, sums] as const),
  ];
}

const daysIn = (item: Item, currency: string | undefined): NamedSums =>
  currency === undefined
    ? [...parseSums(item).daily].map(([day, numbers]) => [day, '', numbers])
    : [...parseMoney(item).daily].map(([day, money]) => [day, `${currency} `, money]);
