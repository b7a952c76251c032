import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** What tests say. `broken`: a file cannot be loaded, or no file matches. `test` is the first failed test. */
export interface Result {
  readonly verdict: 'killed' | 'survives' | 'hangs' | 'broken';
  readonly test?: string;
}

/** In milliseconds. A suite that takes longer waits for something that a fault prevents. */
const LIMIT = 120_000;

const JEST = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/** The suites of each capability. */
const INSIDE = ['unit', 'table', 'api', 'thorough'];

/** Runs the tests whose path below `test` starts with `suite`, in a copy of the checkout, until a file fails. */
export async function runSuite(copy: string, suite: string): Promise<Result> {
  const output = join(copy, 'result.txt');
  rmSync(output, { force: true });
  const [folder = '', inside = ''] = suite.split('/');
  const project = INSIDE.includes(inside) && existsSync(join(copy, 'test', folder, inside)) ? inside : folder;
  const tests = ['--config', 'jest.all.config.ts', '--selectProjects', project, '--testPathPatterns', `/test/${suite}`];
  const options = ['--runInBand', '--bail', '--silent', '--forceExit', '--reporters=./test/mutants/first-failure.ts'];
  const child = spawn(process.execPath, [...JEST, ...tests, ...options], {
    cwd: copy,
    stdio: 'ignore',
    timeout: LIMIT,
    killSignal: 'SIGKILL',
  });
  const [status, signal] = await once(child, 'exit');
  if (signal !== null) return { verdict: 'hangs' };
  if (existsSync(output)) return { verdict: 'killed', test: readFileSync(output, 'utf8') };
  return { verdict: status === 0 ? 'survives' : 'broken' };
}
