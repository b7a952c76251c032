import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { lockDataDir } from '../../../bin/local/data-dir.ts';
import { ServiceFile } from '../../../bin/service/service-file.ts';
import { rotateSecret, stripeOwner, webhookOwner } from '../../../functions/kernel/secrets/secrets.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';

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

const OWNER = webhookOwner('0198-program', '0198-webhook');
const secret = (value: string, time: number) => ({ value, createdAt: milliseconds(time) });

/** The files in `DATA_DIR` that contain a text. */
async function filesWith(text: string): Promise<string[]> {
  const names = await readdir(dataDir);
  const contents = await Promise.all(names.map((name) => readFile(join(dataDir, name), 'latin1')));
  return names.filter((_, index) => contents[index]?.includes(text));
}

test('the file and its log can be read by their owner only', async () => {
  const names = (await readdir(dataDir)).toSorted();
  expect(names).toEqual(['service.sqlite', 'service.sqlite-shm', 'service.sqlite-wal']);
  for (const name of names) expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
});

describe('the secrets in DATA_DIR', () => {
  test('secrets are read newest first, by owner, immediately after another process has added them', async () => {
    using other = new ServiceFile(dataDir);
    for (const [value, time] of [['whsec_b', 2] as const, ['whsec_c', 3] as const, ['whsec_a', 1] as const]) {
      await other.secrets.add(OWNER, secret(value, time));
    }
    await other.secrets.add(stripeOwner('0198-program'), secret('whsec_stripe', 4));
    const { secrets } = file;
    expect(await secrets.read(OWNER)).toEqual([secret('whsec_c', 3), secret('whsec_b', 2), secret('whsec_a', 1)]);
    expect(await secrets.read(stripeOwner('0198-program'))).toEqual([secret('whsec_stripe', 4)]);
    expect(await secrets.read(webhookOwner('0198-program', 'other'))).toEqual([]);
  });

  test('secrets are removed by value, and unknown ones are ignored', async () => {
    await file.secrets.add(OWNER, secret('whsec_a', 1));
    await file.secrets.add(OWNER, secret('whsec_b', 2));
    await file.secrets.remove(OWNER, [secret('whsec_a', 1), secret('whsec_c', 2)]);
    await file.secrets.remove(webhookOwner('0198-program', 'other'), [secret('whsec_b', 2)]);
    expect(await file.secrets.read(OWNER)).toEqual([secret('whsec_b', 2)]);
  });

  test('a removed secret leaves the files, even while another process has them open', async () => {
    await file.secrets.add(OWNER, secret('whsec_removed', 1));
    await file.secrets.add(OWNER, secret('whsec_stays', 2));
    expect(await filesWith('whsec_removed')).not.toEqual([]);
    using other = new ServiceFile(dataDir);
    await other.secrets.remove(OWNER, [secret('whsec_removed', 1)]);
    expect(await filesWith('whsec_removed')).toEqual([]);
    expect(await filesWith('whsec_stays')).not.toEqual([]);
  });

  test('any number of rotations, also simultaneous ones, leaves two secrets', async () => {
    const { secrets } = file;
    for (let time = 1; time <= 4; time += 1) await rotateSecret(secrets, OWNER, secret(`whsec_${time}`, time));
    expect(await secrets.read(OWNER)).toEqual([secret('whsec_4', 4), secret('whsec_3', 3)]);
    await Promise.all([5, 6].map((time) => rotateSecret(secrets, OWNER, secret(`whsec_${time}`, time))));
    expect(await secrets.read(OWNER)).toEqual([secret('whsec_6', 6), secret('whsec_5', 5)]);
  });

  test('secrets are the newest even if the clock is behind the clock of the previous rotations', async () => {
    const { secrets } = file;
    for (const time of [100, 200]) await rotateSecret(secrets, OWNER, secret(`whsec_${time}`, time));
    expect(await rotateSecret(secrets, OWNER, secret('whsec_behind', 1))).toBe(2);
    expect(await secrets.read(OWNER)).toEqual([secret('whsec_behind', 201), secret('whsec_200', 200)]);
  });
});

const modeOf = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8);

describe('DATA_DIR', () => {
  test.each([0o755, 0o707])('DATA_DIR is closed to other users if it has the mode %o', async (mode) => {
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
});
