import type { AggregatedResult, Reporter } from '@jest/reporters';

/** Ends a run with its counts in one plain line, for programs that read them. */
export default class CountReporter implements Pick<Reporter, 'onRunComplete'> {
  onRunComplete(_: unknown, { numPassedTests, numFailedTests, numFailedTestSuites }: AggregatedResult): void {
    // A suite that could not even be read has failed, though it counts no test.
    const failed = numFailedTests || numFailedTestSuites;
    // The runner writes its own summary after its reporters.
    process.once('exit', () => console.log(`${numPassedTests} passed, ${failed} failed`));
  }
}
