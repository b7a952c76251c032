import type { Reporter, TestResult } from '@jest/reporters';

/**
 * Fails a run in which a passed test file printed to the console: a test that provokes an error captures what is logged.
 * What a failed file printed may explain the failure. jest passes nothing to reporters if only one file runs.
 */
export default class QuietReporter implements Pick<Reporter, 'onTestResult' | 'onRunComplete' | 'getLastError'> {
  readonly #loud = new Set<string>();

  onTestResult(_: unknown, { testFilePath, console, numFailingTests }: TestResult): void {
    if (numFailingTests === 0 && console && console.length > 0) this.#loud.add(testFilePath);
  }

  onRunComplete(): void {
    for (const file of this.#loud) console.error(`${file} passed, but prints to the console. Capture what it logs.`);
  }

  getLastError(): Error | undefined {
    return this.#loud.size === 0 ? undefined : new Error('Tests that passed print to the console.');
  }
}
