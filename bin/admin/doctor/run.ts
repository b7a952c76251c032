import type { Clock } from '../../../functions/domain/time.ts';
import { toExit } from '../errors.ts';
import { StepFailure } from './failure.ts';

/** One thing that is tried. */
export interface Step {
  readonly name: string;
  /** What is tried: told where it failed or was not tried. */
  readonly what: string;
  /** Names of the steps that must have passed before. */
  readonly needs: readonly string[];
  /** Is tried also where the command is told to stop. */
  readonly always?: true;
  /** Returns what happened. Throws `StepFailure`, or what the table's errors are explained by. */
  readonly run: () => Promise<string>;
}

/** What became of a step, as the JSON has it. */
export interface StepReport {
  readonly step: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly what: string;
  readonly milliseconds: number;
  readonly why?: string;
  readonly advice?: string;
}

/** Tries the steps one after the other, and tells of each at once. What is under way is not broken off by `stopped`. */
export async function runSteps(
  steps: readonly Step[],
  clock: Clock,
  stopped: AbortSignal,
  tell: (report: StepReport) => void,
): Promise<StepReport[]> {
  const reports: StepReport[] = [];
  const hasPassed = (name: string) => reports.some(({ step, outcome }) => step === name && outcome === 'passed');
  for (const step of steps) {
    const { name, what, needs, always } = step;
    const lacking = needs.find((each) => !hasPassed(each));
    const why = stopped.aborted && !always ? 'doctor was told to stop.' : lacking && `it needs "${lacking}".`;
    const report = why
      ? { step: name, outcome: 'skipped' as const, what, milliseconds: 0, why }
      : await attempt(step, clock);
    reports.push(report);
    tell(report);
  }
  return reports;
}

async function attempt({ name, what, run }: Step, clock: Clock): Promise<StepReport> {
  const start = clock();
  const ended = (outcome: StepReport['outcome'], happened: string) => ({
    step: name,
    outcome,
    what: happened,
    milliseconds: clock() - start,
  });
  try {
    return ended('passed', await run());
  } catch (error) {
    const failed = ended('failed', what);
    if (error instanceof StepFailure) return { ...failed, why: error.message, advice: error.advice };
    // The sentences on the table say what to do themselves.
    return { ...failed, why: toExit(error).sentence ?? '' };
  }
}
