import { writeFileSync } from 'node:fs';
import type { Reporter, TestCaseResult, TestResult } from '@jest/reporters';

/** Writes the name of the first failed test to `result.txt`, and ends jest: `--bail` would run the rest of its file. */
export default class FirstFailure implements Pick<Reporter, 'onTestCaseResult' | 'onTestResult'> {
  onTestCaseResult(_: unknown, { status, fullName }: Pick<TestCaseResult, 'status' | 'fullName'>): void {
    if (status !== 'failed') return;
    writeFileSync('result.txt', fullName);
    process.exit(1);
  }

  /** Finds a test that failed after its own result was known. */
  onTestResult(_: unknown, { testResults }: TestResult): void {
    for (const result of testResults) this.onTestCaseResult(_, result);
  }
}
