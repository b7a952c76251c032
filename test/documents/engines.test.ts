import { expect, test } from '@jest/globals';
import { SCENARIOS } from '../browser/engines/scenarios.ts';
import { documentText } from '../support/documents/documents.ts';
import { ENGINES } from '../support/engines/names.ts';
import { isPossible, REASONS } from '../support/engines/reasons.ts';
import { engineTable } from '../support/engines/table.ts';

const NAMES = Object.keys(SCENARIOS);

test('docs/script.md has the table that `npm run engines` prints when every scenario passes', () => {
  const [, table = ''] = /<!-- engines -->\n([\s\S]*?)\n<!-- \/engines -->/.exec(documentText('docs/script.md')) ?? [];
  expect(table).toBe(engineTable(NAMES, () => true));
});

test('at least 18 scenarios run in each engine, and every reason belongs to a scenario', () => {
  for (const engine of ENGINES) {
    expect(NAMES.filter((name) => isPossible(name, engine)).length).toBeGreaterThanOrEqual(18);
  }
  expect(REASONS.filter(({ scenario }) => !NAMES.includes(scenario))).toEqual([]);
});

test('a failed scenario is marked in the table, unless its engine cannot run it', () => {
  const [scenario = ''] = REASONS.filter(({ runs }) => !runs).map((each) => each.scenario);
  const table = engineTable([scenario], () => false);
  expect([table.includes('✗'), table.includes('–<sup>'), table.includes('✓')]).toEqual([true, true, false]);
});
