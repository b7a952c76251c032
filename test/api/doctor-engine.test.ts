import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startEngine } from '../../bin/local/engine.ts';
import { readServiceFile } from '../../bin/local/service-file.ts';
import { runAdmin } from '../support/admin.ts';
import { aProgram } from '../support/program.ts';
import { relayTo } from '../support/relay.ts';
import { end, endLeft, silence, start } from '../support/start.ts';
import { allItems, openPatiently } from '../support/table.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
});
afterEach(endLeft);
afterAll(() => rm(folder, { recursive: true }));

/** Runs doctor on a service, and before the first change of a state does something to it. */
async function doctorUntilPayment(
  url: string,
  environment: Readonly<Record<string, string>>,
  act: () => Promise<unknown>,
) {
  const relay = await relayTo(url, async (path) => {
    if (path === '/v2/tracking/state') await act();
  });
  const ended = await runAdmin(['doctor', '--base-url', relay.url], environment);
  await relay.close();
  return ended;
}

const REMAINS =
  / +The program [0-9a-f-]{36} and what was made in it stay in the table; .* run doctor again: it removes them\.\n/;

describe('doctor names the step that fails', () => {
  test('when the DynamoDB of the service is stopped in the middle, and later removes what remained', async () => {
    const file = join(folder, 'dynamodb.sqlite');
    const serve = async () => {
      const engine = await startEngine(file);
      const environment = { DYNAMODB_ENDPOINT: engine.endpoint, DATA_DIR: join(folder, 'data'), DEMO: 'off' };
      const service = await start(environment);
      return {
        engine,
        environment,
        service,
        table: openPatiently('referral-tracking', engine.endpoint),
      };
    };
    const first = await serve();
    await aProgram(first.table);
    const before = await allItems(first.table);
    const { status, stdout, stderr } = await doctorUntilPayment(
      first.service.url,
      first.environment,
      first.engine.stop,
    );
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^✓ V1 conversion .*\n✗ payment .*\n +POST \/v2\/tracking\/state was answered with 503 instead of 200\.\n +Look into the log of the service for the request \S+\. 503 means that its table .*\n– loss +not tried: it needs "payment"\.\n/m,
    );
    expect(stdout).toMatch(/^✗ clean-up .*\n +No DynamoDB responds at http:\S+: start it, .*\n/m);
    expect(stdout).toMatch(REMAINS);
    expect(stderr).toMatch(/^Of 17 steps at \S+, 2 failed and 5 were not tried: begin with "payment"\.\n$/);
    await end(first.service, 'SIGTERM');

    const second = await serve();
    expect((await allItems(second.table)).length).toBeGreaterThan(before.length);
    const again = await runAdmin(['doctor', '--base-url', second.service.url], second.environment);
    expect(again).toMatchObject({ status: 0, stdout: expect.stringMatching(/removed what .* left \(1\)/) });
    expect(await allItems(second.table)).toEqual(before);
    await end(second.service, 'SIGTERM');
    await second.engine.stop();
  });

  test('when npm start ends in the middle with its engine, and later removes what remained', async () => {
    const environment = { DATA_DIR: join(folder, 'own') };
    const noted = async () => {
      const { tableName = '', endpoint = '' } = (await readServiceFile(environment.DATA_DIR)) ?? {};
      return { endpoint, table: openPatiently(tableName, endpoint) };
    };
    const first = await start(environment);
    const { endpoint, table } = await noted();
    const before = await allItems(table);
    const { status, stdout } = await doctorUntilPayment(first.url, environment, async () => {
      await end(first, 'SIGKILL');
      await silence(endpoint);
    });
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^✓ V1 conversion .*\n✗ payment .*\n +There is no connection to \S+ .*\n +Start the service with npm start/m,
    );
    expect(stdout).toMatch(/^✗ clean-up .*\n +No service is running on the data in \S+: start it with npm start/m);
    expect(stdout).toMatch(REMAINS);
    const stopped = await runAdmin(['doctor'], environment);
    expect(stopped.stdout).toMatch(/^✗ script .*\n +There is no connection to \S+ \(ECONNREFUSED\)\.\n/m);

    const second = await start(environment);
    const again = await runAdmin(['doctor'], environment);
    expect(again).toMatchObject({ status: 0, stdout: expect.stringMatching(/removed what .* left \(1\)/) });
    expect(await allItems((await noted()).table)).toEqual(before);
    await end(second, 'SIGTERM');
  });
});
