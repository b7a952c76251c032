import { ENGINES, type EngineName } from './names.ts';
import { isPossible, REASONS } from './reasons.ts';

/** What became of a scenario in an engine. */
type Outcome = (scenario: string, engine: EngineName) => boolean;

/** The table of scenarios and engines in docs/script.md, in Markdown, with the reasons below it, numbered as they appear. */
export function engineTable(scenarios: readonly string[], isPassed: Outcome): string {
  const notes = new Set<string>();
  const noteOf = (scenario: string, engine: EngineName) => {
    const reason = REASONS.find((each) => each.scenario === scenario && each.engines.includes(engine))?.reason;
    return reason === undefined ? '' : `<sup>${[...notes.add(reason)].indexOf(reason) + 1}</sup>`;
  };
  const mark = (scenario: string, engine: EngineName) => {
    if (!isPossible(scenario, engine)) return '–';
    return isPassed(scenario, engine) ? '✓' : '✗';
  };
  const rows = scenarios.map((scenario) => [
    scenario,
    ...ENGINES.map((engine) => `${mark(scenario, engine)}${noteOf(scenario, engine)}`),
  ]);
  const cells = [['scenario', ...ENGINES], ...rows];
  const widths = ['', ...ENGINES].map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const [head, ...body] = cells.map((row) => lineOf(row.map((cell, column) => padded(cell, column, widths))));
  const rule = lineOf(widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `:${'-'.repeat(width - 2)}:`)));
  return [head, rule, ...body, '', ...[...notes].map((reason, index) => `${index + 1}. ${reason}`)].join('\n');
}

const lineOf = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The first column is aligned to the left, the others are centered. */
function padded(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] ?? 0;
  const before = column === 0 ? 0 : Math.floor((width - cell.length) / 2);
  return `${' '.repeat(before)}${cell}`.padEnd(width);
}
