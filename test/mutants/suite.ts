import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_COMPILE_CACHE } from '../support/start.ts';
import type { Copy } from './checkout.ts';

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

/** Runs the tests whose path below `test` starts with `suite`, in a copy of the checkout, until a test fails. */
export async function runSuite({ folder: copy, temporary: TMPDIR }: Copy, suite: string): Promise<Result> {
  const output = join(copy, 'result.txt');
  rmSync(output, { force: true });
  const [folder = '', inside = ''] = suite.split('/');
  const project = INSIDE.includes(inside) && existsSync(join(copy, 'test', folder, inside)) ? inside : folder;
  const tests = ['--config', 'jest.all.config.ts', '--selectProjects', project, '--testPathPatterns', `/test/${suite}`];
  const options = ['--runInBand', '--bail', '--silent', '--forceExit', '--reporters=./test/mutants/first-failure.ts'];
  const child = spawn(process.execPath, [...JEST, ...tests, ...options], {
    cwd: copy,
    // A failed test ends jest before the tests delete what they created.
    env: { ...process.env, TMPDIR, NODE_COMPILE_CACHE },
    stdio: 'ignore',
    timeout: LIMIT,
    killSignal: 'SIGKILL',
    detached: true,
  });
  const endGroup = () => killGroup(child.pid);
  process.once('exit', endGroup);
  const [status, signal] = await once(child, 'exit');
  endGroup();
  process.off('exit', endGroup);
  if (signal !== null) return { verdict: 'hangs' };
  if (existsSync(output)) return { verdict: 'killed', test: readFileSync(output, 'utf8') };
  return { verdict: status === 0 ? 'survives' : 'broken' };
}

/** Kills the processes that tests have started and not ended. */
function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
}
