import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readService, ServiceFile } from '../../../bin/service/service-file.ts';

let folder: string;
let dataDir: string;
let file: ServiceFile;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-file-'));
});
beforeEach(async () => {
  dataDir = await mkdtemp(join(folder, 'data-'));
  file = new ServiceFile(dataDir);
});
afterEach(() => file[Symbol.dispose]());
afterAll(() => rm(folder, { recursive: true }));

test('the file and its log can be read by their owner only', async () => {
  const names = (await readdir(dataDir)).toSorted();
  expect(names).toEqual(['service.sqlite', 'service.sqlite-shm', 'service.sqlite-wal']);
  for (const name of names) expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
});

describe('the record of the running service', () => {
  test('the record is read while the service has the file open, until it is removed', () => {
    const service = { endpoint: 'http://127.0.0.1:9', tableName: 'a-table' };
    expect(readService(dataDir)).toBeUndefined();
    file.setService(service);
    expect(readService(dataDir)).toEqual(service);
    file.setService({ ...service, baseUrl: 'http://localhost:3000' });
    expect(readService(dataDir)).toEqual({ ...service, baseUrl: 'http://localhost:3000' });
    file.removeService();
    expect(readService(dataDir)).toBeUndefined();
  });

  test('reading the record does not create a file', async () => {
    const empty = await mkdtemp(join(folder, 'empty-'));
    expect(readService(empty)).toBeUndefined();
    expect(await readdir(empty)).toEqual([]);
  });
});
