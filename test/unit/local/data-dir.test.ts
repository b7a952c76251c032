import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { claimDataDir, prepareDataDir } from '../../../bin/local/data-dir.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-dir-'));
});
afterAll(() => rm(folder, { recursive: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8);

describe('DATA_DIR', () => {
  test('DATA_DIR is created for its owner only, and so is the service file in it', async () => {
    const dataDir = join(folder, 'new', 'data');
    await prepareDataDir(dataDir);
    await claimDataDir(dataDir, 'a-table', 'http://127.0.0.1:9');
    expect([await modeOf(dataDir), await modeOf(join(dataDir, 'service.json'))]).toEqual(['700', '600']);
  });

  test.each([0o755, 0o777, 0o710, 0o707])('DATA_DIR is closed to other users if it has the mode %o', async (mode) => {
    const dataDir = await mkdtemp(join(folder, 'open-'));
    await chmod(dataDir, mode);
    await prepareDataDir(dataDir);
    expect(await modeOf(dataDir)).toBe('700');
  });

  test('DATA_DIR is refused, and not changed, if other users write to it', async () => {
    const dataDir = join(folder, 'shared');
    await mkdir(dataDir);
    await chmod(dataDir, 0o1777);
    await expect(prepareDataDir(dataDir)).rejects.toThrow(
      `DATA_DIR ${dataDir} is shared with other users. Set DATA_DIR to a folder of your own.`,
    );
    expect(await modeOf(dataDir)).toBe('1777');
  });
});
