import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { readService } from '../../bin/service/service-file.ts';
import { seconds } from '../../functions/domain/time.ts';
import { sortKey } from '../../functions/table/keys.ts';
import { runAdmin } from '../support/admin.ts';
import { newId, now } from '../support/program.ts';
import { end, type Started, start } from '../support/start.ts';
import { allItems, openWithin } from '../support/table.ts';
import { importTable, lineOf, writeLines } from './many-referrals.ts';

/** A running service with a large program, and tokens of the program and of one of its advocates. */
export interface LargeProgram {
  readonly service: Started;
  readonly token: string;
  readonly affiliateToken: string;
}

/** The advocate that is copied. Each slug has the same length. */
const SAMPLE = 'advocate-00000';
const slugOf = (number: number) => `advocate-${String(number).padStart(5, '0')}`;

/**
 * Starts a service whose program has many advocates, each with referrals, a payment and numbers. The items are copies of
 * what the service stores for one advocate. The engine's own import of DynamoDB's exports writes them in seconds.
 */
export async function startLargeProgram(dataDir: string, advocates: number, each: number): Promise<LargeProgram> {
  const small = await start({ DATA_DIR: dataDir, DEMO: 'off' });
  const token = await fillSample(small, dataDir);
  const record = readService(dataDir);
  if (!record) throw new Error('The service does not run.');
  const { endpoint, tableName } = record;
  const table = openWithin(undefined, tableName, endpoint);
  const items = await allItems(table);
  const { Table } = await table.client.send(new DescribeTableCommand({ TableName: tableName }));
  await end(small, 'SIGTERM');
  const file = join(dataDir, 'dynamodb.sqlite');
  await rm(file);
  await importTable(tableName, dataDir, file, async (data, schema) => {
    await writeFile(schema, JSON.stringify({ Table }));
    const isTotal = ({ sk }: object & { sk?: unknown }) => sk === 'ALL';
    const lines = items.map((item) => (isTotal(item) ? multiplied(lineOf(item), advocates * each) : lineOf(item)));
    await writeLines(join(data, '1.json.gz'), lines);
    await writeLines(join(data, '2.json.gz'), copies(lines, advocates, each));
  });
  const service = await start({ DATA_DIR: dataDir, DEMO: 'off' });
  const path = `/v2/advocates/${slugOf(1)}/tokens`;
  const { data } = await call<{ data: { attributes: { token: string } } }>(service, token, path, {});
  return { service, token, affiliateToken: data.attributes.token };
}

/** Stores an advocate with a paid referral, and waits until it is counted. Returns a token of the program. */
async function fillSample(service: Started, dataDir: string): Promise<string> {
  const program = ['--name', 'Large', '--site-url', 'https://large.example', '--commission-percentage', '20'];
  const { id } = await admin<{ id: string }>(dataDir, 'program', 'create', ...program);
  const scopes = ['--scope', 'read', 'track', 'advocates', 'payouts', 'admin'];
  const { token } = await admin<{ token: string }>(dataDir, 'token', 'create', '--program', id, ...scopes);
  await call(service, token, '/v2/advocates', { email: 'sample@partners.example', slug: SAMPLE });
  const customer = { uid: 'customer-1' };
  await call(service, token, '/v2/tracking/conversion', { affiliate_slug: SAMPLE, ...customer });
  await call(service, token, '/v2/payments', { ...customer, payment_id: 'in_1', amount: 4900, currency: 'usd' });
  type Statistics = { data: { attributes: { total: { paying: number } } } };
  while ((await call<Statistics>(service, token, '/v2/statistics')).data.attributes.total.paying === 0);
  return token;
}

/** Multiplies the numbers of the program's sums. */
const multiplied = (line: string, factor: number) => line.replaceAll('{"N":"1"}', `{"N":"${factor}"}`);

/** Copies the lines of the sample for each other advocate, and its referral several times, a second apart. */
function* copies(lines: readonly string[], advocates: number, each: number): Generator<string, void> {
  const own = lines.filter((line) => line.includes(SAMPLE));
  const referral = own.find((line) => line.includes('"sk":{"S":"REFERRAL"}')) ?? '';
  const id = /#REFERRAL#([\da-f-]{36})"/.exec(referral)?.[1] ?? '';
  const second = Number(/"created_at":\{"N":"(\d+)"\}/.exec(referral)?.[1] ?? now());
  const others = own.filter((line) => line !== referral);
  for (let number = 0; number < advocates; number += 1) {
    const slug = slugOf(number);
    let piece = number === 0 ? '' : others.join('').replaceAll(SAMPLE, slug);
    for (let copy = number === 0 ? 1 : 0; copy < each; copy += 1) {
      const at = seconds(second - number - copy * advocates);
      const copyId = newId(at);
      piece += referral
        .replaceAll(sortKey(seconds(second), id), sortKey(at, copyId))
        .replaceAll(id, copyId)
        .replaceAll(`"${second}"`, `"${at}"`)
        .replaceAll(SAMPLE, slug);
    }
    yield piece;
  }
}

async function admin<Printed>(dataDir: string, ...args: readonly string[]): Promise<Printed> {
  const { PATH = '' } = process.env;
  const ended = await runAdmin([...args, '--json'], { PATH, DATA_DIR: dataDir });
  if (ended.status !== 0) throw new Error(ended.stderr);
  return JSON.parse(ended.stdout);
}

/** Calls the API with a token, with POST if there is a body. */
export async function call<Json>({ url }: Started, token: string, path: string, body?: object): Promise<Json> {
  const response = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body) ?? null,
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<Json>;
}
