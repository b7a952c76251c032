import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { startEngine } from '../../bin/local/engine.ts';
import { contextOf } from '../../bin/local/event.ts';
import { pagesBuiltOnUse } from '../../bin/service/web-pages.ts';
import { referralsHandler } from '../../functions/referrals/handler.ts';
import { createMissingTable } from '../../functions/table/operator/create-table.ts';
import { trackingHandler } from '../../functions/tracking/handler.ts';
import { responseEvents } from '../support/bundles.ts';
import { metered } from '../support/meter.ts';
import { openWithin, type TestTable } from '../support/table.ts';
import { capacities } from './capacity.ts';
import type { Comparison, Report } from './report.ts';
import { expectStatus, PEER_EVENTS, preparePeers } from './table-peers.ts';

/** A service or a peer, with its handler and an event for each operation. */
interface Subject {
  readonly name: string;
  readonly client: TestTable['client'];
  readonly send: (operation: Operation) => Promise<APIGatewayProxyStructuredResultV2>;
}

type Operation = keyof typeof OPERATIONS;
const OPERATIONS = {
  conversion: { title: 'conversion by slug and email, unique email', status: 201 },
  list: { title: 'first page of 25 referrals', status: 200 },
} as const;
const NAMES: readonly Operation[] = ['conversion', 'list'];
const SERVICE = 'the service';

/** Counts requests and capacity units: of all operations of the service, and of two operations beside the libraries. */
export async function measureUnits(peers: string): Promise<Report> {
  const engine = await startEngine();
  try {
    const table = openWithin(undefined, 'bench', engine.endpoint);
    await createMissingTable(table);
    const own = (await capacities(table)).map(({ operation, requests, readUnits, writeUnits }) =>
      [operation, requests, readUnits, writeUnits].map(String),
    );
    const subjects = [await serviceOn(table)];
    for (const [name, { client, handler }] of await preparePeers(table, peers, engine.endpoint)) {
      subjects.push({ name, client, send: (operation) => handler(PEER_EVENTS[operation]()) });
    }
    const beside = await compare(subjects);
    const head = ['operation', 'requests', 'read units', 'write units'];
    return {
      sections: [
        { name: 'units-beside', head: ['operation', 'with', ...head.slice(1)], rows: beside.rows },
        // In docs/design.md, with figures that only the tests count.
        { name: 'units', head, rows: own, isOnlyPrinted: true },
      ],
      comparisons: beside.comparisons,
    };
  } finally {
    await engine.stop();
  }
}

async function serviceOn(table: TestTable): Promise<Subject> {
  const events = await responseEvents(table);
  const call = {
    conversion: trackingHandler(table.connection, { read: async () => [] }, pagesBuiltOnUse()),
    list: referralsHandler(table.connection),
  };
  const event: Record<Operation, () => APIGatewayProxyEventV2> = {
    conversion: events.tracking,
    list: events.referrals,
  };
  const send = (operation: Operation) => call[operation](event[operation](), contextOf(operation));
  return { name: SERVICE, client: table.client, send };
}

/** Counts the second request of each: the first one also looks the token up, with the service and with the peers. */
async function compare(subjects: readonly Subject[]): Promise<{ rows: string[][]; comparisons: Comparison[] }> {
  const rows: string[][] = [];
  const comparisons: Comparison[] = [];
  for (const operation of NAMES) {
    const { title, status } = OPERATIONS[operation];
    const readings = [];
    for (const subject of subjects) {
      expectStatus(await subject.send(operation), status);
      const { result, ...reading } = await metered(subject, () => subject.send(operation));
      expectStatus(result, status);
      readings.push({ name: subject.name, ...reading });
      const { requests, readUnits, writeUnits } = reading;
      rows.push([title, subject.name, ...[requests, readUnits, writeUnits].map(String)]);
    }
    const [own, ...others] = readings;
    if (!own) continue;
    for (const { name, ...other } of others) {
      for (const [key, unit] of [
        ['requests', 'requests'],
        ['readUnits', 'read units'],
        ['writeUnits', 'write units'],
      ] as const) {
        const common = { figure: `${unit}: ${title}`, unit: '', peer: name };
        comparisons.push({ ...common, here: own[key], there: other[key] });
      }
    }
  }
  return { rows, comparisons };
}
