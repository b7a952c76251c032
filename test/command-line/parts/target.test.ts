import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { baseUrlOf, targetOf } from '../../../bin/admin/target.ts';
import { recordService } from '../../support/admin-here.ts';

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

describe('the npm start that a command uses', () => {
  test.each([
    {},
    { DYNAMODB_ENDPOINT: ENDPOINT },
    { DYNAMODB_ENDPOINT: `${ENDPOINT}/` },
    { DYNAMODB_ENDPOINT: ENDPOINT, TABLE_NAME: 'referral-tracking' },
    { TABLE_NAME: 'referral-tracking' },
  ])('the npm start in DATA_DIR is used if the environment also has %j', async (environment) => {
    const target = await targetOf({ DATA_DIR, ...environment });
    expect(target).toMatchObject({ isOnAws: false, service: { dataDir: DATA_DIR, baseUrl: BASE_URL } });
    expect(await baseUrlOf(undefined, { DATA_DIR, ...environment })).toBe(BASE_URL);
  });

  test.each([
    { DYNAMODB_ENDPOINT: 'http://localhost:6668' },
    { DYNAMODB_ENDPOINT: ENDPOINT, TABLE_NAME: 'another-table' },
    { DYNAMODB_ENDPOINT: ENDPOINT, DATA_DIR: '/nowhere' },
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
});
