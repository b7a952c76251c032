import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { portOf } from '../../../bin/local/engine.ts';
import { readService } from '../../../bin/service/service-file.ts';
import { statisticsDifferences } from '../../../functions/statistics/operator/statistics.ts';
import { runAdmin } from '../../support/admin.ts';
import { codeBlocks } from '../../support/documents/documents.ts';
import { aClick, anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { useRelays } from '../../support/relay.ts';
import { end, killRemaining, type Started, start } from '../../support/start.ts';
import { allItems, openTable, type TestTable } from '../../support/table.ts';
import { until } from '../../support/until.ts';

let folder: string;
let environment: { DATA_DIR: string; DEMO: string };
let service: Started;
let table: TestTable;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  // Every test reads the whole table twice: a program of its own takes the place of the demo.
  environment = { DATA_DIR: join(folder, 'data'), DEMO: 'off' };
  service = await start(environment);
  const record = readService(environment.DATA_DIR);
  table = openTable(record?.tableName ?? '', record?.endpoint);
  const program = await aProgram(table);
  const advocate = await anAdvocate(table, program);
  await aClick(table, program, advocate);
  await aReferral(table, program, advocate);
  await until(async () => (await statisticsDifferences(table, program)).length === 0);
});
afterAll(async () => {
  await end(service, 'SIGTERM');
  await killRemaining();
  await rm(folder, { recursive: true });
});

const doctor = (...args: string[]) => runAdmin(['doctor', ...args], environment);

const through = useRelays(() => service.url);

/** Runs doctor, and calls `act` with its process when it sends the conversion. */
async function during(act: (child: ChildProcess) => unknown, ...args: string[]) {
  let child: ChildProcess | undefined;
  const baseUrl = await through(async (path) => {
    if (path === '/v2/tracking/conversion' && child) await act(child);
  });
  return runAdmin(['doctor', '--base-url', baseUrl, ...args], environment, {
    watch: (started) => {
      child = started;
    },
  });
}

const STEPS = [
  ...[
    'script',
    'unknown token',
    'leftovers',
    'commission rates',
    'promotion codes',
    'temporary program',
    'list of advocates',
    'click',
  ],
  ...['list of clicks', 'conversion', 'repeated conversion', 'V1 conversion', 'payment', 'loss', 'rejection'],
  ...['refused state', 'restoration', 'list of referrals', 'clean-up'],
];

describe('doctor', () => {
  test('doctor finds the running service, passes every step and restores the table', async () => {
    const before = await allItems(table);
    const { status, stdout, stderr } = await doctor();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.pop()).toBe(`All ${STEPS.length} steps passed: the service at ${service.url} works.`);
    expect(lines.map((line) => /^✓ (.{20}) \S.* \(\d+ ms\)$/.exec(line)?.[1]?.trimEnd())).toEqual(STEPS);
    expect(await allItems(table)).toEqual(before);
  });

  test('doctor ends with the explanation of a customer', async () => {
    const { id } = await aProgram(table);
    const { status, stdout } = await doctor('--program', id, '--uid', 'nobody');
    expect([status, stdout]).toEqual([0, expect.stringMatching(/clean-up.*not_seen.*steps passed/s)]);
  });

  test('doctor prints one JSON document with --json, for a service behind a path prefix', async () => {
    const before = await allItems(table);
    const baseUrl = await through(async () => undefined);
    const { status, stdout, stderr } = await doctor('--json', '--base-url', `${baseUrl}/`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const what = expect.any(String);
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      base_url: baseUrl,
      steps: STEPS.map((step) => ({ step, outcome: 'passed', what, milliseconds: expect.any(Number) })),
    });
    expect(stdout).not.toMatch(/rt[pa]_|@|Bearer|pk_/);
    expect(await allItems(table)).toEqual(before);
  });

  test('doctor also checks a page with --page, before it cleans up', async () => {
    const { publicKey } = await aProgram(table);
    const before = await allItems(table);
    const [snippet = ''] = codeBlocks('docs/script.md', 'html');
    const page = snippet.replace('$BASE_URL', service.url).replace('$PUBLIC_KEY', publicKey);
    const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
    await once(site.listen(0, '127.0.0.1'), 'listening');
    const { status, stdout, stderr } = await doctor('--page', `http://127.0.0.1:${portOf(site)}/?secret#secret`);
    site.close();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const names = ['page', 'script tag', 'script file', 'public key', 'link parameter', 'queue line'];
    const all = [...STEPS.slice(0, -1), ...names, 'security policy', 'allowed origin', 'cookie renewal', 'clean-up'];
    expect([...stdout.matchAll(/^[✓!] (.{20}) /gm)].map(([, name]) => name?.trimEnd())).toEqual(all);
    // The only advice: it is no failure.
    expect(stdout.match(/^! .*\n {4}.*/gm)).toEqual([
      expect.stringMatching(/^! cookie renewal .*\n {4}Set the cookie/),
    ]);
    expect(stdout).toContain(`All ${all.length} steps passed`);
    expect(stdout).not.toMatch(/secret|pk_/);
    expect(await allItems(table)).toEqual(before);
  });
});

test.each<NodeJS.Signals>(['SIGINT', 'SIGTERM'])('doctor cleans up after %s', async (signal) => {
  const before = await allItems(table);
  const { status, stdout, stderr } = await during((child) => {
    child.kill(signal);
    child.kill(signal);
  });
  expect(status).toBe(1);
  expect(stdout).toContain('✓ conversion  ');
  expect(stdout).toMatch(/^– list of referrals +skipped: doctor was interrupted\.$/m);
  expect(stdout).toMatch(/^✓ clean-up +everything that was stored is removed/m);
  expect(stderr).toMatch(/^doctor was interrupted\. 0 of 19 steps failed and \d+ were skipped at \S+\.\n$/);
  expect(await allItems(table)).toEqual(before);
});

test('the program of another run is removed if that run was killed', async () => {
  const before = await allItems(table);
  await during((child) => child.kill('SIGKILL'));
  expect((await allItems(table)).length).toBeGreaterThan(before.length);
  const { status, stdout } = await doctor();
  expect(status).toBe(0);
  expect(stdout).toMatch(/^✓ leftovers +removed programs of earlier runs: 1/m);
  expect(await allItems(table)).toEqual(before);
});
