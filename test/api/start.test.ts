import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { end, failToStart, type Started, silence, start } from '../support/start.ts';

// Each test starts processes of its own.
jest.setTimeout(60_000);
let folder: string;
let environment: { DATA_DIR: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
  environment = { DATA_DIR: join(folder, 'data') };
});
afterAll(() => rm(folder, { recursive: true }));

const engineOf = async () =>
  JSON.parse(await readFile(join(environment.DATA_DIR, 'service.json'), 'utf8')).endpoint;

/** What a printed line of curl does, argument by argument. */
async function copyAndPaste(line: string) {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const valuesOf = (option: string) =>
    words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));
  const response = await fetch(words.find((word) => word.startsWith('http://')) ?? '', {
    method: valuesOf('-X')[0] ?? 'GET',
    headers: valuesOf('-H').map((header): [string, string] => [
      header.split(': ')[0] ?? '',
      header.split(': ')[1] ?? '',
    ]),
    body: valuesOf('-d')[0] ?? null,
  });
  return { status: response.status, json: JSON.parse(await response.text()) };
}

const curlLines = ({ printed }: Started) => printed.split('\n').filter((line) => line.startsWith('curl '));
const tokensOf = ({ printed }: Started) => printed.match(/rt[pa]_\w{36}/g);

describe('npm start', () => {
  test('prints lines that work, and keeps everything over a restart', async () => {
    const first = await start(environment);
    const [conversion = '', advocates = '', referrals = ''] = curlLines(first);
    const { status, json } = await copyAndPaste(conversion);
    expect(status).toBe(201);
    expect(await copyAndPaste(advocates)).toMatchObject({
      status: 200,
      json: { meta: { pagination: { has_more: true } } },
    });
    expect((await copyAndPaste(referrals)).json.data[0].id).toBe(json.data.id);
    expect((await fetch(`${first.url}/docs`)).status).toBe(200);
    expect(await end(first, 'SIGTERM')).toBe(0);

    const second = await start(environment);
    expect(tokensOf(second)).toEqual(tokensOf(first));
    expect((await copyAndPaste(conversion.replace(first.url, second.url))).status).toBe(409);
    expect((await copyAndPaste(curlLines(second)[2] ?? '')).json.data[0].id).toBe(json.data.id);
    expect((await copyAndPaste(curlLines(second)[0] ?? '')).status).toBe(201);
    expect(await end(second, 'SIGINT')).toBe(0);
  });

  test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'])(
    'leaves no engine behind when it ends by %s',
    async (signal) => {
      const started = await start(environment);
      const endpoint = await engineOf();
      expect(await end(started, signal)).toBe(signal === 'SIGKILL' ? null : 0);
      await silence(endpoint);
    },
  );

  test('makes good a demo whose storing was cut off', async () => {
    const started = await start(environment);
    await end(started, 'SIGKILL');
    await silence(await engineOf());
    const file = join(environment.DATA_DIR, 'demo-tokens');
    await writeFile(file, (await readFile(file, 'utf8')).replace('complete', 'being stored'));
    const again = await start(environment);
    expect(tokensOf(again)).toEqual(tokensOf(started));
    expect((await copyAndPaste(curlLines(again)[0] ?? '')).status).toBe(201);
    await end(again, 'SIGTERM');
  });

  test('makes no demo where it shall not', async () => {
    const started = await start({ DATA_DIR: join(folder, 'no-demo'), DEMO: 'off' });
    expect(tokensOf(started)).toBeNull();
    expect(started.printed).toContain('No demo program.');
    await end(started, 'SIGTERM');
  });

  test('refuses a second start on the same data, and says so', async () => {
    const started = await start(environment);
    const { status, said } = await failToStart(environment);
    expect([status, said]).toEqual([
      1,
      `Another npm start is using ${environment.DATA_DIR}: stop it, or set DATA_DIR to another folder.\n`,
    ]);
    await end(started, 'SIGTERM');
  });
});

describe('npm start says in one sentence what is in its way, and exits with 1', () => {
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

  test('a taken port', async () => {
    const { status, said } = await failToStart({ ...environment, PORT: port });
    expect([status, said]).toEqual([
      1,
      `Port ${port} cannot be used, most likely because it is taken: set PORT to another one.\n`,
    ]);
  });

  test.each([
    [{ PORT: 'http' }, 'PORT must be a number from 0 to 65535.\n'],
    [{ PORT: '65536' }, 'PORT must be a number from 0 to 65535.\n'],
    [{ DEMO: 'yes' }, 'DEMO must be on or off.\n'],
    [{ TABLE_NAME: 'a b' }, 'TABLE_NAME must be 3 to 255 letters, digits, underscores, hyphens or dots.\n'],
    [
      { DYNAMODB_ENDPOINT: 'localhost' },
      'DYNAMODB_ENDPOINT must be an http or https address such as http://localhost:8000.\n',
    ],
    [
      { DYNAMODB_ENDPOINT: 'http://127.0.0.1:9' },
      'No DynamoDB answers at http://127.0.0.1:9: start it, or unset DYNAMODB_ENDPOINT.\n',
    ],
  ])('%j', async (settings, sentence) => {
    expect(await failToStart({ ...environment, ...settings })).toEqual({ status: 1, said: sentence });
  });
});
