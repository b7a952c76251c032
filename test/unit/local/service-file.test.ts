import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { addBaseUrl, claimServiceFile, readServiceFile, removeServiceFile } from '../../../bin/service/service-file.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-file-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the service file', () => {
  test('the service file is undefined if it is missing or not valid', async () => {
    const dataDir = await mkdtemp(join(folder, 'files-'));
    const service = { endpoint: 'http://127.0.0.1:9', tableName: 'a-table', pid: 1, startTime: '12' };
    await claimServiceFile(dataDir, service);
    expect(await readServiceFile(dataDir)).toEqual(service);
    for (const garbage of ['', '{', 'null', '[]', '{"endpoint":"x","tableName":"t","pid":1}', '{"endpoint":1}']) {
      await writeFile(join(dataDir, 'service.json'), garbage);
      expect(await readServiceFile(dataDir)).toBeUndefined();
    }
    await removeServiceFile(dataDir);
    await removeServiceFile(dataDir);
    expect(await readServiceFile(dataDir)).toBeUndefined();
  });

  test('the service file belongs to one start at a time, and only that start deletes it', async () => {
    const dataDir = await mkdtemp(join(folder, 'claims-'));
    const service = { endpoint: 'http://127.0.0.1:9', tableName: 'a-table', pid: 1 };
    expect([await claimServiceFile(dataDir, service), await claimServiceFile(dataDir, { ...service, pid: 2 })]).toEqual(
      [true, false],
    );
    await removeServiceFile(dataDir, 2);
    // A start that found no file must not delete a file that another start has written since.
    await removeServiceFile(dataDir);
    expect(await readServiceFile(dataDir)).toEqual(service);
    await removeServiceFile(dataDir, 1);
    expect(await readServiceFile(dataDir)).toBeUndefined();
  });

  test('the service file gets the base URL from the process that wrote it', async () => {
    const dataDir = await mkdtemp(join(folder, 'addresses-'));
    const service = { endpoint: 'http://127.0.0.1:9', tableName: 'a-table', pid: 1, startTime: '12' };
    await addBaseUrl(dataDir, 1, 'http://localhost:3000');
    expect(await readServiceFile(dataDir)).toBeUndefined();
    await claimServiceFile(dataDir, service);
    await addBaseUrl(dataDir, 2, 'http://localhost:3000');
    expect(await readServiceFile(dataDir)).toEqual(service);
    await addBaseUrl(dataDir, 1, 'http://localhost:3000');
    expect(await readServiceFile(dataDir)).toEqual({ ...service, baseUrl: 'http://localhost:3000' });
    expect(await claimServiceFile(dataDir, { ...service, pid: 2 })).toBe(false);
    await writeFile(join(dataDir, 'service.json'), JSON.stringify({ ...service, baseUrl: 3000 }));
    expect(await readServiceFile(dataDir)).toEqual(service);
    expect(await readdir(dataDir)).toEqual(['service.json']);
  });
});
