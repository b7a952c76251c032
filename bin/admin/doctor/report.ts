import type { StepReport } from './run.ts';

const MARK = { passed: '✓', failed: '✗', skipped: '–' } as const;
/** Room for the longest name of a step. */
const NAME_WIDTH = 21;
const INDENT = ' '.repeat(4);

/** What people read of a step: one line, and below it why it failed and what to do. */
export function stepText({ step, outcome, what, milliseconds, why, advice }: StepReport): string {
  const start = `${MARK[outcome]} ${step.padEnd(NAME_WIDTH)}`;
  if (outcome === 'skipped') return `${start}not tried: ${why}\n`;
  const below = [why, advice].filter((text) => text !== undefined).map((text) => `${INDENT}${text}\n`);
  return `${start}${what} (${milliseconds} ms)\n${below.join('')}`;
}

/** The one sentence at the end. */
export function closingSentence(reports: readonly StepReport[], baseUrl: string): string {
  const count = (outcome: StepReport['outcome']) => reports.filter((report) => report.outcome === outcome).length;
  const first = reports.find(({ outcome }) => outcome === 'failed');
  if (first) {
    return `Of ${reports.length} steps at ${baseUrl}, ${count('failed')} failed and ${count('skipped')} were not tried: begin with "${first.step}".`;
  }
  return count('skipped') > 0
    ? `doctor was told to stop: of ${reports.length} steps at ${baseUrl}, ${count('skipped')} were not tried.`
    : `All ${reports.length} steps passed: the service at ${baseUrl} works.`;
}
