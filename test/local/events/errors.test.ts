import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startEngine } from '../../../bin/local/engine.ts';
import { createMissingTable } from '../../../functions/table/operator/create-table.ts';
import { end, failToStart, killRemaining, start } from '../../support/start.ts';
import { openTable } from '../../support/table.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'events-'));
});
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await killRemaining();
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  ['damaged', (file: string) => writeFile(file, 'no database'.repeat(1000))],
  ['not writable', (file: string) => mkdir(file)],
  ['without its log', (file: string) => mkdir(`${file}-wal`)],
])('a service.sqlite that is %s is explained with one message', async (_, damage) => {
  const DATA_DIR = await mkdtemp(join(folder, 'data-'));
  const file = join(DATA_DIR, 'service.sqlite');
  await damage(file);
  const { status, stderr } = await failToStart({ DATA_DIR, DEMO: 'off' });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    new RegExp(`^The file ${file} cannot be used \\(.+\\)\\. If it is damaged, move it away and .+\\n$`),
  );
});

test('events are off, with one sentence, if the table is on another machine', async () => {
  const engine = await startEngine();
  stops.push(engine.stop);
  const table = openTable('elsewhere', engine.endpoint);
  await createMissingTable(table);
  table.client.destroy();
  // An address that the service does not recognize as this machine.
  const endpoint = engine.endpoint.replace(/127[.\d]+/, '[::ffff:$&]');
  const DATA_DIR = await mkdtemp(join(folder, 'data-'));
  const started = await start({ DATA_DIR, DEMO: 'off', DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: 'elsewhere' });
  expect(started.printed).toMatch(/^Events are off, because the table is not on this machine\. .*\n\n/);
  expect(await end(started, 'SIGTERM')).toBe(0);
});
