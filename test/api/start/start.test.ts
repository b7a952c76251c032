import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../../functions/routes.ts';
import { callersOf } from '../../../functions/table/callers.ts';
import { listTokens, revokeToken } from '../../../functions/table/operator/tokens.ts';
import { now } from '../../support/program.ts';
import { end, killRemaining, type Started, start, waitUntilClosed } from '../../support/start.ts';
import { openPatiently } from '../../support/table.ts';

let folder: string;
let environment: { DATA_DIR: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-'));
  environment = { DATA_DIR: join(folder, 'data') };
});
afterEach(killRemaining);
afterAll(() => rm(folder, { recursive: true }));

const engineOf = async () => JSON.parse(await readFile(join(environment.DATA_DIR, 'service.json'), 'utf8')).endpoint;

/** Sends the request of a printed curl command, with each of its arguments. */
async function runCurl(line: string) {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const valuesOf = (option: string) => words.flatMap((word, index) => (words[index - 1] === option ? [word] : []));
  const [userAgent] = valuesOf('-A');
  const response = await fetch(words.find((word) => word.startsWith('http://')) ?? '', {
    method: valuesOf('-X')[0] ?? 'GET',
    headers: [
      ...valuesOf('-H').map((header): [string, string] => [header.split(': ')[0] ?? '', header.split(': ')[1] ?? '']),
      // The service classifies curl's own user agent as a bot.
      ['user-agent', userAgent ?? 'curl/8.5.0'],
    ],
    body: valuesOf('-d')[0] ?? null,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json';
  return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : undefined };
}

const curlLines = ({ printed }: Started) => printed.split('\n').filter((line) => line.startsWith("curl -i -w '\\n' "));
const curlLine = (started: Started, path: string) =>
  curlLines(started).find((line) => line.includes(`${started.url}${path}`)) ?? '';
const tokensOf = ({ printed }: Started) => printed.match(/rt[pa]_\w{36}/g);

describe('npm start', () => {
  test('prints a curl command for each operation but that of Stripe, V1 last, and they work in this order', async () => {
    const started = await start(environment);
    const lines = curlLines(started);
    const unsigned = Object.values(ROUTES).filter(({ access }) => access !== 'stripe');
    expect(lines).toHaveLength(unsigned.length);
    const routesOf = (line: string) =>
      Object.values(ROUTES).filter(({ method, path }) => {
        const pattern = new RegExp(`${started.url}${path.replace('{slug}', '[\\w-]+')}[?' ]`);
        return pattern.test(`${line} `) && (/-X (\w+)/.exec(line)?.[1] ?? 'GET') === method;
      });
    expect(lines.map((line) => routesOf(line).length)).toEqual(lines.map(() => 1));
    expect(new Set(lines.flatMap(routesOf)).size).toBe(lines.length);
    expect(lines.at(-1)).toContain('/v1/tracking/conversion');
    const [click = '', conversion = '', state = ''] = lines;
    const clicked = await runCurl(click);
    expect([clicked.status, clicked.headers.get('x-click')]).toEqual([204, 'recorded']);
    expect((await runCurl(click)).headers.get('x-click')).toBe('known');
    const converted = await runCurl(conversion);
    const paid = await runCurl(state);
    expect(click).toContain(converted.json.data.id);
    expect([converted, paid].map(({ json }) => [json.data.id, json.data.attributes.state])).toEqual([
      [converted.json.data.id, 'converted'],
      [converted.json.data.id, 'paid'],
    ]);
    await end(started, 'SIGTERM');
  });

  test('prints commands that work, and keeps all data over a restart', async () => {
    const first = await start(environment);
    const conversion = curlLine(first, '/v1/tracking/conversion');
    const { status, json } = await runCurl(conversion);
    expect(status).toBe(201);
    expect(await runCurl(curlLine(first, '/v1/advocates'))).toMatchObject({
      status: 200,
      json: { meta: { pagination: { has_more: true } } },
    });
    expect((await runCurl(curlLine(first, '/v1/affiliate/referrals'))).json.data[0].id).toBe(json.data.id);
    expect((await fetch(`${first.url}/docs`)).status).toBe(200);
    expect(await end(first, 'SIGTERM')).toBe(0);

    const second = await start(environment);
    expect(tokensOf(second)).toEqual(tokensOf(first));
    expect((await runCurl(conversion.replace(first.url, second.url))).status).toBe(409);
    expect((await runCurl(curlLine(second, '/v1/affiliate/referrals'))).json.data[0].id).toBe(json.data.id);
    expect((await runCurl(curlLine(second, '/v1/tracking/conversion'))).status).toBe(201);
    expect(await end(second, 'SIGINT')).toBe(0);
  });

  test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'])(
    'stops its engine when %s ends it',
    async (signal) => {
      const started = await start(environment);
      const endpoint = await engineOf();
      expect(await end(started, signal)).toBe(signal === 'SIGKILL' ? null : 0);
      await waitUntilClosed(endpoint);
    },
  );

  test('completes a demo that was stored only in part', async () => {
    const started = await start(environment);
    await end(started, 'SIGKILL');
    await waitUntilClosed(await engineOf());
    const file = join(environment.DATA_DIR, 'demo-tokens');
    await writeFile(file, (await readFile(file, 'utf8')).replace('complete', 'storing since 1790000000'));
    const again = await start(environment);
    expect(tokensOf(again)).toEqual(tokensOf(started));
    expect((await runCurl(curlLine(again, '/v2/tracking/conversion'))).status).toBe(201);
    await end(again, 'SIGTERM');
  });

  test('creates no demo with DEMO=off', async () => {
    const started = await start({ DATA_DIR: join(folder, 'no-demo'), DEMO: 'off' });
    expect(tokensOf(started)).toBeNull();
    expect(started.printed).toContain('No demo programs: DEMO is off');
    await end(started, 'SIGTERM');
  });

  test('creates new tokens for the demo if the old ones are lost', async () => {
    const started = await start(environment);
    await end(started, 'SIGTERM');
    await rm(join(environment.DATA_DIR, 'demo-tokens'));
    const again = await start(environment);
    expect(tokensOf(again)).not.toEqual(tokensOf(started));
    expect((await runCurl(curlLine(again, '/v2/tracking/conversion'))).status).toBe(201);
    await end(again, 'SIGTERM');
  });

  test('creates new tokens for the demo if an old one was revoked', async () => {
    const started = await start(environment);
    const [programToken = ''] = tokensOf(started) ?? [];
    const table = openPatiently('referral-tracking', await engineOf());
    const caller = await callersOf(table.clock).byToken(table, programToken);
    const [{ id = '' } = {}] = await listTokens(table, caller?.program.id ?? '');
    await revokeToken(table, caller?.program.id ?? '', id, now());
    await end(started, 'SIGTERM');
    const again = await start(environment);
    for (const line of curlLines(again)) expect([200, 201, 204]).toContain((await runCurl(line)).status);
    await end(again, 'SIGTERM');
  });

  test('stops with npm', async () => {
    const started = await start(environment, ['npm', 'start', '--silent']);
    const endpoint = await engineOf();
    await end(started, 'SIGTERM');
    await waitUntilClosed(endpoint);
    await waitUntilClosed(started.url);
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
