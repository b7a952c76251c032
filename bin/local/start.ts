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
  /** Settles when the engine ends by itself; never where another DynamoDB is used. */
  readonly engineEnded: Promise<void>;
  /** Lets the requests under way end, then stops all that was started. */
  stop(): Promise<void>;
}

/** Starts the whole service. Throws an error with one clear sentence, and leaves nothing running, where it cannot. */
export async function startLocal(environment: StartEnvironment): Promise<LocalService> {
  const { dataDir, tableName } = environment;
  await mkdir(dataDir, { recursive: true });
  const engine = environment.endpoint === undefined ? await startOwnEngine(dataDir) : undefined;
  const endpoint = engine?.endpoint ?? environment.endpoint;
  if (endpoint === undefined) throw new Error('There is no DynamoDB to use.');
  try {
    const table = openTable({ tableName, endpoint });
    await reach(table, endpoint);
    const server = await listen(table, environment.port);
    const demo = environment.demo ? await prepareDemo(table, dataDir) : undefined;
    await writeNote(dataDir, { endpoint, tableName });
    return {
      baseUrl: `http://localhost:${portOf(server)}`,
      demo,
      engineEnded: engine?.ended ?? new Promise(() => undefined),
      stop: () => stop(server, engine, dataDir),
    };
  } catch (error) {
    await engine?.stop();
    throw error;
  }
}

async function startOwnEngine(dataDir: string): Promise<Engine> {
  const note = await readNote(dataDir);
  const isTaken =
    note &&
    (await fetch(note.endpoint).then(
      () => true,
      () => false,
    ));
  if (isTaken)
    throw new Error(`Another npm start is using ${dataDir}: stop it, or set DATA_DIR to another folder.`);
  return startEngine(join(dataDir, 'dynamodb.sqlite'));
}

async function reach(table: Table, endpoint: string): Promise<void> {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(endpoint).hostname);
  try {
    if (isLocal) await createMissingTable(table);
  } catch (error) {
    const reason = error instanceof Error ? ` (${error.name})` : '';
    throw new Error(`No DynamoDB answers at ${endpoint}${reason}: start it, or unset DYNAMODB_ENDPOINT.`);
  }
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
    throw new Error(`Port ${port} is taken: stop what uses it, or set PORT to another one.`);
  }
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no port.');
  return address.port;
}

async function stop(server: Server, engine: Engine | undefined, dataDir: string): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  await closed;
  await engine?.stop();
  await removeNote(dataDir);
}
