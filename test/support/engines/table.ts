import { ENGINES, type EngineName } from './names.ts';
import { isPossible, REASONS } from './reasons.ts';

/** What became of a scenario in an engine. */
type Outcome = (scenario: string, engine: EngineName) => boolean;

/** The table of scenarios and engines in docs/script.md, in Markdown, with the reasons below it. Tests run in any order. */
export function engineTable(scenarios: readonly string[], isPassed: Outcome): string {
  const noteOf = (scenario: string, engine: EngineName) => {
    const index = REASONS.findIndex((each) => each.scenario === scenario && each.engines.includes(engine));
    return index < 0 ? '' : `<sup>${index + 1}</sup>`;
  };
  const mark = (scenario: string, engine: EngineName) => {
    if (!isPossible(scenario, engine)) return '–';
    return isPassed(scenario, engine) ? '✓' : '✗';
  };
  const rows = scenarios
    .toSorted()
    .map((scenario) => [scenario, ...ENGINES.map((engine) => `${mark(scenario, engine)}${noteOf(scenario, engine)}`)]);
  const lines = [['scenario', ...ENGINES], ['---', ...ENGINES.map(() => ':-:')], ...rows];
  const notes = REASONS.map(({ reason }, index) => `${index + 1}. ${reason}`);
  return [...lines.map((cells) => `| ${cells.join(' | ')} |`), '', ...notes].join('\n');
}
