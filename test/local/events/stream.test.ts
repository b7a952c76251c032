import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Engine, startEngine } from '../../../bin/local/engine.ts';
import { type ChangeStream, openStream } from '../../../bin/local/events/stream.ts';
import { createMissingTable } from '../../../functions/operator/create-table.ts';
import { FaultyProxy } from '../../support/faulty-proxy.ts';
import { inParallel, openTable, type TestTable } from '../../support/table.ts';

let folder: string;
let file: string;
let engine: Engine;
let proxy: FaultyProxy;
let endpoint: string;
let table: TestTable;
let stream: ChangeStream;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stream-'));
});
beforeEach(async () => {
  file = join(await mkdtemp(join(folder, 'data-')), 'dynamodb.sqlite');
  engine = await startEngine(file);
  proxy = new FaultyProxy(engine.endpoint);
  endpoint = await proxy.start();
  table = openTable('a-table', engine.endpoint);
  await createMissingTable(table, { stream: true });
  stream = await openStream(endpoint, table.name);
});
afterEach(async () => {
  stream.close();
  table.client.destroy();
  await proxy.stop();
  await engine.stop();
});
afterAll(() => rm(folder, { recursive: true }));

const write = (n: number) =>
  table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: { pk: `item-${n}`, sk: 'REFERRAL', n, list: [n], map: { yes: true, no: null } },
    }),
  );
const shardOf = async () => [...(await stream.shards()).keys()][0] ?? '';

/** Reads all records after a sequence number. Returns their sequence numbers. */
async function readAfter(sequence: string | undefined): Promise<string[]> {
  const { records } = await stream.read(await shardOf(), sequence);
  const numbers = records.map(({ dynamodb }) => dynamodb?.SequenceNumber ?? '');
  return numbers.length === 0 ? [] : [...numbers, ...(await readAfter(numbers.at(-1)))];
}

describe('the stream of a table', () => {
  test('the stream of a table has the records that Lambda would get, with old and new images', async () => {
    await write(1);
    await write(1);
    const { records, hasEnded } = await stream.read(await shardOf(), undefined);
    const Keys = { pk: { S: 'item-1' }, sk: { S: 'REFERRAL' } };
    const NewImage = {
      ...Keys,
      n: { N: '1' },
      list: { L: [{ N: '1' }] },
      map: { M: { yes: { BOOL: true }, no: { NULL: true } } },
    };
    expect(records).toMatchObject([
      { eventName: 'INSERT', dynamodb: { Keys, NewImage } },
      { eventName: 'MODIFY', dynamodb: { Keys, NewImage, OldImage: NewImage } },
    ]);
    expect(hasEnded).toBe(false);
  });

  test('the stream of a table has all records in order, even more than 1,000, after any of them', async () => {
    await inParallel(
      Array.from({ length: 1200 }, (_, n) => n),
      write,
    );
    const numbers = await readAfter(undefined);
    expect(numbers.map(Number)).toEqual(Array.from({ length: 1200 }, (_, n) => n + 1));
    expect(await readAfter(numbers[997])).toEqual(numbers.slice(998));
  });
});
