import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
const REQUEST_ID = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071';

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

interface Report {
  readonly step: string;
  readonly outcome: string;
  readonly what?: string;
  readonly why?: string;
  readonly advice?: string;
}

type Run = (...args: readonly string[]) => Promise<Ended>;
const here: Run = (...args) => adminHere(table, ...args);
const inProcess =
  (settings: Readonly<Record<string, string>> = environment): Run =>
  (...args) =>
    runAdmin(args, settings);

/** Runs doctor, which must fail. Returns the reports of the failed steps and the names of the skipped ones. */
async function failures(baseUrl: string, run = here) {
  const { status, stdout, stderr } = await run('doctor', '--json', '--base-url', baseUrl);
  const { ok, steps }: { ok: boolean; steps: Report[] } = JSON.parse(stdout);
  expect({ status, ok }).toEqual({ status: 1, ok: false });
  expect(stderr).toMatch(
    /^\d+ of 18 steps failed and \d+ were skipped at \S+\. Fix "[^"]+", then run doctor again\.\n$/,
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

  test.each<[string, HookResponse, string, RegExp]>([
    ['a firewall', { status: 403 }, 'status 403 instead of 200', /^Something in front of the service/],
    ['another path', { status: 404 }, 'status 404 instead of 200', /^Correct --base-url\. .* path prefix/],
    ['a redirect', { status: 302, headers: { location: '/' } }, 'status 302 instead of 200', /^The address belongs/],
    ['a throttle', { status: 429 }, 'status 429 instead of 200', /^The route is throttled\. .* in a minute/],
    [
      'a crash',
      { status: 500, headers: { 'x-request-id': REQUEST_ID } },
      'status 500 instead of 200',
      new RegExp(`^Check the log of the service for the request ${REQUEST_ID}\\.`),
    ],
    [
      "a gateway's crash",
      { status: 502, headers: { 'apigw-requestid': 'Ab-_=' } },
      'status 502',
      /for the request Ab-_=\./,
    ],
    [
      'a crash whose request id is an email',
      { status: 500, headers: { 'x-request-id': 'jane@example.com' } },
      'status 500',
      /^Check the log of the service\. /,
    ],
    [
      'a page',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
      'an unexpected header content-type',
      /^The address belongs to another service/,
    ],
  ])('doctor explains the failure if %s responds', async (_, response, why, advice) => {
    const before = await allItems(table);
    const { failed, skipped } = await failures(await through(async () => response));
    expect(failed).toEqual([matching('script', `The response to GET /gr.js has (the )?${why}`, advice)]);
    expect(skipped).toHaveLength(16);
    expect(await allItems(table)).toEqual(before);
  });

  test('doctor explains that the service rejects a valid request, and skips the remaining steps', async () => {
    const before = await allItems(table);
    const notFound = { status: 404, headers: { 'x-error-code': 'referral_not_found' } };
    const { failed, skipped, cleanUp } = await failures(
      await through(async (path) => (path === '/v2/tracking/state' ? notFound : undefined)),
    );
    const why = 'The response to POST /v2/tracking/state has the status 404 instead of 200.';
    expect(failed).toEqual([matching('payment', why, /^The address belongs to another service/)]);
    expect(cleanUp).toBe('everything that was stored is removed');
    expect(skipped).toEqual(['loss', 'rejection', 'refused state', 'restoration', 'list of referrals']);
    expect(await allItems(table)).toEqual(before);
  });

  test('doctor explains the failure if no server listens, and if no request can be sent', async () => {
    const closed = await relayTo(service.url, async () => undefined);
    await closed.close();
    const [down, unreachable] = await Promise.all([failures(closed.url, inProcess()), failures('http://127.0.0.1:9')]);
    expect(down.failed).toEqual([
      matching('script', `The connection to ${closed.url} failed .ECONNREFUSED.\\.`, /npm start/),
    ]);
    expect(down.cleanUp).toBe('nothing was stored');
    expect(unreachable.failed).toEqual([matching('script', 'The connection to \\S+ failed', /check the network/)]);
  });

  test('doctor explains the failure if no response arrives in time', async () => {
    const silent = await through(() => new Promise(() => undefined));
    const request = join(import.meta.dirname, '../../../bin/admin/doctor/request.ts');
    const code = `import { sender } from ${JSON.stringify(request)};
      await sender(${JSON.stringify(silent)}, 50)({ operation: 'getScript' }, { status: 200 }).catch(
        ({ message, advice }) => console.log(message, advice),
      );`;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code]);
    expect(stdout).toBe(
      `${silent} did not respond in time. Check whether the service hangs or a firewall drops the request.\n`,
    );
  });

  test('doctor explains the failure if the table does not exist', async () => {
    const { failed, skipped } = await failures(service.url, inProcess({ ...environment, TABLE_NAME: 'no-such-table' }));
    expect(failed).toEqual([matching('leftovers', /^The table no-such-table does not exist at .*\. .*TABLE_NAME\.$/)]);
    expect(skipped).toHaveLength(14);
  });
});

describe('invalid arguments of doctor', () => {
  test.each([
    [['--base-url', 'localhost:3000'], /^--base-url must be an http or https address/],
    [['--base-url', 'https://user:secret@api.example'], /^--base-url must be/],
    [['--base-url', 'https://api.example/?secret'], /^--base-url must be/],
    [['--base-url', 'https://api.example/#secret'], /^--base-url must be/],
  ])('the arguments %j are reported in one sentence, with status 2', async (args, sentence) => {
    const { status, stdout, stderr } = await here('doctor', ...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('secret');
  });

  test('doctor without a base URL is reported in one sentence, with status 2', async () => {
    for (const settings of [environment, { TABLE_NAME: table.name }]) {
      const { status, stderr } = await runAdmin(['doctor'], settings);
      expect(status).toBe(2);
      expect(stderr).toMatch(
        /^--base-url is required unless DATA_DIR is the folder of a running npm start that uses this table\. .*\.\n$/,
      );
    }
  });
});
