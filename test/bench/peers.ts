import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CreateTableCommand, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { eventFor } from '../support/event-fixtures.ts';
import type { TestTable } from '../support/table.ts';
import manifest from './peers/package.json' with { type: 'json' };

const SOURCES = join(import.meta.dirname, 'peers');

/** The versions of what the peers need. */
export const VERSIONS: Readonly<Record<string, string>> = manifest.dependencies;

/**
 * Returns a folder of the user's cache with the sources of the peers and what they need, which the first call installs.
 * The project never depends on it.
 */
export function peerFolder(): string {
  const version = createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 12);
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = join(cache, 'referral-tracking', `bench-peers-${version}`);
  const installed = join(folder, 'installed');
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(SOURCES)) copyFileSync(join(SOURCES, file), join(folder, file));
  if (existsSync(installed)) return folder;
  console.log(`Installing ${Object.keys(VERSIONS).join(', ')} into ${folder} …`);
  // The prefix, because `npm run` sets it to the project for the commands that it runs.
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--loglevel', 'error'];
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  writeFileSync(installed, '');
  return folder;
}

/** Loads a package from the folder of the peers. */
export function requireFrom<Module>(folder: string, name: string): Module {
  return createRequire(join(folder, 'package.json'))(name);
}

/** The file of DynamoDB-Toolbox in `peers`. */
export const TOOLBOX_FILE = 'dynamodb-toolbox.mjs';
/** The table that its guide teaches. */
export const PEER_TABLE = 'peers';

interface Peer {
  readonly client: TestTable['client'];
  handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2>;
  prepare(program: string, slug: string, bearer: string): Promise<void>;
}

const TOKEN = 'rtp_000000000000000000000000000000000000';
const SLUG = 'jane-doe';
/** A page of the peer, and of the service by default. */
const PAGE = 25;
let customers = 0;

/** Builds a valid event: a conversion with a new email, or the first page of an advocate's referrals. */
export const PEER_EVENTS = {
  conversion: (): APIGatewayProxyEventV2 => {
    customers += 1;
    const body = { email: `customer-${process.pid}-${customers}@shop.example`, affiliate_slug: SLUG };
    return eventFor({ operation: 'trackConversionV2', token: TOKEN, body });
  },
  list: (): APIGatewayProxyEventV2 => ({
    ...eventFor({ operation: 'listReferralsV2', token: TOKEN }),
    queryStringParameters: { affiliate_slug: SLUG },
  }),
};

/** Creates the table of the peer, a token, an advocate and a page of referrals, and opens the peer in this process. */
export async function preparePeer({ client }: TestTable, folder: string, endpoint: string): Promise<Peer> {
  const names = ['pk', 'sk', 'gsi1pk', 'gsi1sk'];
  const keys = (partition: string, sort: string) => [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
  await client.send(
    new CreateTableCommand({
      TableName: PEER_TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keys('pk', 'sk'),
      GlobalSecondaryIndexes: [
        { IndexName: 'gsi1', KeySchema: keys('gsi1pk', 'gsi1sk'), Projection: { ProjectionType: 'ALL' } },
      ],
    }),
  );
  type PeerModule = { createPeer(tableName: string, options?: DynamoDBClientConfig): Peer };
  const { createPeer }: PeerModule = await import(pathToFileURL(join(folder, TOOLBOX_FILE)).href);
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  const peer = createPeer(PEER_TABLE, { endpoint, region: 'us-east-1', credentials });
  await peer.prepare('bench', SLUG, TOKEN);
  for (let row = 0; row < PAGE; row += 1) expectStatus(await peer.handler(PEER_EVENTS.conversion()), 201);
  return peer;
}

/** Throws an error unless the response has the status. */
export function expectStatus({ statusCode, body }: APIGatewayProxyStructuredResultV2, status: number): void {
  if (statusCode !== status) throw new Error(`Expected ${status}, got ${statusCode}: ${body}`);
}
