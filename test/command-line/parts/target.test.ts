import { spawnSync } from 'node:child_process';
import { copyFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { baseUrlOf, onTable, targetOf } from '../../../bin/admin/target.ts';
import { CONFLICT, Unavailable } from '../../../functions/kernel/errors.ts';
import project from '../../../package.json' with { type: 'json' };
import { SEE_HELP } from '../../support/admin.ts';
import { recordService } from '../../support/admin-here.ts';
import { NODE_COMPILE_CACHE } from '../../support/start.ts';

const BASE_URL = 'http://localhost:3000';
const ENDPOINT = 'http://localhost:6667';

let folder: string;
let DATA_DIR: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'target-'));
  DATA_DIR = await aService('referral-tracking', ENDPOINT);
});
afterAll(() => rm(folder, { recursive: true }));

/** Returns the folder of a service. */
async function aService(tableName: string, endpoint: string): Promise<string> {
  const dataDir = await mkdtemp(join(folder, 'data-'));
  recordService(dataDir, { endpoint, tableName, baseUrl: BASE_URL });
  return dataDir;
}

test.each([
  { DYNAMODB_ENDPOINT: 'http://localhost:6668' },
  { DYNAMODB_ENDPOINT: ENDPOINT, TABLE_NAME: 'another-table' },
])('the npm start is unknown if the environment has %j', async (environment) => {
  expect(await targetOf({ DATA_DIR, ...environment })).toMatchObject({ isOnAws: false, service: undefined });
  await expect(baseUrlOf(undefined, { DATA_DIR, ...environment })).rejects.toThrow(
    '--base-url is required unless DATA_DIR is the folder of a running npm start that uses this table. For a deployment, give the output BaseUrl of its stack.',
  );
});

test('no npm start is asked for a table on AWS, whose service is the deployment', async () => {
  const endpoint = 'https://dynamodb.eu-central-1.amazonaws.com';
  const dataDir = await aService('stage', endpoint);
  const environment = { DATA_DIR: dataDir, DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: 'stage' };
  for (const each of [environment, { TABLE_NAME: 'stage' }]) {
    expect(await targetOf(each)).toMatchObject({ isOnAws: true, service: undefined });
  }
});

/** The port of the discard service: no test sends a request. */
const ENVIRONMENT = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' };

test.each([
  ['conflicts', CONFLICT, 'Other requests changed the same data at the same time. Run the command again.'],
  [
    'gets no response',
    undefined,
    'No DynamoDB responds at http://127.0.0.1:9. Start it, or correct DYNAMODB_ENDPOINT.',
  ],
])('a command that %s says so, and what to do', async (_, reason, sentence) => {
  const work = () => Promise.reject(new Unavailable(undefined, reason));
  await expect(onTable(ENVIRONMENT, work)).rejects.toMatchObject({ status: 1, message: sentence });
});

const ROOT = join(import.meta.dirname, '../../..');

/** Runs the executable, by its path from a folder. */
function run(path: string, args: readonly string[], cwd: string) {
  const environment = { PATH: process.env['PATH'], NODE_COMPILE_CACHE };
  const { status, stdout, stderr } = spawnSync(path, args, { cwd, env: environment, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('./referrals passes arguments on as they are, also from another folder, and ends with the status of the command', () => {
  const stderr = `error: required option '--site-url <url>' not specified\n${SEE_HELP}`;
  const ended = run('../referrals', ['program', 'create', '--name', '*  "$HOME"'], join(ROOT, 'docs'));
  expect(ended).toEqual({ status: 2, stdout: '', stderr });
});

test('./referrals works through a link, and says how to install missing packages', () => {
  symlinkSync(join(ROOT, 'referrals'), join(folder, 'link'));
  expect(run('./link', ['--version'], folder)).toEqual({ status: 0, stdout: `${project.version}\n`, stderr: '' });
  copyFileSync(join(ROOT, 'referrals'), join(folder, 'referrals'));
  const stderr = 'The packages are not installed. Run npm install first.\n';
  expect(run('./referrals', ['--version'], folder)).toEqual({ status: 1, stdout: '', stderr });
});
