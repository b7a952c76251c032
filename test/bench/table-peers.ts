import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CreateTableCommand, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import conversion from '../events/conversion-v2.json' with { type: 'json' };
import list from '../events/list-referrals-v2.json' with { type: 'json' };
import type { TestTable } from '../support/table.ts';

/** The peers that use DynamoDB through a library: the name of each, and its file in `peers/`. */
export const LIBRARIES = { ElectroDB: 'electrodb', 'DynamoDB-Toolbox': 'dynamodb-toolbox' } as const;
export type Library = keyof typeof LIBRARIES;
export const LIBRARY_NAMES: readonly Library[] = ['ElectroDB', 'DynamoDB-Toolbox'];

/** What a file in `peers/` exports for DynamoDB. */
interface PeerModule {
  createPeer(tableName: string, options?: DynamoDBClientConfig): Peer;
}

interface Peer {
  readonly client: TestTable['client'];
  handler(event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2>;
  prepare(program: string, slug: string, bearer: string): Promise<void>;
}

/** The table that the guides of both libraries teach. */
export const PEER_TABLE = 'peers';
const TOKEN = 'rtp_000000000000000000000000000000000000';
const SLUG = 'jane-doe';
/** A page of the peers, and of the service by default. */
const PAGE = 25;
let customers = 0;

/** Builds a valid event: a conversion with a new email, or the first page of an advocate's referrals. */
export const PEER_EVENTS = {
  conversion: (): APIGatewayProxyEventV2 => {
    customers += 1;
    const email = `customer-${process.pid}-${customers}@shop.example`;
    return {
      ...conversion,
      headers: { ...conversion.headers, authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ email, affiliate_slug: SLUG }),
    };
  },
  list: (): APIGatewayProxyEventV2 => ({
    ...list,
    headers: { ...list.headers, authorization: `Bearer ${TOKEN}` },
    queryStringParameters: { affiliate_slug: SLUG },
  }),
};

/** Opens a peer on the engine, in this process. */
export async function openPeer(folder: string, library: Library, endpoint: string): Promise<Peer> {
  const { createPeer }: PeerModule = await import(pathToFileURL(join(folder, `${LIBRARIES[library]}.mjs`)).href);
  const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
  return createPeer(PEER_TABLE, { endpoint, region: 'us-east-1', credentials });
}

/** Creates the table of the peers, and for each a token, an advocate and a page of referrals. */
export async function preparePeers(table: TestTable, folder: string, endpoint: string): Promise<Map<Library, Peer>> {
  const names = ['pk', 'sk', 'gsi1pk', 'gsi1sk'];
  const keys = (partition: string, sort: string) => [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
  await table.client.send(
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
  const peers = new Map<Library, Peer>();
  for (const library of LIBRARY_NAMES) {
    const peer = await openPeer(folder, library, endpoint);
    await peer.prepare('bench', SLUG, TOKEN);
    for (let row = 0; row < PAGE; row += 1) expectStatus(await peer.handler(PEER_EVENTS.conversion()), 201);
    peers.set(library, peer);
  }
  return peers;
}

/** Throws an error unless the response has the status. */
export function expectStatus({ statusCode, body }: APIGatewayProxyStructuredResultV2, status: number): void {
  if (statusCode !== status) throw new Error(`Expected ${status}, got ${statusCode}: ${body}`);
}
