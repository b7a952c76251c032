import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readServiceFile, removeServiceFile, writeServiceFile } from '../../../bin/service/service-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the service file is undefined if it is missing or not valid', async () => {
  const dataDir = await mkdtemp(join(folder, 'files-'));
  const service = { endpoint: 'http://127.0.0.1:9', tableName: 'a-table', baseUrl: 'http://localhost:3000' };
  await writeServiceFile(dataDir, service);
  expect(await readServiceFile(dataDir)).toEqual(service);
  expect(await readdir(dataDir)).toEqual(['service.json']);
  for (const garbage of ['', '{', 'null', '[]', '{"endpoint":"x","tableName":"t"}', '{"endpoint":1}']) {
    await writeFile(join(dataDir, 'service.json'), garbage);
    expect(await readServiceFile(dataDir)).toBeUndefined();
  }
  for (const _ of [1, 2]) await removeServiceFile(dataDir);
  expect(await readServiceFile(dataDir)).toBeUndefined();
});
