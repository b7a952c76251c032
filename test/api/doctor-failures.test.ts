import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { runAdmin } from '../support/admin.ts';
import { aProgram } from '../support/program.ts';
import { type Hook, type Relay, relayTo } from '../support/relay.ts';
import { end, endLeft, type Started, start } from '../support/start.ts';
import { allItems } from '../support/table.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
const another = useTable();
const endpoint = String(process.env['DYNAMODB_ENDPOINT']);
const environment = { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table.name };
const REQUEST_ID = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071';

let folder: string;
let service: Started;
const relays: Relay[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
  service = await start({ ...environment, DATA_DIR: folder, DEMO: 'off' });
  await aProgram(table);
  await aProgram(another);
});
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.close()));
});
afterAll(async () => {
  await end(service, 'SIGTERM');
  await endLeft();
  await rm(folder, { recursive: true });
});

/** Base URL of the service through a relay. */
async function through(hook: Hook): Promise<string> {
  const relay = await relayTo(service.url, hook);
  relays.push(relay);
  return relay.url;
}

interface Report {
  readonly step: string;
  readonly outcome: string;
  readonly why?: string;
  readonly advice?: string;
}

/** Runs the command where it must fail. Returns the steps that did, and the sentence at the end. */
async function failures(baseUrl: string, settings: Readonly<Record<string, string>> = environment) {
  const { status, stdout, stderr } = await runAdmin(['doctor', '--json', '--base-url', baseUrl], settings);
  const { ok, steps }: { ok: boolean; steps: Report[] } = JSON.parse(stdout);
  expect({ status, ok }).toEqual({ status: 1, ok: false });
  expect(stderr).toMatch(/^Of 17 steps at \S+, \d+ failed and \d+ were not tried: begin with "[^"]+"\.\n$/);
  const failed = steps.filter(({ outcome }) => outcome === 'failed');
  const skipped = steps.filter(({ outcome }) => outcome === 'skipped').map(({ step }) => step);
  return { failed, skipped };
}

const matching = (step: string, why: string | RegExp, advice?: RegExp) =>
  expect.objectContaining({
    step,
    why: expect.stringMatching(why),
    ...(advice && { advice: expect.stringMatching(advice) }),
  });

describe('doctor says why and what to do', () => {
  test('where the service works on another table', async () => {
    const before = await allItems(another);
    const { failed } = await failures(service.url, { ...environment, TABLE_NAME: another.name });
    const why = 'GET /v1/advocates was answered with 401 instead of 200.';
    expect(failed).toEqual([matching('list of advocates', why, /^Most likely .* TABLE_NAME and --base-url/)]);
    expect(await allItems(another)).toEqual(before);
  });

  test.each<[string, Awaited<ReturnType<Hook>>, string, RegExp]>([
    ['a firewall', { status: 403 }, 'with 403 instead of 200', /^Something in front of the service/],
    ['another path', { status: 404 }, 'with 404 instead of 200', /^Correct --base-url: .* path prefix/],
    ['a redirection', { status: 302, headers: { location: '/' } }, 'with 302 instead of 200', /^Another ver/],
    ['a throttle', { status: 429 }, 'with 429 instead of 200', /^The route lets in no more .* in a minute/],
    [
      'a crash',
      { status: 500, headers: { 'x-request-id': REQUEST_ID } },
      'with 500 instead of 200',
      new RegExp(`^Look into the log of the service for the request ${REQUEST_ID}\\.`),
    ],
    [
      "a gateway's crash",
      { status: 502, headers: { 'apigw-requestid': 'Ab-_=' } },
      'with 502',
      /for the request Ab-_=\./,
    ],
    [
      'a crash of something that says too much',
      { status: 500, headers: { 'x-request-id': 'jane@example.com' } },
      'with 500',
      /^Look into the log of the service\. /,
    ],
    [
      'a page',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
      'but its header content-type is not as the interface says',
      /^Another version of the service/,
    ],
  ])('where %s answers', async (_, answer, why, advice) => {
    const before = await allItems(table);
    const { failed, skipped } = await failures(await through(async () => answer));
    expect(failed).toEqual([matching('script', `GET /gr.js was answered,? ${why}`, advice)]);
    expect(skipped).toHaveLength(14);
    expect(await allItems(table)).toEqual(before);
  });

  test('where the service refuses what it should take, and tries what does not depend on it', async () => {
    const before = await allItems(table);
    const refusal = { status: 404, headers: { 'x-error-code': 'referral_not_found' } };
    const { failed, skipped } = await failures(
      await through(async (path) => (path === '/v2/tracking/state' ? refusal : undefined)),
    );
    const why = 'POST /v2/tracking/state was answered with 404 instead of 200.';
    expect(failed).toEqual([matching('payment', why, /^Another version of the service/)]);
    expect(skipped).toEqual(['loss', 'rejection', 'refused state', 'restoration', 'list of referrals']);
    expect(await allItems(table)).toEqual(before);
  });

  test('where nothing listens, and where nothing can be asked', async () => {
    const closed = await relayTo(service.url, async () => undefined);
    await closed.close();
    const [down, unreachable] = await Promise.all([failures(closed.url), failures('http://127.0.0.1:9')]);
    expect(down.failed).toEqual([
      matching('script', `There is no connection to ${closed.url} .ECONNREFUSED.\\.`, /npm start/),
    ]);
    expect(unreachable.failed).toEqual([matching('script', 'There is no connection', /look at the network/)]);
  });

  test('where no answer comes in time', async () => {
    const silent = await through(() => new Promise(() => undefined));
    const request = join(import.meta.dirname, '../../bin/admin/doctor/request.ts');
    const code = `import { asking } from ${JSON.stringify(request)};
      await asking(${JSON.stringify(silent)}, 50)({ operation: 'getScript' }, { status: 200 }).catch(
        ({ message, advice }) => console.log(message, advice),
      );`;
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', code]);
    expect(stdout).toBe(
      `${silent} did not answer in time. See whether the service hangs, and whether a firewall on the way drops what is sent to it.\n`,
    );
  });

  test('where there is no table', async () => {
    const { failed, skipped } = await failures(service.url, { ...environment, TABLE_NAME: 'no-such-table' });
    expect(failed).toEqual([matching('leftovers', /^The table no-such-table does not exist at .*: .*TABLE_NAME\.$/)]);
    expect(skipped).toHaveLength(13);
  });
});

describe('wrong usage of doctor is told in one sentence, with status 2', () => {
  test.each([
    [['--base-url', 'localhost:3000'], /^--base-url must be an http or https address/],
    [['--base-url', 'https://user:secret@api.example'], /^--base-url must be/],
    [['--base-url', 'https://api.example/?secret'], /^--base-url must be/],
    [['--base-url', 'https://api.example/#secret'], /^--base-url must be/],
  ])('%j', async (args, sentence) => {
    const { status, stdout, stderr } = await runAdmin(['doctor', ...args], environment);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('secret');
  });

  test('where no service says its address', async () => {
    for (const settings of [environment, { TABLE_NAME: table.name }]) {
      const { status, stderr } = await runAdmin(['doctor'], settings);
      expect(status).toBe(2);
      expect(stderr).toMatch(/^--base-url is needed where the table is not that of a running npm start: .*\.\n$/);
    }
  });
});
