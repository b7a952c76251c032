import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { TableMissing } from '../../functions/domain/errors.ts';
import { milliseconds } from '../../functions/domain/time.ts';
import { type Connection, openConnection } from '../../functions/table/connection.ts';
import { createMissingTable } from '../../functions/table/operator/create-table.ts';
import { listPrograms } from '../../functions/table/operator/lists.ts';
import { UNHURRIED } from './call-limits.ts';
import { prepareDemo } from './demo.ts';
import { answers, type Engine, portOf, startEngine } from './engine.ts';
import type { StartEnvironment } from './environment.ts';
import { functionsOf } from './functions.ts';
import { createGateway } from './gateway.ts';
import { listen } from './listen.ts';
import { claimNote, noteBaseUrl, readNote, removeNote } from './note.ts';
import { pages } from './pages.ts';
import { isAlive, startTimeOf } from './process.ts';
import type { Welcome } from './welcome.ts';

/** Longest time for creating the table, in milliseconds. An engine on this machine takes less than a second. */
const CREATE_LIMIT = 120_000;
/** Longest time for a first look into the table, in milliseconds. */
const LOOK_LIMIT = 5000;
/** Longest time for a request that stores the demo, in milliseconds. */
const DEMO_LIMIT = 60_000;

/** The running service. */
export interface LocalService extends Welcome {
  /** Settles when the engine ends; never where another DynamoDB is used. */
  readonly engineEnded: Promise<void>;
  /** Lets the requests under way end, then stops all that was started. */
  stop(): Promise<void>;
}

/** Starts the whole service. Throws an error with one clear sentence, and leaves nothing running, where it cannot. */
export async function startLocal(environment: StartEnvironment): Promise<LocalService> {
  const started: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const end of started.toReversed()) await end();
  };
  try {
    await prepareFolder(environment);
    const { endpoint, ended } = await findDynamoDb(environment, started);
    const { tableName } = environment;
    const connection = openConnection({ tableName, endpoint }, UNHURRIED);
    await reach(connection, tableName, endpoint);
    const table = connection.withLimit(DEMO_LIMIT);
    const demo = environment.demo ? await prepareDemo(table, environment.dataDir) : undefined;
    const server = createGateway(functionsOf(connection), pages(demo, environment.dataDir));
    started.push(await listen(server, environment.port));
    const baseUrl = `http://localhost:${portOf(server)}`;
    await noteBaseUrl(environment.dataDir, process.pid, baseUrl);
    return { baseUrl, demo, dataDir: environment.dataDir, engineEnded: ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes `DATA_DIR`, which no other start may be using: the note there is the lock. */
async function prepareFolder({ dataDir }: StartEnvironment): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
  } catch {
    throw new Error(`DATA_DIR ${dataDir} is no folder that can be written to.`);
  }
  const note = await readNote(dataDir);
  // Neither check is enough alone: not every platform says when a process started, and a DynamoDB that others started
  // outlives the service.
  if (note && isAlive(note.pid, note.startTime) && (await answers(note.endpoint))) throw inUse(dataDir);
  // A killed start left the note behind, or the file is not a note.
  await removeNote(dataDir, note?.pid);
}

/** An engine of one's own, or in its place the DynamoDB that the environment names; noted in `DATA_DIR`. */
async function findDynamoDb(
  { dataDir, endpoint, tableName }: StartEnvironment,
  started: (() => Promise<unknown>)[],
): Promise<Engine> {
  const engine = endpoint === undefined ? await startEngine(join(dataDir, 'dynamodb.sqlite')) : elsewhere(endpoint);
  started.push(engine.stop);
  const startTime = startTimeOf(process.pid);
  const note = { endpoint: engine.endpoint, tableName, pid: process.pid, ...(startTime && { startTime }) };
  if (!(await claimNote(dataDir, note))) throw inUse(dataDir);
  started.push(() => removeNote(dataDir, process.pid));
  return engine;
}

/** A DynamoDB that others started: it is not for this process to end. */
function elsewhere(endpoint: string): Engine {
  return { endpoint, ended: new Promise<void>(() => undefined), stop: async () => undefined };
}

function inUse(dataDir: string): Error {
  return new Error(`Another npm start is using ${dataDir}: stop it, or set DATA_DIR to another folder.`);
}

/** Makes sure that the table can be used. One on AWS is the stack's: it is never made here. */
async function reach(connection: Connection, tableName: string, endpoint: string): Promise<void> {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(endpoint).hostname);
  const silent = new Error(`No DynamoDB answers at ${endpoint}: start it, or correct DYNAMODB_ENDPOINT.`);
  if (!(await answers(endpoint))) throw silent;
  try {
    const table = connection.until(milliseconds(connection.clock() + (isLocal ? CREATE_LIMIT : LOOK_LIMIT)));
    await (isLocal ? createMissingTable(table) : listPrograms(table));
  } catch (error) {
    if (error instanceof TableMissing) {
      throw new Error(`There is no table ${tableName} at ${endpoint}: deploy the stack, or correct TABLE_NAME.`);
    }
    throw silent;
  }
}
