import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { startEngine } from '../../bin/local/engine.ts';
import { findEngine } from '../../bin/local/engine-binary.ts';
import { seconds } from '../../functions/domain/time.ts';
import { referralKey, sortKey } from '../../functions/table/keys.ts';
import { createMissingTable } from '../../functions/table/operator/create-table.ts';
import { anAdvocate, aProgram, aReferral, aToken, newId } from '../support/program.ts';
import { allItems, itemAt, openWithin, type TestTable } from '../support/table.ts';

/** A table on an engine of its own, with an advocate who has many referrals, and a token of the advocate's program. */
export interface LoadedTable {
  readonly table: TestTable;
  readonly token: string;
  readonly slug: string;
  /** Address of the engine. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

const NAME = 'bench';
const SLUG = 'jane-doe';
const FIRST = 1_600_000_000;
/** Referrals in one piece of the file. */
const PIECE = 1000;

/**
 * Loads `count` referrals with the engine's own import of DynamoDB's exports, so that a million do not pass through its
 * API. The referrals are copies of one that the service's code stores, a second apart.
 */
export async function loadReferrals(count: number): Promise<LoadedTable> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-pages-'));
  const file = join(folder, 'dynamodb.sqlite');
  const token = await importTable(NAME, folder, file, (data, schema) => writeExport(data, schema, count));
  const engine = await startEngine(file);
  const stop = async () => {
    await engine.stop();
    rmSync(folder, { recursive: true });
  };
  return { table: openWithin(undefined, NAME, engine.endpoint), token, slug: SLUG, endpoint: engine.endpoint, stop };
}

/**
 * Imports a table into a new file of the engine. `write` writes the export, and the description of the table to the path
 * `schema`. Returns its result.
 */
export async function importTable<Written>(
  name: string,
  folder: string,
  file: string,
  write: (data: string, schema: string) => Promise<Written>,
): Promise<Written> {
  const [source, schema] = [join(folder, 'export'), join(folder, 'schema.json')];
  const data = join(source, name, 'data');
  mkdirSync(data, { recursive: true });
  const written = await write(data, schema);
  const options = ['--source', source, '--schema', schema, '--output', file];
  execFileSync(findEngine(), ['import', ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  return written;
}

/** Writes the lines of an export. The engine reads only the first member of a gzip file. */
export function writeLines(path: string, lines: Iterable<string>): Promise<void> {
  return pipeline(Readable.from(lines), createGzip({ level: 1 }), createWriteStream(path));
}

/** Writes an export as DynamoDB's export to S3 would, and the description of the table. Returns a token. */
async function writeExport(folder: string, schema: string, count: number): Promise<string> {
  const engine = await startEngine();
  try {
    const table = openWithin(undefined, NAME, engine.endpoint);
    await createMissingTable(table);
    const program = await aProgram(table);
    const advocate = await anAdvocate(table, program, { slug: SLUG });
    const token = await aToken(table, program);
    const createdAt = seconds(FIRST);
    const sample = await aReferral(table, program, advocate, { createdAt, stateSetAt: createdAt });
    const item = await itemAt(table, referralKey(program.id, sample.id));
    const described = await table.client.send(new DescribeTableCommand({ TableName: NAME }));
    writeFileSync(schema, JSON.stringify({ Table: described.Table }));
    await writeLines(join(folder, '1.json.gz'), (await allItems(table)).map(lineOf));
    await writeLines(join(folder, '2.json.gz'), copiesOf(lineOf(item ?? {}), sample.id, count - 1));
    return token;
  } finally {
    await engine.stop();
  }
}

export const lineOf = (item: object) => `${JSON.stringify({ Item: marshall(item) })}\n`;

/** Copies a line: each copy has its own id and is a second newer. */
function* copiesOf(line: string, id: string, count: number): Generator<string, void> {
  const key = sortKey(seconds(FIRST), id);
  let piece = '';
  for (let number = 1; number <= count; number += 1) {
    const second = seconds(FIRST + number);
    const copyId = newId(second);
    piece += line
      .replaceAll(key, sortKey(second, copyId))
      .replaceAll(id, copyId)
      .replaceAll(`"${FIRST}"`, `"${second}"`);
    if (number % PIECE === 0 || number === count) {
      yield piece;
      piece = '';
    }
  }
}
