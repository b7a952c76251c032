import type { Clock } from '../../../functions/kernel/time.ts';
import { toExit } from '../errors.ts';
import { StepFailure } from './request.ts';

export interface Advised {
  readonly what: string;
  readonly advice: string;
}

export interface Step {
  readonly name: string;
  /** Names of the steps that must have passed. Default: all steps before this one. */
  readonly needs?: readonly string[];
  /** True if the step runs in any case, to clean up after the others. */
  readonly isCleanUp?: true;
  /**
   * Returns a description of the result; `undefined` if the report does not mention the step. Throws `StepFailure`, or an
   * error of the table.
   */
  readonly run: () => Promise<string | Advised | undefined>;
}

interface StepReport {
  readonly step: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly milliseconds: number;
  readonly what?: string;
  readonly why?: string;
  readonly advice?: string;
}

type Show = (report: StepReport) => void;

const MARK = { passed: '✓', failed: '✗', skipped: '–' } as const;
const ADVISED = '!';
const NAME_WIDTH = 20;

/** Runs the steps in order. Skips a step if a step that it needs has not passed, or once `stopped` is aborted. */
export async function runSteps(steps: readonly Step[], clock: Clock, stopped: AbortSignal, show: Show) {
  const reports: StepReport[] = [];
  for (const step of steps) {
    const why = reasonToSkip(step, reports, stopped);
    const skipped = { step: step.name, outcome: 'skipped', milliseconds: 0 } as const;
    const report = why === undefined ? await attempt(step, clock) : { ...skipped, why };
    if (!report) continue;
    reports.push(report);
    show(report);
  }
  return reports;
}

function reasonToSkip({ needs, isCleanUp }: Step, reports: readonly StepReport[], stopped: AbortSignal) {
  if (isCleanUp) return undefined;
  const cause = reports.find(({ step, outcome }) => outcome !== 'passed' && (needs?.includes(step) ?? true));
  if (cause) return cause.outcome === 'failed' ? `"${cause.step}" failed.` : cause.why;
  return stopped.aborted ? 'doctor was interrupted.' : undefined;
}

async function attempt({ name, run }: Step, clock: Clock): Promise<StepReport | undefined> {
  const start = clock();
  const report = (outcome: 'passed' | 'failed') => ({ step: name, outcome, milliseconds: clock() - start });
  try {
    const result = await run();
    if (result === undefined) return undefined;
    return { ...report('passed'), ...(typeof result === 'string' ? { what: result } : result) };
  } catch (error) {
    if (error instanceof StepFailure) return { ...report('failed'), why: error.message, advice: error.advice };
    // The sentences about the table contain their own advice.
    return { ...report('failed'), why: toExit(error).sentence ?? '' };
  }
}

export function reportText({ step, outcome, milliseconds, what, why, advice }: StepReport): string {
  const mark = outcome === 'passed' && advice !== undefined ? ADVISED : MARK[outcome];
  const start = `${mark} ${step.padEnd(NAME_WIDTH)}`;
  if (outcome === 'skipped') return `${start} skipped: ${why}\n`;
  const below = [why, advice].flatMap((text) => text?.split('\n') ?? []).map((line) => `    ${line}\n`);
  return `${start} ${what ?? 'failed'} (${milliseconds} ms)\n${below.join('')}`;
}

export function closingSentence(reports: readonly StepReport[], baseUrl: string): string {
  const count = (outcome: StepReport['outcome']) => reports.filter((report) => report.outcome === outcome).length;
  const first = reports.find(({ outcome }) => outcome === 'failed');
  const counts = `${count('failed')} of ${reports.length} steps failed and ${count('skipped')} were skipped at ${baseUrl}.`;
  if (first) return `${counts} Fix "${first.step}", then run doctor again.`;
  if (count('skipped') > 0) return `doctor was interrupted. ${counts}`;
  return `All ${reports.length} steps passed: the service at ${baseUrl} works.`;
}
