import { programInKey } from '../../../functions/kernel/dynamodb/keys.ts';
import { entryCount } from '../../../functions/referrals/rules/history.ts';
import { unexplainedDifferences } from '../../../functions/statistics/operator/statistics.ts';
import { KINDS } from '../../../functions/statistics/rules/statistics.ts';
import { parseSums } from '../../../functions/statistics/table/sums.ts';
import type { FakeTable } from '../fake/table.ts';
import type { Knowledge, PromiseName } from '../knowledge.ts';
import { nameOf } from '../statistics.ts';
import type { World } from '../world.ts';
import type { Check, Evidence } from './evidence.ts';
import { explanationProblems } from './explanations.ts';
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
  runAll({ ...AT_EVERY_MOMENT, ...AT_REST }, evidence);
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
  for (const name of new Set([...stored.keys(), ...statistics.expected.keys()])) {
    const [is, shouldBe] = [stored.get(name), statistics.expected.get(name)];
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
      yield `statistics rebuild would change ${JSON.stringify(difference)}`;
    }
  }
}

/** The stored numbers, by their names. */
function storedIn(table: FakeTable): ReadonlyMap<string, number> {
  const sums = [...table.items.values()].filter(({ pk }) => String(pk).includes('#STATISTICS#'));
  const numbers = sums.flatMap((item) => {
    const { slug, daily } = parseSums(item);
    const program = programInKey(String(item['pk']));
    return [...daily].flatMap(([day, each]) =>
      KINDS.map((kind): [string, number] => [nameOf({ program, day, slug, kind }), each[kind]]),
    );
  });
  return new Map(numbers.filter(([, number]) => number > 0));
}
