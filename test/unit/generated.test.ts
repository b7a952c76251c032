import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

// In a process of its own: esbuild does not work in the realm that jest creates for a test.
test('the OpenAPI document, validators, script, shapes of the pages and types of the client are up to date with their sources', () => {
  const cwd = join(import.meta.dirname, '../..');
  const { status, stderr } = spawnSync(process.execPath, ['bin/generate/main.ts', '--check'], {
    cwd,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
