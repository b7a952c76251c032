import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readService } from '../../../bin/service/service-file.ts';
import { anEventScene, change, VerifyingReceiver } from '../../support/events/event-service.ts';
import { newId } from '../../support/program.ts';
import { end, killRemaining, start, waitUntilClosed } from '../../support/start.ts';

const receiver = new VerifyingReceiver();
let url: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'erasure-'));
  url = await receiver.listen();
});
afterEach(killRemaining);
afterAll(async () => {
  receiver.close();
  await rm(folder, { recursive: true });
});

/** Returns the files of a folder that contain any of the texts. */
async function filesWith(dataDir: string, texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(files.map(async (file) => ({ file, bytes: await readOrEmpty(file) })));
  return contents.filter(({ bytes }) => texts.some((text) => bytes.includes(text))).map(({ file }) => file);
}

/** The engine deletes some of its files while it ends, which is after its port is closed. */
function readOrEmpty(file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
}

test.each<NodeJS.Signals>(['SIGTERM', 'SIGKILL'])(
  'the start after an erasure leaves neither values nor hashes of the person in DATA_DIR, after %s',
  async (signal) => {
    const DATA_DIR = await mkdtemp(join(folder, 'data-'));
    const environment = { DATA_DIR, DEMO: 'off' };
    const first = await start(environment);
    const { endpoint = '' } = readService(DATA_DIR) ?? {};
    const scene = await anEventScene(DATA_DIR, url);
    const person = { email: `${newId()}@secret.example`, uid: `uid-${newId()}` };
    const secret = newId();
    const values = [...Object.values(person), secret];
    const traces = [...values, ...values.map((value) => createHash('sha256').update(value).digest('hex'))];
    const body = { ...person, affiliate_slug: scene.slug, metadata: { secret } };
    const { id } = await change(first, scene, '/v2/tracking/conversion', body);
    for (const state of ['paid', 'churned', 'paid']) await change(first, scene, '/v2/tracking/state', { id, state });
    const { url: address } = first;
    const headers = { authorization: `Bearer ${scene.token}`, 'content-type': 'application/json' };
    const erased = await fetch(`${address}/v2/tracking/erase`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ id }),
    });
    expect(erased.status).toBe(204);
    await end(first, signal);
    await waitUntilClosed(endpoint);
    // Without this check, the test could search for values that the service does not leave in the files.
    expect(await filesWith(DATA_DIR, traces)).not.toEqual([]);

    const second = await start(environment);
    await receiver.waitFor(`${id}.5`);
    expect(await end(second, 'SIGTERM')).toBe(0);
    for (const trace of traces) expect(await filesWith(DATA_DIR, [trace])).toEqual([]);
  },
);
