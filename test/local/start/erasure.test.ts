import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Engine, startEngine } from '../../../bin/local/engine.ts';
import { cleanEngineFile } from '../../../bin/local/engine-file.ts';
import { type ChangeStream, openStream } from '../../../bin/local/events/stream.ts';
import { readService } from '../../../bin/service/service-file.ts';
import { createMissingTable } from '../../../functions/operator/create-table.ts';
import { anEventScene, change, VerifyingReceiver } from '../../support/events/event-service.ts';
import { newId } from '../../support/program.ts';
import { end, killRemaining, start, waitUntilClosed } from '../../support/start.ts';
import { openTable, type TestTable } from '../../support/table.ts';

const receiver = new VerifyingReceiver();
let url: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'erasure-'));
  url = await receiver.listen();
});
afterEach(killRemaining);
afterAll(async () => {
  receiver.close();
  await rm(folder, { recursive: true });
});

/** Returns the files of a folder that contain any of the texts. */
async function filesWith(dataDir: string, texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(files.map(async (file) => ({ file, bytes: await readOrEmpty(file) })));
  return contents.filter(({ bytes }) => texts.some((text) => bytes.includes(text))).map(({ file }) => file);
}

/** The engine deletes some of its files while it ends, which is after its port is closed. */
function readOrEmpty(file: string): Promise<Buffer> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
}

test.each<NodeJS.Signals>(['SIGTERM', 'SIGKILL'])(
  'the start after an erasure leaves neither values nor hashes of the person in DATA_DIR, after %s',
  async (signal) => {
    const DATA_DIR = await mkdtemp(join(folder, 'data-'));
    const environment = { DATA_DIR, DEMO: 'off' };
    const first = await start(environment);
    const { endpoint = '' } = readService(DATA_DIR) ?? {};
    const scene = await anEventScene(DATA_DIR, url);
    const person = { email: `${newId()}@secret.example`, uid: `uid-${newId()}` };
    const secret = newId();
    const values = [...Object.values(person), secret];
    const traces = [...values, ...values.map((value) => createHash('sha256').update(value).digest('hex'))];
    const body = { ...person, affiliate_slug: scene.slug, metadata: { secret } };
    const { id } = await change(first, scene, '/v2/tracking/conversion', body);
    for (const state of ['paid', 'churned', 'paid']) await change(first, scene, '/v2/tracking/state', { id, state });
    const { url: address } = first;
    const headers = { authorization: `Bearer ${scene.token}`, 'content-type': 'application/json' };
    const erased = await fetch(`${address}/v2/tracking/erase`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ id }),
    });
    expect(erased.status).toBe(204);
    await end(first, signal);
    await waitUntilClosed(endpoint);
    // Without this check, the test could search for values that the service does not leave in the files.
    expect(await filesWith(DATA_DIR, traces)).not.toEqual([]);

    const second = await start(environment);
    await receiver.waitFor(`${id}.5`);
    expect(await end(second, 'SIGTERM')).toBe(0);
    for (const trace of traces) expect(await filesWith(DATA_DIR, [trace])).toEqual([]);
  },
);

describe('the file of the engine', () => {
  let file: string;
  let engine: Engine;
  let table: TestTable;
  let stream: ChangeStream;
  beforeEach(async () => {
    file = join(await mkdtemp(join(folder, 'data-')), 'dynamodb.sqlite');
    await open();
  });
  afterEach(close);

  async function open(): Promise<void> {
    engine = await startEngine(file);
    table = openTable('a-table', engine.endpoint);
    await createMissingTable(table, { stream: true });
    stream = await openStream(engine.endpoint, table.name);
  }

  async function close(): Promise<void> {
    stream.close();
    table.client.destroy();
    await engine.stop();
  }

  /** Cleans the file between two runs of the engine. `sequence` is the number of the last published record of a stream. */
  async function clean(sequence?: number): Promise<void> {
    await close();
    const position = { stream: stream.arn, shard: 'any', sequence: String(sequence), hasEnded: false };
    cleanEngineFile(file, sequence === undefined ? [] : [position]);
  }

  const write = (n: number) =>
    table.client.send(new PutCommand({ TableName: table.name, Item: { pk: `item-${n}`, sk: 'REFERRAL', n } }));

  /** Runs a statement on a file. Returns the first row. */
  function query(statement: string, of = file) {
    using database = new DatabaseSync(of);
    return database.prepare(statement).get();
  }

  /** Reads all records of the stream. Returns their sequence numbers. */
  async function readAll(): Promise<number[]> {
    const [shard = ''] = (await stream.shards()).keys();
    const { records } = await stream.read(shard, undefined);
    return records.map(({ dynamodb }) => Number(dynamodb?.SequenceNumber));
  }

  test('records get an index, with which the engine no longer scans all of them', async () => {
    // The engine's own statements in 1.2.1: the number of the next record, and records.
    const number = 'CAST(sequence_number AS INTEGER)';
    for (let run = 0; run < 2; run += 1) {
      await write(run);
      await clean();
      for (const statement of [
        `SELECT COALESCE(MAX(${number}), 0) + 1 FROM _stream_records WHERE table_name = ?1`,
        `SELECT * FROM _stream_records WHERE table_name = ?1 AND shard_id = ?2 AND ${number} > ?3 ORDER BY ${number} ASC`,
      ]) {
        expect(query(`EXPLAIN QUERY PLAN ${statement}`)?.['detail']).toMatch(
          /^SEARCH _stream_records USING .*INDEX stream_order/,
        );
      }
      await open();
    }
    expect(await readAll()).toEqual([1, 2]);
  });

  test('entries of the ledger that nobody has read stay, with what they contain', async () => {
    const Item = { pk: 'PROGRAM#p#LEDGER#jane', sk: 'entry', kind: 'payment' };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { pk: 'PROGRAM#p#EMAIL#hash', sk: 'CLAIM' } }),
    );
    await clean();
    await open();
    const [shard = ''] = (await stream.shards()).keys();
    const { records } = await stream.read(shard, undefined);
    expect(records.map(({ dynamodb }) => dynamodb?.NewImage?.['kind']?.S)).toEqual(['payment', undefined]);
    expect(JSON.stringify(records)).not.toContain('hash');
  });

  test('records are deleted after they were published, and the numbers go on', async () => {
    for (let n = 1; n <= 12; n += 1) await write(n);
    await clean(10);
    await open();
    expect(await readAll()).toEqual([10, 11, 12]);
    await clean(12);
    await open();
    await write(13);
    expect(await readAll()).toEqual([12, 13]);
  });

  test('a file with another layout is left as it is, and a missing one is not created', async () => {
    const other = join(folder, 'other.sqlite');
    cleanEngineFile(other, []);
    expect(existsSync(other)).toBe(false);
    // The engine's layout with one more column.
    await write(1);
    await close();
    await copyFile(file, other);
    query('ALTER TABLE _stream_records ADD COLUMN later TEXT', other);
    for (const content of ['', 'no database'.repeat(1000), await readFile(other)]) {
      await writeFile(other, content);
      cleanEngineFile(other, []);
      expect(await readFile(other)).toEqual(Buffer.from(content));
    }
    await open();
  });
});
