import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What a killer says. `broken`: a file cannot be loaded, or no test matches. `test` is the first failed test. */
export interface KillerResult {
  readonly verdict: 'killed' | 'survives' | 'hangs' | 'broken';
  readonly test?: string;
}

const JEST = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/** Runs a killer in a copy of the checkout. Stops it after `timeout` milliseconds. */
export async function runKiller(folder: string, killer: string, timeout: number): Promise<KillerResult> {
  const [path = '', ...words] = killer.split(' ');
  const output = join(folder, 'result.json');
  rmSync(output, { force: true });
  const tests = [
    '--config',
    'jest.all.config.ts',
    '--selectProjects',
    path.split('/')[0] ?? '',
    '--testPathPatterns',
    `/test/${path}\\.test\\.ts$`,
  ];
  const names = words.length > 0 ? ['--testNamePattern', words.join(' ')] : [];
  const options = ['--runInBand', '--silent', '--forceExit', '--json', `--outputFile=${output}`];
  const child = spawn(process.execPath, [...JEST, ...tests, ...names, ...options], {
    cwd: folder,
    stdio: 'ignore',
    timeout,
    killSignal: 'SIGKILL',
  });
  const [, signal] = await once(child, 'exit');
  return signal === null ? resultIn(output) : { verdict: 'hangs' };
}

/** A file that cannot be loaded fails without a test. */
function resultIn(output: string): KillerResult {
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
