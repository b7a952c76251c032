import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { portOf, startEngine } from '../../../bin/local/engine.ts';
import { openDatabase, readService } from '../../../bin/service/service-file.ts';
import { createMissingTable } from '../../../functions/operator/create-table.ts';
import { end, failToStart, killRemaining, start } from '../../support/start.ts';
import { openTable } from '../../support/table.ts';

let folder: string;
let environment: { DATA_DIR: string; DEMO: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
  environment = { DATA_DIR: join(folder, 'data'), DEMO: 'off' };
});
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  await killRemaining();
  for (const stop of stops.splice(0)) await stop();
});
afterAll(() => rm(folder, { recursive: true }));

describe('several npm starts on one DATA_DIR', () => {
  test('a second npm start is refused, even with another DynamoDB', async () => {
    const started = await start(environment);
    const stderr = `Another npm start is using ${environment.DATA_DIR}. Stop it, or set DATA_DIR to another folder.\n`;
    const refused = { status: 1, stderr };
    expect(await failToStart(environment)).toEqual(refused);
    expect(await failToStart({ ...environment, DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' })).toEqual(refused);
    const endpoint = readService(environment.DATA_DIR)?.endpoint ?? '';
    expect(await failToStart({ ...environment, DYNAMODB_ENDPOINT: endpoint })).toEqual(refused);
    expect((await fetch(`${started.url}/docs`)).status).toBe(200);
    await end(started, 'SIGTERM');
  });

  test('one of two simultaneous npm starts runs, and the other is refused', async () => {
    const both = { ...environment, DATA_DIR: join(folder, 'both') };
    const outcomes = await Promise.allSettled([start(both), start(both)]);
    const running = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(running).toHaveLength(1);
    for (const started of running) await end(started, 'SIGTERM');
  });
});

/** Writes a file that is no database. */
async function writeIn(dataDir: string, name: string): Promise<void> {
  await mkdir(dataDir);
  await writeFile(join(dataDir, name), 'no database'.repeat(1000));
}

/** Writes what the version before emails wrote. */
async function writeEarlier(dataDir: string): Promise<void> {
  await mkdir(dataDir);
  using database = openDatabase(join(dataDir, 'service.sqlite'), 0);
  database.exec('PRAGMA user_version = 3');
}

describe('the errors of npm start', () => {
  let server: Server;
  let port: string;
  beforeAll(async () => {
    server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    port = String(portOf(server));
  });
  afterAll(() => {
    server.close();
  });

  test('npm start explains a taken port', async () => {
    const { status, stderr } = await failToStart({ ...environment, PORT: port });
    expect([status, stderr]).toEqual([
      1,
      `Port ${port} cannot be used, most likely because it is taken. Set PORT to another one.\n`,
    ]);
  });

  test('npm start explains that a DynamoDB rejects the request', async () => {
    const rejecting = createHttpServer((_, response) => {
      response.writeHead(400).end('{"__type":"com.amazon.coral.service#AccessDeniedException"}');
    }).listen(0, '127.0.0.1');
    stops.push(async () => void rejecting.close());
    await once(rejecting, 'listening');
    const endpoint = `http://127.0.0.1:${portOf(rejecting)}`;
    const stderr = `DynamoDB at ${endpoint} rejects the request (AccessDeniedException). Check TABLE_NAME and the AWS credentials.\n`;
    expect(await failToStart({ ...environment, DYNAMODB_ENDPOINT: endpoint })).toEqual({ status: 1, stderr });
  });

  test.each<[string, (dataDir: string) => Promise<unknown>, string]>([
    [
      'a DATA_DIR that is a file',
      (path) => writeFile(path, ''),
      'DATA_DIR \\S+ is not a writable folder\\. Set DATA_DIR to',
    ],
    [
      'a damaged file of the engine',
      (path) => writeIn(path, 'dynamodb.sqlite'),
      'The embedded DynamoDB engine does not start on .*\\. Move the file away if it is damaged, or set DATA_DIR',
    ],
    [
      'a damaged service.sqlite',
      (path) => writeIn(path, 'service.sqlite'),
      'The file \\S+/service.sqlite cannot be used \\(.+\\)\\. If it is damaged, move it away and .+\\n$',
    ],
    [
      'a service.sqlite without its log',
      (path) => mkdir(join(path, 'service.sqlite-wal'), { recursive: true }),
      'The file \\S+/service.sqlite cannot be used \\(.+\\)\\. If it is damaged, move it away and .+\\n$',
    ],
    [
      'a folder of an earlier version',
      writeEarlier,
      'An earlier version of the service wrote \\S+, .+ export advocates, referrals and payments; then .+ import them\\.\n$',
    ],
  ])('npm start explains %s', async (name, damage, sentence) => {
    const DATA_DIR = join(folder, name.replaceAll(' ', '-'));
    await damage(DATA_DIR);
    const { status, stderr } = await failToStart({ ...environment, DATA_DIR });
    expect([status, stderr]).toEqual([1, expect.stringMatching(new RegExp(`^${sentence}`))]);
  });

  test.each([
    [{ PORT: '65536' }, 'PORT must be a number from 0 to 65535.\n'],
    [{ DEMO: 'yes' }, 'DEMO must be on or off.\n'],
    [{ LOG: 'all' }, 'LOG must be off or requests.\n'],
    [{ TABLE_NAME: 'a b' }, 'TABLE_NAME must be 3 to 255 letters, digits, underscores, hyphens or dots.\n'],
    [
      { DYNAMODB_ENDPOINT: 'localhost' },
      'DYNAMODB_ENDPOINT must be an http or https address, such as http://localhost:8000.\n',
    ],
    [
      { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' },
      'No DynamoDB responds at http://127.0.0.1:9. Start it, or correct DYNAMODB_ENDPOINT.\n',
    ],
  ])('npm start explains the invalid setting %j', async (settings, sentence) => {
    expect(await failToStart({ ...environment, ...settings })).toEqual({ status: 1, stderr: sentence });
  });
});

test('events are off, with one sentence, if the table is on another machine', async () => {
  const { endpoint: local, stop } = await startEngine();
  stops.push(stop);
  const table = openTable('elsewhere', local);
  await createMissingTable(table);
  table.client.destroy();
  // An address that the service does not recognize as this machine.
  const endpoint = local.replace(/127[.\d]+/, '[::ffff:$&]');
  const DATA_DIR = join(folder, 'elsewhere');
  const started = await start({ DATA_DIR, DEMO: 'off', DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: 'elsewhere' });
  expect(started.printed).toMatch(/^Events and emails are off, because the table is not on this machine\. .*\n\n/);
  expect(await end(started, 'SIGTERM')).toBe(0);
});
