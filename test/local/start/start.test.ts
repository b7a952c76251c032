import { exec } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { readService } from '../../../bin/service/service-file.ts';
import { callersOf } from '../../../functions/table/callers.ts';
import { listTokens, revokeToken } from '../../../functions/table/operator/tokens.ts';
import { end, killRemaining, NODE_COMPILE_CACHE, type Started, start, waitUntilClosed } from '../../support/start.ts';
import { openTable } from '../../support/table.ts';

const ROOT = join(import.meta.dirname, '../../..');

let folder: string;
let environment: { DATA_DIR: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
  environment = { DATA_DIR: join(folder, 'data') };
});
afterEach(killRemaining);
afterAll(() => rm(folder, { recursive: true }));

const engineOf = () => readService(environment.DATA_DIR)?.endpoint ?? '';

/** Sends the request of a curl command of the overview, with each of its arguments. */
async function runCurl(line: string) {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const valuesOf = (option: string) => words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));
  const response = await fetch(words.find((word) => word.startsWith('http://')) ?? '', {
    method: valuesOf('-d').length > 0 ? 'POST' : 'GET',
    headers: valuesOf('-H').map((header): [string, string] => [
      header.split(': ')[0] ?? '',
      header.split(': ')[1] ?? '',
    ]),
    body: valuesOf('-d')[0] ?? null,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  return { status: response.status, json: isJson ? JSON.parse(text) : undefined };
}

/** The texts that the overview offers to copy. */
async function copyable({ url }: Started): Promise<string[]> {
  const page = await (await fetch(url, { headers: { accept: 'text/html' } })).text();
  const texts = [...page.matchAll(/<pre><code>([^<]*)/g)].map(([, text = '']) => text);
  return texts.map((text) => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))));
}
const curlLines = async (started: Started) => (await copyable(started)).filter((text) => text.startsWith('curl '));
const curlLine = async (started: Started, path: string) =>
  (await curlLines(started)).find((line) => line.includes(`${started.url}${path}`)) ?? '';
const tokensOf = ({ printed }: Started) => printed.match(/rt[pa]_\w{36}/g);

describe('npm start', () => {
  test('npm start prints links and tokens only, and the line "Ready" last', async () => {
    const started = await start(environment);
    const lines = started.printed.trimEnd().split('\n');
    expect(lines.at(-1)).toBe(`Ready on ${started.url}`);
    const shown = lines.slice(0, -1).filter((line) => line !== '');
    expect(shown.map((line) => line.split(':')[0])).toEqual([
      'Overview',
      'Demo site',
      "Advocate's page",
      'Dashboard',
      'API reference',
      'Log of requests',
      'Program token',
      'Affiliate token',
    ]);
    await end(started, 'SIGTERM');
  });

  test('the overview has curl commands that work in their order, each time with a new visitor', async () => {
    const started = await start(environment);
    for (const _ of [1, 2]) {
      const responses = [];
      for (const line of await curlLines(started)) responses.push(await runCurl(line));
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 200]);
      const [converted, payment, list] = responses.map(({ json }) => json.data);
      expect(payment.attributes).toMatchObject({ referral_id: converted.id, currency: 'eur', commission: 720 });
      expect([list[0].id, list[0].attributes.state]).toEqual([converted.id, 'paid']);
    }
    await end(started, 'SIGTERM');
  });

  test('the overview has commands for the terminal that work', async () => {
    const started = await start(environment);
    const lines = (await copyable(started)).filter((text) => text.includes('./referrals '));
    expect(lines).toHaveLength(4);
    const run = promisify(exec);
    const { PATH = '' } = process.env;
    const env = { PATH: [dirname(process.execPath), PATH].join(delimiter), NODE_COMPILE_CACHE };
    for (const line of lines) expect((await run(line, { env, cwd: ROOT })).stdout).not.toBe('');
    await end(started, 'SIGTERM');
  });

  test('the printed links of both pages have tokens of their own, and the dashboard’s works more than once', async () => {
    const started = await start(environment);
    const [portal, dashboard] = ['portal', 'dashboard'].map(
      (page) => new RegExp(`${started.url}/${page}#token=(\\w+)`).exec(started.printed)?.[1] ?? '',
    );
    const read = async (path: string, token = '') => {
      const response = await fetch(`${started.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      return (await response.json()) as {
        data: { attributes: { slug?: string } };
        meta: { token: { scopes: string[] } };
      };
    };
    expect((await read('/v2/affiliate', portal)).data.attributes.slug).toBe('amara-okafor');
    // The dashboard exchanges a token with the scope `admin`, and revokes it.
    expect((await read('/v2/program', dashboard)).meta.token.scopes).toEqual(['read', 'track', 'advocates', 'payouts']);
    await end(started, 'SIGTERM');
  });

  test('npm start keeps all data over a restart', async () => {
    const first = await start(environment);
    const conversion = await curlLine(first, '/v2/tracking/conversion');
    const { status, json } = await runCurl(conversion);
    expect(status).toBe(201);
    expect((await fetch(`${first.url}/docs`)).status).toBe(200);
    expect(await end(first, 'SIGTERM')).toBe(0);

    const second = await start(environment);
    expect(tokensOf(second)).toEqual(tokensOf(first));
    expect((await runCurl(conversion.replace(first.url, second.url))).status).toBe(409);
    const list = await curlLine(second, '/v1/affiliate/referrals');
    expect((await runCurl(list)).json.data[0].id).toBe(json.data.id);
    expect((await runCurl(await curlLine(second, '/v2/tracking/conversion'))).status).toBe(201);
    expect(await end(second, 'SIGINT')).toBe(0);
  });

  test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'])(
    'npm start stops its engine when %s ends it',
    async (signal) => {
      const started = await start(environment);
      const endpoint = engineOf();
      expect(await end(started, signal)).toBe(signal === 'SIGKILL' ? null : 0);
      await waitUntilClosed(endpoint);
    },
  );

  test('npm start completes a demo that was stored only in part', async () => {
    const started = await start(environment);
    await end(started, 'SIGKILL');
    await waitUntilClosed(engineOf());
    const file = join(environment.DATA_DIR, 'demo-tokens');
    await writeFile(file, (await readFile(file, 'utf8')).replace('complete', 'storing since 1790000000'));
    const again = await start(environment);
    expect(tokensOf(again)).toEqual(tokensOf(started));
    expect((await runCurl(await curlLine(again, '/v2/tracking/conversion'))).status).toBe(201);
    await end(again, 'SIGTERM');
  });

  test('npm start creates no demo with DEMO=off', async () => {
    const started = await start({ DATA_DIR: join(folder, 'no-demo'), DEMO: 'off' });
    expect(tokensOf(started)).toBeNull();
    expect(started.printed).toContain('No demo programs: DEMO is off');
    await end(started, 'SIGTERM');
  });

  test('npm start creates new tokens for the demo if the old ones are lost', async () => {
    const started = await start(environment);
    await end(started, 'SIGTERM');
    await rm(join(environment.DATA_DIR, 'demo-tokens'));
    const again = await start(environment);
    expect(tokensOf(again)).not.toEqual(tokensOf(started));
    expect((await runCurl(await curlLine(again, '/v2/tracking/conversion'))).status).toBe(201);
    await end(again, 'SIGTERM');
  });

  test('npm start creates new tokens for the demo if an old one was revoked', async () => {
    const started = await start(environment);
    const [programToken = ''] = tokensOf(started) ?? [];
    const table = openTable('referral-tracking', engineOf());
    const caller = await callersOf(table.clock).byToken(table, programToken);
    const [{ id = '' } = {}] = await listTokens(table, caller?.program.id ?? '');
    await revokeToken(table, caller?.program.id ?? '', id);
    await end(started, 'SIGTERM');
    const again = await start(environment);
    for (const line of await curlLines(again)) expect([200, 201, 204]).toContain((await runCurl(line)).status);
    await end(again, 'SIGTERM');
  });

  test('npm start stops with npm', async () => {
    const started = await start(environment, ['npm', 'start', '--silent']);
    const endpoint = engineOf();
    await end(started, 'SIGTERM');
    await waitUntilClosed(endpoint);
    await waitUntilClosed(started.url);
  });

  test('npm start can be reached from this machine only', async () => {
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
