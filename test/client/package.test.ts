import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import client from '../../client/package.json' with { type: 'json' };
import { importsOf } from '../kernel/unit/sources.ts';
import { oldestNode } from '../support/client/oldest-node.ts';

const FOLDER = new URL('../../client/src/', import.meta.url);
const WRITTEN = readdirSync(FOLDER).filter((name) => name !== 'openapi.ts');
const sourceOf = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8');

// Each POST takes one line.
test('the code that is not generated has at most 260 lines', () => {
  const lines = WRITTEN.flatMap((name) => sourceOf(name).split('\n'));
  const code = lines.filter((line) => !/^\s*(?:$|\/\/|\/\*|\*)/.test(line));
  expect(code.length).toBeLessThanOrEqual(260);
});

test('the client imports its only dependency, and nothing of Node or of the service', () => {
  const imports = WRITTEN.flatMap((name) => importsOf(`client/src/${name}`, sourceOf(name)));
  const own = ['openapi.ts', 'renew-cookie.ts', 'send.ts'].map((name) => `client/src/${name}`);
  expect(new Set(imports)).toEqual(new Set(['openapi-fetch', ...own]));
  expect(Object.keys(client.dependencies)).toEqual(['openapi-fetch']);
});

/** Runs the tests that need no service. */
const ON_OLDEST_NODE = {
  rootDir: join(import.meta.dirname, '../..'),
  testMatch: ['errors', 'renew-cookie', 'reports', 'retries'].map((name) => `<rootDir>/test/client/${name}.test.ts`),
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/client/strip-types.mjs' },
  testTimeout: 600_000,
};

test('the tests of the client pass on its oldest Node', async () => {
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--runInBand'];
  // The error contains the report of jest.
  const { stderr } = await promisify(execFile)(oldestNode(), [...jest, '--config', JSON.stringify(ON_OLDEST_NODE)], {
    cwd: ON_OLDEST_NODE.rootDir,
  });
  expect(stderr).toContain('4 passed, 4 total');
});
