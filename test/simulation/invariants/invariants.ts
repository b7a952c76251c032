import type { Knowledge, PromiseName } from '../knowledge.ts';
import type { World } from '../world.ts';
import type { Check, Evidence } from './evidence.ts';
import { AT_REST } from './quiet.ts';
import { countProblems, listProblems, programListProblems } from './reads.ts';
import { statementProblems } from './statements.ts';
import { statisticsProblems } from './statistics.ts';
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
