import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { portOf, startEngine } from '../../../bin/local/engine.ts';
import { readService } from '../../../bin/service/service-file.ts';
import { end, failToStart, killRemaining, NODE, start } from '../../support/start.ts';

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

/** Starts an engine that runs until the end of the test. Returns its endpoint. */
async function anEngine(): Promise<string> {
  const { endpoint, stop } = await startEngine();
  stops.push(stop);
  return endpoint;
}

const inUse = (dataDir: string) =>
  `Another npm start is using ${dataDir}. Stop it, or set DATA_DIR to another folder.\n`;

describe('several npm starts on one DATA_DIR', () => {
  test('a second npm start is refused, even with another DynamoDB', async () => {
    const started = await start(environment);
    const refused = { status: 1, stderr: inUse(environment.DATA_DIR) };
    expect(await failToStart(environment)).toEqual(refused);
    expect(await failToStart({ ...environment, DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' })).toEqual(refused);
    const endpoint = readService(environment.DATA_DIR)?.endpoint ?? '';
    expect(await failToStart({ ...environment, DYNAMODB_ENDPOINT: endpoint })).toEqual(refused);
    expect((await fetch(`${started.url}/docs`)).status).toBe(200);
    await end(started, 'SIGTERM');
  });

  test('a killed npm start does not keep DATA_DIR, even if its DynamoDB still runs and nobody reaps it', async () => {
    const endpoint = await anEngine();
    const again = { ...environment, DATA_DIR: join(folder, 'killed'), DYNAMODB_ENDPOINT: endpoint };
    await end(await start(again), 'SIGKILL');
    // `tail` replaces the shell and never reaps the shell's child, which becomes a zombie.
    const { printed } = await start(again, ['sh', '-c', '"$0" "$@" & echo $!; exec tail -f /dev/null', ...NODE]);
    process.kill(Number.parseInt(printed, 10), 'SIGKILL');
    expect(await end(await start(again), 'SIGTERM')).toBe(0);
  });

  test('one of two simultaneous npm starts runs, and the other is refused', async () => {
    const both = { ...environment, DATA_DIR: join(folder, 'both') };
    const outcomes = await Promise.allSettled([start(both), start(both)]);
    const running = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(running).toHaveLength(1);
    for (const started of running) await end(started, 'SIGTERM');
  });
});

describe('the errors of npm start', () => {
  let server: Server;
  let port: string;
  beforeAll(async () => {
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    port = typeof address === 'object' ? String(address?.port) : '';
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

  test('npm start explains that a DynamoDB accepts the connection and never responds', async () => {
    // The server above never sends anything. The start waits 10 seconds for a response; here, 100 milliseconds.
    const preload =
      'data:text/javascript,const{timeout}=AbortSignal;AbortSignal.timeout=()=>timeout.call(AbortSignal,100)';
    const endpoint = `http://127.0.0.1:${port}`;
    const stderr = `No DynamoDB responds at ${endpoint}. Start it, or correct DYNAMODB_ENDPOINT.\n`;
    const settings = { ...environment, DYNAMODB_ENDPOINT: endpoint, NODE_OPTIONS: `--import=${preload}` };
    expect(await failToStart(settings)).toEqual({ status: 1, stderr });
  });

  test('npm start explains that a server is not a DynamoDB', async () => {
    const other = await start({ ...environment, DATA_DIR: join(folder, 'other') });
    const endpoint = other.url;
    const stderr = `No DynamoDB responds at ${endpoint}. Start it, or correct DYNAMODB_ENDPOINT.\n`;
    expect(await failToStart({ ...environment, DYNAMODB_ENDPOINT: endpoint })).toEqual({ status: 1, stderr });
    await end(other, 'SIGTERM');
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

  test('npm start explains that DATA_DIR is a file', async () => {
    const DATA_DIR = join(folder, 'a-file');
    await writeFile(DATA_DIR, '');
    const stderr = `DATA_DIR ${DATA_DIR} is not a writable folder. Set DATA_DIR to another one.\n`;
    expect(await failToStart({ ...environment, DATA_DIR })).toEqual({ status: 1, stderr });
  });

  test('npm start explains that the engine is missing', async () => {
    const preload = "data:text/javascript,Object.defineProperty(process,'arch',{value:'unknown'})";
    const { status, stderr } = await failToStart({ ...environment, PATH: folder, NODE_OPTIONS: `--import=${preload}` });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^No DynamoDB engine is installed for \w+-unknown\. .*\n( {2}\S.*\n)+$/);
  });

  test('npm start explains that the file of the engine is damaged', async () => {
    const DATA_DIR = await mkdtemp(join(folder, 'damaged-'));
    await writeFile(join(DATA_DIR, 'dynamodb.sqlite'), 'no database'.repeat(1000));
    const { status, stderr } = await failToStart({ ...environment, DATA_DIR });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^The embedded DynamoDB engine does not start on .*\. Move the file away if it is damaged, or set DATA_DIR/,
    );
  });

  test.each([
    [{ PORT: 'http' }, 'PORT must be a number from 0 to 65535.\n'],
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
