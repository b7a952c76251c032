import { writeFileSync } from 'node:fs';
import type { Reporter, TestResult } from '@jest/reporters';

/** Writes the name of the first failed test to `result.txt`: `--bail` ends jest before it writes its own results. */
export default class FirstFailure implements Pick<Reporter, 'onTestResult'> {
  onTestResult(_: unknown, { testResults }: TestResult): void {
    const failed = testResults.find(({ status }) => status === 'failed');
    if (failed) writeFileSync('result.txt', failed.fullName, { flag: 'wx' });
  }
}
