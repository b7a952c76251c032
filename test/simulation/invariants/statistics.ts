import { entryCount } from '../../../functions/domain/referral/history.ts';
import { KINDS } from '../../../functions/domain/statistics/statistics.ts';
import { programInKey } from '../../../functions/table/keys.ts';
import { unexplainedDifferences } from '../../../functions/table/operator/statistics.ts';
import { parseSums } from '../../../functions/table/statistics/sums.ts';
import type { FakeTable } from '../fake/table.ts';
import { nameOf } from '../statistics.ts';
import type { Evidence } from './evidence.ts';
import { rowsOf } from './rows.ts';

/** Compares the statistics with all changes, and with what a rebuild computes. Returns a sentence for each difference. */
export async function* statisticsProblems(evidence: Evidence): AsyncGenerator<string, void> {
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
