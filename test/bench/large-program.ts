import { execFileSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { findEngine } from '../../bin/local/engine.ts';
import { readService } from '../../bin/service/service-file.ts';
import { sortKey } from '../../functions/kernel/dynamodb/keys.ts';
import { seconds } from '../../functions/kernel/time.ts';
import { runAdmin } from '../support/admin.ts';
import { newId, now } from '../support/program.ts';
import { end, type Started, start } from '../support/start.ts';
import { allItems, openWithin } from '../support/table.ts';

/** The file of the engine in the folder of a service. */
export const FILE = 'dynamodb.sqlite';
/** The advocate that is copied. Each slug has the same length. */
export const SAMPLE = 'advocate-00000';
const slugOf = (number: number) => `advocate-${String(number).padStart(5, '0')}`;
/** Copies in one piece of the import. */
const PIECE = 1000;

/**
 * Fills the folder of a service that does not run: a program has many advocates, each with referrals, a payment and
 * numbers. The items are copies of what the service stores for one advocate. The engine's own import of DynamoDB's exports
 * writes them in seconds. Returns a token of the program.
 */
export async function fillProgram(dataDir: string, advocates: number, each: number) {
  const small = await start({ DATA_DIR: dataDir, DEMO: 'off' });
  const token = await fillSample(small, dataDir);
  const record = readService(dataDir);
  if (!record) throw new Error('The service does not run.');
  const { endpoint, tableName } = record;
  const table = openWithin(undefined, tableName, endpoint);
  const lines = (await allItems(table)).map((item) => {
    const line = `${JSON.stringify({ Item: marshall(item) })}\n`;
    return item['sk'] === 'ALL' ? line.replaceAll('{"N":"1"}', `{"N":"${advocates * each}"}`) : line;
  });
  const { Table } = await table.client.send(new DescribeTableCommand({ TableName: tableName }));
  await end(small, 'SIGTERM');
  const [source, schema, output] = [join(dataDir, 'export'), join(dataDir, 'schema.json'), join(dataDir, FILE)];
  const data = join(source, tableName, 'data');
  await mkdir(data, { recursive: true });
  await writeFile(schema, JSON.stringify({ Table }));
  // The engine reads only the first member of a gzip file.
  const write = (name: string, pieces: Iterable<string>) =>
    pipeline(Readable.from(pieces), createGzip({ level: 1 }), createWriteStream(join(data, name)));
  await write('1.json.gz', lines);
  await write('2.json.gz', copies(lines, advocates, each));
  await rm(output);
  const options = ['--source', source, '--schema', schema, '--output', output];
  execFileSync(findEngine(), ['import', ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  return { token, tableName };
}

/** Stores an advocate with a paid referral, and waits until it is counted. Returns a token of the program. */
async function fillSample(service: Started, dataDir: string): Promise<string> {
  const program = ['--name', 'Large', '--site-url', 'https://large.example', '--commission-percentage', '20'];
  const { id } = await admin<{ id: string }>(dataDir, 'program', 'create', ...program);
  const scopes = ['--scope', 'read', 'track', 'advocates', 'payouts', 'admin'];
  const { token } = await admin<{ token: string }>(dataDir, 'token', 'create', '--program', id, ...scopes);
  await call(service, token, '/v2/advocates', { email: 'sample@partners.example', slug: SAMPLE });
  const customer = { email: 'customer-1@shop.example' };
  await call(service, token, '/v2/tracking/conversion', { affiliate_slug: SAMPLE, ...customer });
  await call(service, token, '/v2/payments', { ...customer, payment_id: 'in_1', amount: 4900, currency: 'usd' });
  type Statistics = { data: { attributes: { total: { paying: number } } } };
  while ((await call<Statistics>(service, token, '/v2/statistics')).data.attributes.total.paying === 0);
  return token;
}

/** Copies the lines of the sample for each other advocate, and its referral several times, a second apart. */
function* copies(lines: readonly string[], advocates: number, each: number): Generator<string, void> {
  const own = lines.filter((line) => line.includes(SAMPLE));
  const referral = own.find((line) => line.includes('"sk":{"S":"REFERRAL"}')) ?? '';
  const id = /#REFERRAL#([\da-f-]{36})"/.exec(referral)?.[1] ?? '';
  const second = Number(/"created_at":\{"N":"(\d+)"\}/.exec(referral)?.[1] ?? now());
  const others = own.filter((line) => line !== referral).join('');
  let piece = '';
  for (let copy = 1; copy < advocates * each; copy += 1) {
    const slug = slugOf(copy % advocates);
    const at = seconds(second - copy);
    const copyId = newId(at);
    if (copy < advocates) piece += others.replaceAll(SAMPLE, slug);
    piece += referral
      .replaceAll(sortKey(seconds(second), id), sortKey(at, copyId))
      .replaceAll(id, copyId)
      .replaceAll(`"${second}"`, `"${at}"`)
      .replaceAll(SAMPLE, slug);
    if (copy % PIECE === 0) {
      yield piece;
      piece = '';
    }
  }
  yield piece;
}

async function admin<Printed>(dataDir: string, ...args: readonly string[]): Promise<Printed> {
  const { PATH = '' } = process.env;
  const ended = await runAdmin([...args, '--json'], { PATH, DATA_DIR: dataDir });
  if (ended.status !== 0) throw new Error(ended.stderr);
  return JSON.parse(ended.stdout);
}

/** Calls the API with a token, with POST if there is a body. */
async function call<Json>({ url }: Started, token: string, path: string, body?: object): Promise<Json> {
  const response = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body) ?? null,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<Json>;
}
