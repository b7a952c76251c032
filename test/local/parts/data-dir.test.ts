import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { lockDataDir } from '../../../bin/local/data-dir.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-dir-'));
});
afterAll(() => rm(folder, { recursive: true }));

const modeOf = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8);

describe('DATA_DIR', () => {
  test('DATA_DIR is created for its owner only', async () => {
    const dataDir = join(folder, 'new', 'data');
    using _ = await lockDataDir(dataDir);
    expect(await modeOf(dataDir)).toBe('700');
  });

  test.each([0o755, 0o777, 0o710, 0o707])('DATA_DIR is closed to other users if it has the mode %o', async (mode) => {
    const dataDir = await mkdtemp(join(folder, 'open-'));
    await chmod(dataDir, mode);
    using _ = await lockDataDir(dataDir);
    expect(await modeOf(dataDir)).toBe('700');
  });

  test('DATA_DIR is refused, and not changed, if other users write to it', async () => {
    const dataDir = join(folder, 'shared');
    await mkdir(dataDir);
    await chmod(dataDir, 0o1777);
    await expect(lockDataDir(dataDir)).rejects.toThrow(
      `DATA_DIR ${dataDir} is shared with other users. Set DATA_DIR to a folder of your own.`,
    );
    expect(await modeOf(dataDir)).toBe('1777');
  });

  test('DATA_DIR is locked by one start until its lock is closed', async () => {
    const dataDir = join(folder, 'locked');
    {
      using _ = await lockDataDir(dataDir);
      await expect(lockDataDir(dataDir)).rejects.toThrow(/^Another npm start is using .*locked\. Stop it, or set/);
    }
    (await lockDataDir(dataDir))[Symbol.dispose]();
  });

  test('a damaged lock does not mean that another start uses DATA_DIR', async () => {
    const dataDir = await mkdtemp(join(folder, 'damaged-'));
    const file = join(dataDir, 'lock.sqlite');
    await writeFile(file, 'no database'.repeat(1000));
    await expect(lockDataDir(dataDir)).rejects.toThrow(`The file ${file} cannot be used. Delete it.`);
  });
});
