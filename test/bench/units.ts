import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { startEngine } from '../../bin/local/engine.ts';
import { contextOf } from '../../bin/local/event.ts';
import { pagesBuiltOnUse } from '../../bin/service/web-pages.ts';
import { referralsHandler } from '../../functions/api/referrals.ts';
import { trackingHandler } from '../../functions/api/tracking.ts';
import { createMissingTable } from '../../functions/operator/create-table.ts';
import { responseEvents } from '../support/bundles.ts';
import { metered } from '../support/meter.ts';
import { openWithin, type TestTable } from '../support/table.ts';
import { expectStatus, PEER_EVENTS, peerFolder, preparePeer } from './peers.ts';
import { type Row, SERVICE, TOOLBOX } from './report.ts';

type Send = () => Promise<APIGatewayProxyStructuredResultV2>;
/** The service or the peer. */
interface Subject {
  readonly name: string;
  readonly client: TestTable['client'];
  readonly conversion: Send;
  readonly list: Send;
}

const OPERATIONS = [
  { title: 'conversion', name: 'conversion', status: 201 },
  { title: 'list of referrals', name: 'list', status: 200 },
] as const;

/** Counts requests and capacity units of a conversion and of a list: of the service, and of the peer. */
export async function measureUnits(): Promise<Row[]> {
  const engine = await startEngine();
  try {
    const table = openWithin(undefined, 'bench', engine.endpoint);
    await createMissingTable(table);
    const events = await responseEvents(table);
    const tracking = trackingHandler(table.connection, { read: async () => [] }, pagesBuiltOnUse());
    const referrals = referralsHandler(table.connection);
    const { client, handler } = await preparePeer(table, peerFolder(), engine.endpoint);
    const subjects: Subject[] = [
      {
        name: SERVICE,
        client: table.client,
        conversion: () => tracking(events.tracking(), contextOf('tracking')),
        list: () => referrals(events.referrals(), contextOf('referrals')),
      },
      {
        name: TOOLBOX,
        client,
        conversion: () => handler(PEER_EVENTS.conversion()),
        list: () => handler(PEER_EVENTS.list()),
      },
    ];
    const rows: Row[] = [];
    for (const { title, name, status } of OPERATIONS) {
      for (const subject of subjects) {
        // The first request also looks the token up.
        expectStatus(await subject[name](), status);
        const { result, requests, readUnits, writeUnits } = await metered(subject, subject[name]);
        expectStatus(result, status);
        const counted = { requests, 'read units': readUnits, 'write units': writeUnits };
        rows.push({ operation: title, with: subject.name, ...counted });
      }
    }
    return rows;
  } finally {
    await engine.stop();
  }
}
