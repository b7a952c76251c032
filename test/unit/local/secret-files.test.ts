import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { secretFiles } from '../../../bin/service/secret-files.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import {
  rotateSecret,
  type SecretOwner,
  type SecretStore,
  stripeOwner,
  webhookOwner,
} from '../../../functions/secrets/secrets.ts';

let folder: string;
let dataDir: string;
let store: SecretStore;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'));
});
beforeEach(async () => {
  dataDir = await mkdtemp(join(folder, 'data-'));
  store = secretFiles(dataDir);
});
afterAll(() => rm(folder, { recursive: true }));

const OWNER = webhookOwner('0198-program', '0198-webhook');
const secret = (value: string, time: number) => ({ value, createdAt: milliseconds(time) });
/** Adds a secret in a process that is killed between the file and its final name. */
const KILLED = `
  import { syncBuiltinESMExports } from 'node:module';
  import promises from 'node:fs/promises';
  promises.rename = () => process.kill(process.pid, 'SIGKILL');
  syncBuiltinESMExports();
  const { secretFiles } = await import(${JSON.stringify(new URL('../../../bin/service/secret-files.ts', import.meta.url))});
  const [dataDir, owner] = process.argv.slice(1);
  await secretFiles(dataDir).add(owner, { value: 'whsec_a', createdAt: 1 });
`;
const filesIn = async (path: string) => (await readdir(path, { recursive: true })).toSorted();

describe('the secrets in DATA_DIR', () => {
  test('secrets are read newest first, by owner, also in another process', async () => {
    await store.add(OWNER, secret('whsec_b', 2));
    await store.add(OWNER, secret('whsec_c', 3));
    await store.add(OWNER, secret('whsec_a', 1));
    await store.add(stripeOwner('0198-program'), secret('whsec_stripe', 4));
    const reader = secretFiles(dataDir);
    expect(await reader.read(OWNER)).toEqual([secret('whsec_c', 3), secret('whsec_b', 2), secret('whsec_a', 1)]);
    expect(await reader.read(stripeOwner('0198-program'))).toEqual([secret('whsec_stripe', 4)]);
    expect(await reader.read(webhookOwner('0198-program', 'other'))).toEqual([]);
  });

  test('secrets are each stored once: a repeated secret becomes the newest', async () => {
    await store.add(OWNER, secret('whsec_a', 1));
    await store.add(OWNER, secret('whsec_b', 2));
    await store.add(OWNER, secret('whsec_a', 3));
    expect(await store.read(OWNER)).toEqual([secret('whsec_a', 3), secret('whsec_b', 2)]);
  });

  test('secrets are removed by value, and unknown ones are ignored', async () => {
    await store.add(OWNER, secret('whsec_a', 1));
    await store.add(OWNER, secret('whsec_b', 2));
    await store.remove(OWNER, [secret('whsec_a', 1), secret('whsec_c', 2)]);
    await store.remove(webhookOwner('0198-program', 'other'), [secret('whsec_a', 1)]);
    expect(await store.read(OWNER)).toEqual([secret('whsec_b', 2)]);
  });

  test('any number of rotations, also simultaneous ones, leaves two secrets', async () => {
    for (let time = 1; time <= 4; time += 1) await rotateSecret(store, OWNER, secret(`whsec_${time}`, time));
    expect(await store.read(OWNER)).toEqual([secret('whsec_4', 4), secret('whsec_3', 3)]);
    await Promise.all([5, 6].map((time) => rotateSecret(store, OWNER, secret(`whsec_${time}`, time))));
    expect(await store.read(OWNER)).toEqual([secret('whsec_6', 6), secret('whsec_5', 5)]);
  });

  test('secrets are the newest even if the clock is behind the clock of the previous rotations', async () => {
    for (const time of [100, 200]) await rotateSecret(store, OWNER, secret(`whsec_${time}`, time));
    expect(await rotateSecret(store, OWNER, secret('whsec_behind', 1))).toBe(2);
    expect(await store.read(OWNER)).toEqual([secret('whsec_behind', 201), secret('whsec_200', 200)]);
    await Promise.all(['whsec_a', 'whsec_b'].map((value) => rotateSecret(store, OWNER, secret(value, 2))));
    expect((await store.read(OWNER)).map(({ value }) => value).sort()).toEqual(['whsec_a', 'whsec_b']);
  });

  test('simultaneously added secrets are all stored, also equal ones, and others are removed', async () => {
    const values = Array.from({ length: 20 }, (_, index) => `whsec_${index % 10}`);
    const adding = values.map((value) => store.add(OWNER, secret(value, 1)));
    await Promise.all([...adding, ...values.map(() => store.remove(OWNER, [secret('whsec_other', 1)]))]);
    expect((await store.read(OWNER)).map(({ value }) => value)).toEqual(values.slice(0, 10));
  });

  test('secrets can be read by this user only, and neither names nor left-over files contain them', async () => {
    await store.add(OWNER, secret('whsec_a', 1));
    const paths = await filesIn(dataDir);
    expect(paths).toHaveLength(5);
    expect(paths.join()).not.toContain('whsec');
    const modes = await Promise.all(paths.map(async (path) => (await stat(join(dataDir, path))).mode & 0o777));
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o700, 0o600]);
  });

  test('secrets are complete, or not there: readers never find half a secret', async () => {
    const value = `whsec_${'a'.repeat(100_000)}`;
    let isWriting = true;
    const writing = (async () => {
      for (let time = 1; time <= 50; time += 1) await store.add(OWNER, secret(value, time));
      isWriting = false;
    })();
    while (isWriting) for (const each of await store.read(OWNER)) expect(each.value).toBe(value);
    await writing;
  });

  describe('secrets that a killed process was writing', () => {
    const folderOf = () => join(dataDir, 'secrets', OWNER);
    const leaveDraft = async () => {
      const writer = spawn(process.execPath, ['--input-type=module', '--eval', KILLED, dataDir, OWNER]);
      await once(writer, 'close');
      expect(writer.signalCode).toBe('SIGKILL');
      const [draft = ''] = await readdir(folderOf());
      expect(await readFile(join(folderOf(), draft), 'utf8')).toContain('whsec_a');
    };

    test('unfinished secrets are replaced when they are added again', async () => {
      await leaveDraft();
      expect(await store.read(OWNER)).toEqual([]);
      await store.add(OWNER, secret('whsec_a', 2));
      expect(await readdir(folderOf())).toHaveLength(1);
      expect(await store.read(OWNER)).toEqual([secret('whsec_a', 2)]);
    });

    test('unfinished secrets are removed with the others of their owner', async () => {
      await leaveDraft();
      await store.remove(OWNER, []);
      expect(await readdir(folderOf())).toEqual([]);
    });
  });

  test('secrets of an owner that leads out of the folder do not exist', async () => {
    await writeFile(join(dataDir, 'a'.repeat(64)), '{"value":"whsec_a","created_at":1}');
    for (const program of ['../..', '..', '.', '', 'a/../..', '/', 'a\\b', 'a\0b']) {
      const owner: SecretOwner = `stripe/${program}`;
      expect(await store.read(owner)).toEqual([]);
      await expect(store.add(owner, secret('whsec_a', 1))).rejects.toThrow('cannot have secrets');
      await store.remove(owner, [secret('whsec_a', 1)]);
    }
    expect(await filesIn(dataDir)).toEqual(['a'.repeat(64)]);
  });

  test.each([
    '',
    'whsec_a',
    '{"value":"whsec_a"}',
    '{"value":1,"created_at":1}',
    '{"value":"whsec_a","created_at":"1"}',
    'null',
  ])('damaged secrets are reported by their file, without what it contains: %j', async (content) => {
    await store.add(OWNER, secret('whsec_a', 1));
    const [name = ''] = await readdir(join(dataDir, 'secrets', OWNER));
    const file = join(dataDir, 'secrets', OWNER, name);
    expect(await readFile(file, 'utf8')).toContain('whsec_a');
    await writeFile(file, content);
    await expect(store.read(OWNER)).rejects.toThrow(
      `The secret ${file} cannot be read. Make it readable; or delete it, then run webhook rotate or stripe connect.`,
    );
  });

  test('secrets cannot be read if a file is where their folder should be', async () => {
    await writeFile(join(dataDir, 'secrets'), '');
    await expect(store.read(OWNER)).rejects.toThrow(/^The secret \S+ cannot be read\./);
  });
});
