import type { AggregatedResult, Reporter } from '@jest/reporters';

/** Prints the counts of a run as its last line, in a fixed form for other programs. */
export default class CountReporter implements Pick<Reporter, 'onRunComplete'> {
  onRunComplete(_: unknown, { numPassedTests, numFailedTests, numFailedTestSuites }: AggregatedResult): void {
    // A test file that cannot be loaded fails without counting a test.
    const failed = numFailedTests || numFailedTestSuites;
    // jest prints its own summary after the reporters.
    process.once('exit', () => console.log(`${numPassedTests} passed, ${failed} failed`));
  }
}
