import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, open as openFile, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Engine, startEngine } from '../../../bin/local/engine.ts';
import { cleanEngineFile } from '../../../bin/local/engine-file.ts';
import { type ChangeStream, openStream } from '../../../bin/local/events/stream.ts';
import { createMissingTable } from '../../../functions/table/operator/create-table.ts';
import { openTable, type TestTable } from '../../support/table.ts';

const EMAIL = 'jane@secret.example';
const UID = 'uid-of-jane';
const PERSON = [EMAIL, UID, 'hash-of-jane'];
const CLAIM = { pk: 'hash-of-jane', sk: 'CLAIM' };

let folder: string;
let file: string;
let engine: Engine;
let table: TestTable;
let stream: ChangeStream;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'engine-file-'));
});
beforeEach(async () => {
  file = join(await mkdtemp(join(folder, 'data-')), 'dynamodb.sqlite');
  await open();
});
afterEach(close);
afterAll(() => rm(folder, { recursive: true }));

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
async function clean(sequence?: number, arn = stream.arn): Promise<void> {
  await close();
  const position = { stream: arn, shard: 'any', sequence: String(sequence), hasEnded: false };
  cleanEngineFile(file, sequence === undefined ? [] : [position]);
}

const put = (item: object) => table.client.send(new PutCommand({ TableName: table.name, Item: item }));
const referral = (n: number) => ({ pk: `item-${n}`, sk: 'REFERRAL' });
const write = (n: number) => put({ ...referral(n), n });

/** Stores a person and a claim, changes them, and erases them as the service does: five changes. */
async function erasePerson(): Promise<void> {
  for (const n of [1, 2]) await put({ ...referral(1), email: EMAIL, uid: UID, n });
  await put(CLAIM);
  await put({ ...referral(1), n: 3 });
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: CLAIM }));
}
/** Returns which of the person's values are in the file. */
async function traces(): Promise<string[]> {
  const bytes = await readFile(file);
  expect(existsSync(`${file}-wal`)).toBe(false);
  return PERSON.filter((value) => bytes.includes(value));
}

/** Runs a statement on a file. Returns the first row. */
function query(statement: string, of = file) {
  using database = new DatabaseSync(of);
  return database.prepare(statement).get();
}
const freePages = () => query('PRAGMA freelist_count')?.['freelist_count'];

/** Reads all records of the stream. Returns their sequence numbers. */
async function readAll(): Promise<number[]> {
  const [shard = ''] = (await stream.shards()).keys();
  const { records } = await stream.read(shard, undefined);
  return records.map(({ dynamodb }) => Number(dynamodb?.SequenceNumber));
}

describe('the records of a stream', () => {
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

  test.each([
    ['a-table', 'other'],
    [/stream.+/, 'stream/an earlier one'],
  ])(
    'records are kept if only a stream of another table was published, with %s replaced by %s',
    async (part, other) => {
      for (const n of [1, 2, 3]) await write(n);
      await clean(3, stream.arn.replace(part, other));
      await open();
      expect(await readAll()).toEqual([1, 2, 3]);
    },
  );
});

describe('erased people', () => {
  test.each([
    ['were published', 5],
    ['were not published yet', undefined],
  ])('an erased person leaves nothing in the file if the records of the changes %s', async (_, published) => {
    await erasePerson();
    await close();
    // Without this check, the test could search for values that the engine does not leave in the file.
    expect(await traces()).toEqual(PERSON);
    await open();
    await clean(published);
    expect(await traces()).toEqual([]);
    await open();
    expect(await readAll()).toEqual(published === undefined ? [1, 2, 3, 4, 5] : [5]);
  });

  test('an erased person leaves nothing in free pages', async () => {
    for (let n = 0; n < 200; n += 1) await put({ ...referral(n), email: EMAIL, uid: UID, text: 'x'.repeat(1000) });
    for (let n = 0; n < 200; n += 1) await put({ ...referral(n) });
    await clean(400);
    expect(freePages()).toBe(0);
    expect(await traces()).toEqual([]);
  });

  test('an erasure is reported if the file cannot be rewritten, and the next start leaves nothing', async () => {
    await erasePerson();
    await close();
    const log = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    query('CREATE TABLE damaged AS SELECT 1');
    const page = (Number(query("SELECT rootpage FROM sqlite_master WHERE name = 'damaged'")?.['rootpage']) - 1) * 4096;
    const intact = (await readFile(file)).subarray(page, page + 4096);
    const overwrite = async (bytes: Buffer) => {
      await using handle = await openFile(file, 'r+');
      await handle.write(bytes, 0, bytes.length, page);
    };
    await overwrite(Buffer.alloc(4096, 0xff));
    cleanEngineFile(file, []);
    const sentence = /^Erased data may remain in free pages of .+, because .+\. The next start tries again\.$/;
    expect(log.mock.calls).toEqual([[expect.stringMatching(sentence)]]);
    log.mockRestore();
    expect(await traces()).not.toEqual([]);
    await overwrite(intact);
    cleanEngineFile(file, []);
    expect(await traces()).toEqual([]);
    await open();
  });
});

test('a start after which nobody was erased does not rewrite the file', async () => {
  for (let n = 0; n < 200; n += 1) await put({ ...referral(n), email: EMAIL, text: 'x'.repeat(1000) });
  await clean(200);
  expect(freePages()).toBeGreaterThan(0);
  expect(await traces()).toEqual([EMAIL]);
  await open();
});

test('a file with another layout is left as it is, and a missing one is not created', async () => {
  const other = join(folder, 'other.sqlite');
  cleanEngineFile(other, []);
  expect(existsSync(other)).toBe(false);
  // The engine's layout with one more column.
  await erasePerson();
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
