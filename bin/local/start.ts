import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { advocatesHandler } from '../../functions/advocates/handler.ts';
import { referralsHandler } from '../../functions/referrals/handler.ts';
import { createMissingTable } from '../../functions/table/create.ts';
import { openTable, type Table } from '../../functions/table/table.ts';
import { trackingHandler } from '../../functions/tracking/handler.ts';
import { type Demo, prepareDemo } from './demo.ts';
import { docs } from './docs.ts';
import { type Engine, startEngine } from './engine.ts';
import type { StartEnvironment } from './environment.ts';
import { createGateway } from './gateway.ts';
import { readNote, removeNote, writeNote } from './note.ts';

/** The running service. */
export interface LocalService {
  readonly baseUrl: string;
  readonly demo: Demo | undefined;
  /** Settles when the engine ends; never where another DynamoDB is used. */
  readonly engineEnded: Promise<void>;
  /** Lets the requests under way end, then stops all that was started. */
  stop(): Promise<void>;
}

/** Starts the whole service. Throws an error with one clear sentence, and leaves nothing running, where it cannot. */
export async function startLocal(environment: StartEnvironment): Promise<LocalService> {
  const { dataDir, tableName, port } = environment;
  await mkdir(dataDir, { recursive: true }).catch(() => {
    throw new Error(`DATA_DIR ${dataDir} is no folder that can be written to.`);
  });
  const started: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of started.reverse()) await end();
  };
  try {
    const engine = environment.endpoint === undefined ? await startOwnEngine(dataDir) : undefined;
    if (engine) started.push(engine.stop);
    const endpoint = engine?.endpoint ?? String(environment.endpoint);
    const table = openTable({ tableName, endpoint });
    if (isLocal(endpoint)) await reach(table, endpoint);
    const server = await listen(table, port);
    started.push(() => close(server));
    const demo = environment.demo ? await prepareDemo(table, dataDir) : undefined;
    await writeNote(dataDir, { endpoint, tableName });
    started.push(() => removeNote(dataDir));
    const engineEnded = engine?.ended ?? new Promise<void>(() => undefined);
    return { baseUrl: `http://localhost:${portOf(server)}`, demo, engineEnded, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startOwnEngine(dataDir: string): Promise<Engine> {
  const note = await readNote(dataDir);
  if (note && (await answers(note.endpoint))) {
    throw new Error(`Another npm start is using ${dataDir}: stop it, or set DATA_DIR to another folder.`);
  }
  return startEngine(join(dataDir, 'dynamodb.sqlite'));
}

async function answers(endpoint: string): Promise<boolean> {
  return fetch(endpoint).then(
    () => true,
    () => false,
  );
}

/** A table on AWS is the stack's: it is never made here. */
function isLocal(endpoint: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(endpoint).hostname);
}

async function reach(table: Table, endpoint: string): Promise<void> {
  if (!(await answers(endpoint))) {
    throw new Error(`No DynamoDB answers at ${endpoint}: start it, or unset DYNAMODB_ENDPOINT.`);
  }
  await createMissingTable(table);
}

async function listen(table: Table, port: number): Promise<Server> {
  const functions = {
    tracking: trackingHandler(table),
    advocates: advocatesHandler(table),
    referrals: referralsHandler(table),
  };
  const server = createGateway(functions, docs);
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    throw new Error(`Port ${port} cannot be used, most likely because it is taken: set PORT to another one.`);
  }
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
  return address.port;
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
}
