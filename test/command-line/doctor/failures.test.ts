import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Ended, runAdmin } from '../../support/admin.ts';
import { adminHere } from '../../support/admin-here.ts';
import { aProgram } from '../../support/program.ts';
import { type HookResponse, relayTo, useRelays } from '../../support/relay.ts';
import { end, killRemaining, type Started, start } from '../../support/start.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const another = useTable();
const endpoint = String(process.env['DYNAMODB_ENDPOINT']);
const environment = { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table.name };

let folder: string;
let service: Started;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  service = await start({ ...environment, DATA_DIR: folder, DEMO: 'off' });
  await aProgram(table);
  await aProgram(another);
});
afterAll(async () => {
  await end(service, 'SIGTERM');
  await killRemaining();
  await rm(folder, { recursive: true });
});

const through = useRelays(() => service.url);

type Report = Partial<Record<'step' | 'outcome' | 'what' | 'why' | 'advice', string>>;
type Run = (...args: readonly string[]) => Promise<Ended>;
const here: Run = (...args) => adminHere(table, ...args);

/** Runs doctor, which must fail. Returns the reports of the failed steps and the names of the skipped ones. */
async function failures(baseUrl: string, run = here) {
  const { status, stdout, stderr } = await run('doctor', '--json', '--base-url', baseUrl);
  const { ok, steps }: { ok: boolean; steps: Report[] } = JSON.parse(stdout);
  expect({ status, ok }).toEqual({ status: 1, ok: false });
  expect(stderr).toMatch(
    /^\d+ of 19 steps failed and \d+ were skipped at \S+\. Fix "[^"]+", then run doctor again\.\n$/,
  );
  const failed = steps.filter(({ outcome }) => outcome === 'failed');
  const skipped = steps.filter(({ outcome }) => outcome === 'skipped').map(({ step }) => step);
  return { failed, skipped, cleanUp: steps.at(-1)?.what };
}

const matching = (step: string, why: string | RegExp, advice?: RegExp) =>
  expect.objectContaining({
    step,
    why: expect.stringMatching(why),
    ...(advice && { advice: expect.stringMatching(advice) }),
  });

describe('failed steps of doctor', () => {
  test('doctor explains the failure if the service uses another table', async () => {
    const before = await allItems(another);
    const { failed } = await failures(service.url, (...args) => adminHere(another, ...args));
    const why = 'The response to GET /v1/advocates has the status 401 instead of 200.';
    expect(failed).toEqual([matching('list of advocates', why, /^The service probably .* TABLE_NAME and --base-url/)]);
    expect(await allItems(another)).toEqual(before);
  });

  const crash = { status: 500, headers: { 'x-request-id': '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071' } };
  test.each<[string, HookResponse, string, RegExp]>([
    ['a redirect', { status: 302, headers: { location: '/' } }, 'status 302 instead of 200', /^The address belongs/],
    ['a throttle', { status: 429 }, 'status 429 instead of 200', /^The route is throttled\. .* in a minute/],
    [
      'a crash',
      crash,
      'status 500 instead of 200',
      /^Check the log of the service for the request 019a2b3c-4d5e-7f60-/,
    ],
  ])('doctor explains the failure if %s responds', async (_, response, why, advice) => {
    const before = await allItems(table);
    const { failed, skipped } = await failures(await through(async () => response));
    expect(failed).toEqual([matching('script', `The response to GET /gr.js has (the )?${why}`, advice)]);
    expect(skipped).toHaveLength(17);
    expect(await allItems(table)).toEqual(before);
  });

  test('doctor explains the failure if no server listens', async () => {
    const closed = await relayTo(service.url, async () => undefined);
    await closed.close();
    const { failed, cleanUp } = await failures(closed.url, (...args) => runAdmin(args, environment));
    const why = `The connection to ${closed.url} failed .ECONNREFUSED.\\.`;
    expect([failed, cleanUp]).toEqual([[matching('script', why, /npm start/)], 'nothing was stored']);
  });
});
