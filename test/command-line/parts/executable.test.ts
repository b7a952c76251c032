import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import project from '../../../package.json' with { type: 'json' };
import { SEE_HELP } from '../../support/admin.ts';
import { NODE_COMPILE_CACHE } from '../../support/start.ts';

const ROOT = join(import.meta.dirname, '../../..');

/** Runs the executable, by its path from a folder. */
function run(path: string, args: readonly string[], cwd: string) {
  const environment = { PATH: process.env['PATH'], NODE_COMPILE_CACHE };
  const { status, stdout, stderr } = spawnSync(path, args, { cwd, env: environment, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('./referrals --version prints the version of the project and nothing else', () => {
  expect(run('./referrals', ['--version'], ROOT)).toEqual({ status: 0, stdout: `${project.version}\n`, stderr: '' });
});

test('./referrals passes arguments on as they are, also from another folder, and ends with the status of the command', () => {
  const stderr = `error: required option '--site-url <url>' not specified\n${SEE_HELP}`;
  const ended = run('../../unit/referrals', ['program', 'create', '--name', '*  "$HOME"'], join(ROOT, 'docs'));
  expect(ended).toEqual({ status: 2, stdout: '', stderr });
});

test('./referrals works through a link, and says how to install missing packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'executable-'));
  try {
    symlinkSync(join(ROOT, 'referrals'), join(folder, 'link'));
    expect(run('./link', ['--version'], folder)).toMatchObject({ status: 0, stdout: `${project.version}\n` });
    copyFileSync(join(ROOT, 'referrals'), join(folder, 'referrals'));
    const stderr = 'The packages are not installed. Run npm install first.\n';
    expect(run('./referrals', ['--version'], folder)).toEqual({ status: 1, stdout: '', stderr });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
