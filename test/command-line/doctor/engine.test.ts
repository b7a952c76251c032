import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startEngine } from '../../../bin/local/engine.ts';
import { readService } from '../../../bin/service/service-file.ts';
import { runAdmin } from '../../support/admin.ts';
import { aProgram } from '../../support/program.ts';
import { relayTo } from '../../support/relay.ts';
import { end, killRemaining, start, waitUntilClosed } from '../../support/start.ts';
import { allItems, openTable } from '../../support/table.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'doctor-'));
});
afterEach(killRemaining);
afterAll(() => rm(folder, { recursive: true }));

/** Runs doctor on a service, and calls `act` before the first change of a state. */
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
  / +The program [0-9a-f-]{36} stays in the table with everything in it; .* run doctor again to remove it\.\n/;

describe('an engine that stops while doctor runs', () => {
  test('doctor reports the failed step if the DynamoDB of the service stops, and the next run cleans up', async () => {
    const file = join(folder, 'dynamodb.sqlite');
    const serve = async () => {
      const engine = await startEngine(file);
      const environment = { DYNAMODB_ENDPOINT: engine.endpoint, DATA_DIR: join(folder, 'data'), DEMO: 'off' };
      const service = await start(environment);
      return {
        engine,
        environment,
        service,
        table: openTable('referral-tracking', engine.endpoint),
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
      /^✓ V1 conversion .*\n✗ payment .*\n +The response to POST \/v2\/tracking\/state has the status 503 instead of 200\.\n +Check the log of the service for the request \S+\. 503 means that its table .*\n– loss +skipped: "payment" failed\.\n/m,
    );
    expect(stdout).toMatch(/^✗ clean-up .*\n +No DynamoDB responds at http:\S+\. Start it, .*\n/m);
    expect(stdout).toMatch(REMAINS);
    expect(stderr).toMatch(
      /^2 of 18 steps failed and 5 were skipped at \S+\. Fix "payment", then run doctor again\.\n$/,
    );
    await end(first.service, 'SIGTERM');

    const second = await serve();
    expect((await allItems(second.table)).length).toBeGreaterThan(before.length);
    const again = await runAdmin(['doctor'], second.environment);
    expect(again).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/removed programs of earlier runs: 1/),
    });
    expect(await allItems(second.table)).toEqual(before);
    await end(second.service, 'SIGTERM');
    await second.engine.stop();
  });

  test('doctor reports the failed step if npm start ends with its engine, and the next run cleans up', async () => {
    const environment = { DATA_DIR: join(folder, 'own'), DEMO: 'off' };
    const currentTable = async () => {
      const { tableName = '', endpoint = '' } = readService(environment.DATA_DIR) ?? {};
      return { endpoint, table: openTable(tableName, endpoint) };
    };
    const first = await start(environment);
    const { endpoint, table } = await currentTable();
    await aProgram(table);
    const before = await allItems(table);
    const { status, stdout } = await doctorUntilPayment(first.url, environment, async () => {
      await end(first, 'SIGKILL');
      await waitUntilClosed(endpoint);
    });
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^✓ V1 conversion .*\n✗ payment .*\n +The connection to \S+ failed .*\n +Start the service with npm start/m,
    );
    expect(stdout).toMatch(/^✗ clean-up .*\n +No local service found\. Run `npm start`, or correct DATA_DIR\.$/m);
    expect(stdout).toMatch(REMAINS);
    const stopped = await runAdmin(['doctor'], environment);
    expect(stopped.stdout).toMatch(/^✗ script .*\n +The connection to \S+ failed \(ECONNREFUSED\)\.\n/m);

    const second = await start(environment);
    const again = await runAdmin(['doctor'], environment);
    expect(again).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/removed programs of earlier runs: 1/),
    });
    expect(await allItems((await currentTable()).table)).toEqual(before);
    await end(second, 'SIGTERM');
  });
});
