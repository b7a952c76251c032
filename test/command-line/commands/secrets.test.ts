import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deployedAccess, localAccess, serviceAccess } from '../../../bin/admin/secrets.ts';
import { portOf } from '../../../bin/local/engine.ts';
import { stripeOwner } from '../../../functions/kernel/secrets/secrets.ts';
import { milliseconds } from '../../../functions/kernel/time.ts';
import { recordService } from '../../support/admin-here.ts';
import { newId } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const endpoint = String(process.env['DYNAMODB_ENDPOINT']);
const OWNER = stripeOwner(newId());
const SECRET = { value: 'whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH', createdAt: milliseconds(1) };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parts-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The folder of a service on a table. */
async function aServiceFolder(tableName: string): Promise<string> {
  const dataDir = await mkdtemp(join(folder, 'data-'));
  recordService(dataDir, { endpoint, tableName });
  return dataDir;
}

describe('the secrets and the queue of npm start', () => {
  test('the secrets and the queue of npm start are in the folder whose service uses the table', async () => {
    const DATA_DIR = await aServiceFolder(table.name);
    await localAccess(DATA_DIR).secrets.add(OWNER, SECRET);
    for (const environment of [{ DATA_DIR }, { DATA_DIR, DYNAMODB_ENDPOINT: `${endpoint}/`, TABLE_NAME: table.name }]) {
      const { secrets, isLocal, hasEvents, onQueue } = await serviceAccess(environment, table);
      expect(await hasEvents()).toBe(true);
      expect(isLocal).toBe(true);
      expect(await secrets.read(OWNER)).toEqual([SECRET]);
      expect(await onQueue((queue) => queue.send([]))).toEqual(new Set());
    }
  });

  test('the secrets and the queue of npm start are not searched in the folder of another table', async () => {
    const DATA_DIR = await aServiceFolder('another-table');
    for (const each of [{ DATA_DIR }, { DATA_DIR: join(folder, 'none') }]) {
      await expect(
        serviceAccess({ ...each, DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table.name }, table),
      ).rejects.toThrow(
        /^The folder .* is not the DATA_DIR of an `npm start` that uses this table\. Start one, or set DATA_DIR/,
      );
    }
  });
});

describe('secrets on AWS', () => {
  /** Parameter Store's responses to all requests. */
  async function withParameterStore(
    status: number,
    json: object,
    work: (parts: ReturnType<typeof deployedAccess>) => Promise<void>,
  ) {
    await using server = createServer((_, response) => response.writeHead(status).end(JSON.stringify(json)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const credentials = async () => ({ accessKeyId: 'id', secretAccessKey: 'key' });
    const address = `http://127.0.0.1:${portOf(server)}`;
    await work(deployedAccess({ region: 'eu-central-1', credentials, tableName: 'stage', endpoint: address }));
    server.closeAllConnections();
  }

  test('a missing queue means that events are off', async () => {
    await withParameterStore(400, { __type: 'com.amazonaws.ssm#ParameterNotFound' }, async (parts) => {
      const { onQueue, isLocal, hasEvents } = parts;
      expect([isLocal, await hasEvents()]).toEqual([false, false]);
      const work = () => Promise.reject(new Error('called'));
      await expect(onQueue(work)).rejects.toThrow(/^Events are off in this deployment\. Deploy .* events=on\.$/);
    });
  });

  test('failures of Parameter Store are not mistaken for failures of the table', async () => {
    await withParameterStore(400, { __type: 'AccessDeniedException' }, async ({ secrets, onQueue, hasEvents }) => {
      const sentence = /^Parameter Store on AWS rejects the request \(AccessDeniedException\)\. Check the permissions/;
      await expect(secrets.read(OWNER)).rejects.toThrow(sentence);
      await expect(onQueue(() => Promise.reject(new Error()))).rejects.toThrow(sentence);
      await expect(hasEvents()).rejects.toThrow(sentence);
    });
  });
});
