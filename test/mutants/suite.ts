import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What tests say. `broken`: a file cannot be loaded, or no file matches. `test` is the first failed test. */
export interface Result {
  readonly verdict: 'killed' | 'survives' | 'hangs' | 'broken';
  readonly test?: string;
}

/** In milliseconds. A suite that takes longer waits for something that a fault prevents. */
const LIMIT = 240_000;

const JEST = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/** Runs the tests whose path below `test` starts with `suite`, in a copy of the checkout, until a file fails. */
export async function runSuite(folder: string, suite: string): Promise<Result> {
  const output = join(folder, 'result.json');
  rmSync(output, { force: true });
  const project = suite.split('/')[0] ?? '';
  const tests = ['--config', 'jest.all.config.ts', '--selectProjects', project, '--testPathPatterns', `/test/${suite}`];
  const options = ['--runInBand', '--bail', '--silent', '--forceExit', '--json', `--outputFile=${output}`];
  const child = spawn(process.execPath, [...JEST, ...tests, ...options], {
    cwd: folder,
    stdio: 'ignore',
    timeout: LIMIT,
    killSignal: 'SIGKILL',
  });
  const [, signal] = await once(child, 'exit');
  return signal === null ? resultIn(output) : { verdict: 'hangs' };
}

/** A file that cannot be loaded fails without a test. */
function resultIn(output: string): Result {
  try {
    const { testResults, numPassedTests } = JSON.parse(readFileSync(output, 'utf8'));
    const failed = testResults
      .flatMap(({ assertionResults }: { assertionResults: unknown }) => assertionResults)
      .find(({ status }: { status: string }) => status === 'failed');
    if (failed) return { verdict: 'killed', test: failed.fullName };
    return { verdict: numPassedTests > 0 ? 'survives' : 'broken' };
  } catch {
    return { verdict: 'broken' };
  }
}
