import { exec } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readService } from '../../../bin/service/service-file.ts';
import { SCOPES } from '../../../functions/kernel/accounts/rules/token.ts';
import { end, killRemaining, NODE_COMPILE_CACHE, type Started, start, waitUntilClosed } from '../../support/start.ts';

const ROOT = join(import.meta.dirname, '../../..');

let folder: string;
let environment: { DATA_DIR: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
  environment = { DATA_DIR: join(folder, 'data') };
});
afterAll(async () => {
  await killRemaining();
  await rm(folder, { recursive: true });
});

const engineOf = () => readService(environment.DATA_DIR)?.endpoint ?? '';

/** Sends the request of a curl command of the overview, with each of its arguments. */
async function runCurl(line: string) {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const valuesOf = (option: string) => words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));
  const response = await fetch(words.find((word) => word.startsWith('http://')) ?? '', {
    method: valuesOf('-d').length > 0 ? 'POST' : 'GET',
    headers: valuesOf('-H').map((header) => header.split(': ') as [string, string]),
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

describe('a running npm start', () => {
  let started: Started;
  beforeAll(async () => {
    started = await start({ DATA_DIR: join(folder, 'running') });
  });
  afterAll(() => end(started, 'SIGTERM'));

  test('the overview has curl commands that work in their order, each time with a new visitor', async () => {
    for (const _ of [1, 2]) {
      const responses = [];
      for (const line of await curlLines(started)) responses.push(await runCurl(line));
      expect(responses.map(({ status }) => status)).toEqual([201, 201, 200]);
      const [converted, payment, list] = responses.map(({ json }) => json.data);
      expect(payment.attributes).toMatchObject({ referral_id: converted.id, currency: 'eur', commission: 720 });
      expect([list[0].id, list[0].attributes.state]).toEqual([converted.id, 'paid']);
    }
  });

  test('the overview has commands for the terminal that work', async () => {
    const lines = (await copyable(started)).filter((text) => text.includes('./referrals '));
    expect(lines).toHaveLength(4);
    const run = promisify(exec);
    const { PATH = '' } = process.env;
    const env = { PATH: [dirname(process.execPath), PATH].join(delimiter), NODE_COMPILE_CACHE };
    for (const line of lines) expect((await run(line, { env, cwd: ROOT })).stdout).not.toBe('');
  });

  test('the printed links of both pages open them with tokens of their own, the dashboard with all scopes', async () => {
    const links = ["Advocate's page", 'Dashboard'].map(
      (name) => new RegExp(`^${name}: +(\\S+)$`, 'm').exec(started.printed)?.[1] ?? '',
    );
    const redirected = await fetch(links[1] ?? '', { redirect: 'manual' });
    const [portal, dashboard] = [links[0], redirected.headers.get('location')].map(
      (address) => /#token=(\w+)$/.exec(address ?? '')?.[1] ?? '',
    );
    const read = async (path: string, token = '') => {
      const response = await fetch(`${started.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
      return JSON.parse(await response.text());
    };
    expect((await read('/v2/affiliate', portal)).data.attributes.slug).toBe('amara-okafor');
    expect((await read('/v2/program', dashboard)).meta.token).toMatchObject({ name: 'dashboard', scopes: SCOPES });
  });

  test('npm start can be reached from this machine only', async () => {
    const { port } = new URL(started.url);
    const addresses = Object.values(networkInterfaces()).flatMap((list = []) => list);
    const outside = addresses.filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of outside) {
      await expect(fetch(`http://${address}:${port}/docs`)).rejects.toThrow('fetch failed');
    }
    expect((await fetch(`http://127.0.0.1:${port}/docs`)).status).toBe(200);
  });
});

describe('npm start', () => {
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

  test.each<NodeJS.Signals>(['SIGINT', 'SIGHUP', 'SIGKILL'])(
    'npm start stops its engine when %s ends it',
    async (signal) => {
      const started = await start(environment);
      const endpoint = engineOf();
      expect(await end(started, signal)).toBe(signal === 'SIGKILL' ? null : 0);
      await waitUntilClosed(endpoint);
    },
  );
});
