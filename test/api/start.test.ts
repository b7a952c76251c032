import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../functions/routes.ts';
import { callersOf } from '../../functions/table/callers.ts';
import { listTokens, revokeToken } from '../../functions/table/operator/tokens.ts';
import { now } from '../support/program.ts';
import { end, endLeft, type Started, silence, start } from '../support/start.ts';
import { openPatiently } from '../support/table.ts';

let folder: string;
let environment: { DATA_DIR: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
  environment = { DATA_DIR: join(folder, 'data') };
});
afterEach(endLeft);
afterAll(() => rm(folder, { recursive: true }));

const engineOf = async () => JSON.parse(await readFile(join(environment.DATA_DIR, 'service.json'), 'utf8')).endpoint;

/** What a printed line of curl does, argument by argument. */
async function copyAndPaste(line: string) {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const valuesOf = (option: string) => words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));
  const [userAgent] = valuesOf('-A');
  const response = await fetch(words.find((word) => word.startsWith('http://')) ?? '', {
    method: valuesOf('-X')[0] ?? 'GET',
    headers: [
      ...valuesOf('-H').map((header): [string, string] => [header.split(': ')[0] ?? '', header.split(': ')[1] ?? '']),
      // What curl says of itself is a bot's.
      ['user-agent', userAgent ?? 'curl/8.5.0'],
    ],
    body: valuesOf('-d')[0] ?? null,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : undefined };
}

const curlLines = ({ printed }: Started) => printed.split('\n').filter((line) => line.startsWith('curl '));
const tokensOf = ({ printed }: Started) => printed.match(/rt[pa]_\w{36}/g);

describe('npm start', () => {
  test('prints a line for each operation, and in their order each works', async () => {
    const started = await start(environment);
    const lines = curlLines(started);
    for (const { method, path } of Object.values(ROUTES)) {
      const line = lines.find((each) => each.includes(`${started.url}${path}`));
      expect(line?.includes('-X POST')).toBe(method === 'POST');
    }
    const click = lines.find((line) => line.includes('/v2/tracking/click')) ?? '';
    const clicked = await copyAndPaste(click);
    expect([clicked.status, clicked.headers.get('x-click')]).toEqual([204, 'recorded']);
    expect((await copyAndPaste(click)).headers.get('x-click')).toBe('known');
    const [conversion = '', state = ''] = lines.filter((line) => /v2\/tracking\/(?:conversion|state)/.test(line));
    const converted = await copyAndPaste(conversion);
    const paid = await copyAndPaste(state);
    expect(click).toContain(converted.json.data.id);
    expect([converted, paid].map(({ json }) => [json.data.id, json.data.attributes.state])).toEqual([
      [converted.json.data.id, 'converted'],
      [converted.json.data.id, 'paid'],
    ]);
    await end(started, 'SIGTERM');
  });

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

  test('gives the demo new tokens where the old ones are lost', async () => {
    const started = await start(environment);
    await end(started, 'SIGTERM');
    await rm(join(environment.DATA_DIR, 'demo-tokens'));
    const again = await start(environment);
    expect(tokensOf(again)).not.toEqual(tokensOf(started));
    expect((await copyAndPaste(curlLines(again)[0] ?? '')).status).toBe(201);
    await end(again, 'SIGTERM');
  });

  test('gives the demo new tokens where the old ones work no more', async () => {
    const started = await start(environment);
    const [programToken = ''] = tokensOf(started) ?? [];
    const table = openPatiently('referral-tracking', await engineOf());
    const caller = await callersOf(table.clock).byToken(table, programToken);
    const [{ id = '' } = {}] = await listTokens(table, caller?.program.id ?? '');
    await revokeToken(table, caller?.program.id ?? '', id, now());
    await end(started, 'SIGTERM');
    const again = await start(environment);
    for (const line of curlLines(again)) expect([200, 201, 204]).toContain((await copyAndPaste(line)).status);
    await end(again, 'SIGTERM');
  });

  test('stops where npm is told to', async () => {
    const started = await start(environment, ['npm', 'start', '--silent']);
    const endpoint = await engineOf();
    await end(started, 'SIGTERM');
    await silence(endpoint);
    await silence(started.url);
  });

  test('can be reached from this machine only', async () => {
    const started = await start(environment);
    const { port } = new URL(started.url);
    const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list);
    const outside = addresses.filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of outside) {
      await expect(fetch(`http://${address}:${port}/docs`)).rejects.toThrow('fetch failed');
    }
    expect((await fetch(`http://127.0.0.1:${port}/docs`)).status).toBe(200);
    await end(started, 'SIGTERM');
  });
});
