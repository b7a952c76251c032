import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Connection, openConnection } from '../../functions/kernel/dynamodb/connection.ts';
import type { Table } from '../../functions/kernel/dynamodb/table.ts';
import { DYNAMODB_ENDPOINT, TABLE_NAME } from '../../functions/kernel/environment.ts';
import { RequestRefused, TableMissing } from '../../functions/kernel/errors.ts';
import { listPrograms } from '../../functions/kernel/operator/lists.ts';
import { milliseconds } from '../../functions/kernel/time.ts';
import { createMissingTable } from '../../functions/operator/create-table.ts';
import type { IntegrationParts } from '../../functions/webhooks/http/parts.ts';
import { sender } from '../../functions/webhooks/stream/send.ts';
import { DATA_DIR, DEFAULT_DATA_DIR, DEFAULT_TABLE, GENEROUS_LIMITS, isHttpAddress } from '../service/environment.ts';
import type { EventQueue } from '../service/event-queue.ts';
import { ServiceFile } from '../service/service-file.ts';
import { lockDataDir } from './data-dir.ts';
import { prepareDemo, prepareWebhook } from './demo/demo.ts';
import { installMissingEngine, portOf, responds, startEngine } from './engine.ts';
import { cleanEngineFile } from './engine-file.ts';
import { skipChanges, startEvents } from './events/events.ts';
import { openStream } from './events/stream.ts';
import { createGateway, functionsOf, isThisMachine, listen } from './gateway.ts';
import { type RunningService, welcome } from './pages/home.ts';
import { pages } from './pages/pages.ts';
import { requestLog } from './request-log.ts';

// npm start: runs the whole service on this machine until a signal ends it.

/** Longest time for creating the table and the demo, in milliseconds. A few seconds are usual. */
const CREATE_LIMIT = 120_000;

const stops: (() => Promise<unknown>)[] = [];
let isStopping = false;

try {
  const service = await start(readStartEnvironment(process.env));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (!isStopping) stop().then(() => process.exit(0), fail);
    });
  }
  console.log(welcome(service));
} catch (error) {
  await stop().catch(fail);
  fail(error);
}

/** Starts everything. Throws an error with one clear message if that is not possible. */
async function start({ dataDir, tableName, port, ...environment }: StartEnvironment): Promise<RunningService> {
  const lock = await lockDataDir(dataDir);
  stops.push(async () => lock[Symbol.dispose]());
  const file = new ServiceFile(dataDir);
  stops.push(async () => file[Symbol.dispose]());
  const endpoint = environment.endpoint ?? (await startOwnEngine(dataDir, file.queue));
  file.setService({ endpoint, tableName });
  stops.push(async () => file.removeService());
  const connection = openConnection({ tableName, endpoint }, GENEROUS_LIMITS);
  const table = connection.until(milliseconds(connection.clock() + CREATE_LIMIT));
  await checkTable(table, tableName, endpoint);
  const stream = isLocal(endpoint) ? await openStream(endpoint, tableName) : undefined;
  // The records of the demo are not news, and its statistics contain them.
  const skipDemo = stream && (() => skipChanges(stream, file.queue));
  const demo = environment.demo ? await prepareDemo(table, dataDir, file.secrets, skipDemo) : undefined;
  const functions = functionsOf(connection, partsOf(file, connection));
  const log = requestLog(environment.logRequests, connection.clock);
  const server = createGateway(functions, pages(demo, dataDir, file.outbox), log);
  stops.push(await listen(server, port));
  const baseUrl = `http://localhost:${portOf(server)}`;
  if (stream) {
    // Before events are delivered, because the last start may have had another port.
    if (demo) await prepareWebhook(table, demo.programId, baseUrl);
    stops.push(startEvents(connection, stream, file, baseUrl));
  } else {
    const advice = 'On AWS, the stack delivers them and counts statistics.';
    console.log(`Events and emails are off, because the table is not on this machine. ${advice}\n`);
  }
  file.setService({ endpoint, tableName, baseUrl });
  return { baseUrl, demo, dataDir };
}

function partsOf({ secrets, queue }: ServiceFile, { clock }: Connection): IntegrationParts {
  return { secrets, queue, send: sender({ clock, allowLoopback: true }), isLocal: true };
}

async function stop(): Promise<void> {
  isStopping = true;
  for (const each of stops.toReversed()) await each();
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : 'The start failed.');
  process.exit(1);
}

async function startOwnEngine(dataDir: string, queue: EventQueue): Promise<string> {
  installMissingEngine();
  const file = join(dataDir, 'dynamodb.sqlite');
  // Only a file with the engine's tables can be prepared.
  if (!existsSync(file)) await (await startEngine(file)).stop();
  cleanEngineFile(file, queue.passedPositions());
  const engine = await startEngine(file);
  stops.push(engine.stop);
  engine.ended.then(() => {
    if (!isStopping) fail(new Error('The embedded DynamoDB engine has ended. Run npm start again.'));
  }, fail);
  return engine.endpoint;
}

/** True if DynamoDB runs on this machine. Its table belongs to this service: another one is only used. */
function isLocal(endpoint: string): boolean {
  return isThisMachine(new URL(endpoint).host);
}

/** Checks that the table exists. Creates it if DynamoDB runs on this machine; on AWS, the stack creates it. */
async function checkTable(table: Table, tableName: string, endpoint: string): Promise<void> {
  const noResponse = new Error(`No DynamoDB responds at ${endpoint}. Start it, or correct DYNAMODB_ENDPOINT.`);
  if (!(await responds(endpoint))) throw noResponse;
  try {
    await (isLocal(endpoint) ? createMissingTable(table, { stream: true }) : listPrograms(table));
  } catch (error) {
    if (error instanceof TableMissing) {
      throw new Error(`The table ${tableName} does not exist at ${endpoint}. Deploy the stack, or correct TABLE_NAME.`);
    }
    // A server that is not a DynamoDB gives no reason.
    if (error instanceof RequestRefused && error.reason !== undefined) {
      const advice = 'Check TABLE_NAME and the AWS credentials.';
      throw new Error(`DynamoDB at ${endpoint} rejects the request (${error.reason}). ${advice}`);
    }
    throw noResponse;
  }
}

type StartEnvironment = ReturnType<typeof readStartEnvironment>;

/** Reads the settings of `npm start`. Throws an error with one clear sentence if a value is not valid. */
function readStartEnvironment(environment: NodeJS.ProcessEnv) {
  const read = (name: string, byDefault: string, isValid: (value: string) => boolean, rule: string) => {
    const value = environment[name] || byDefault;
    if (!isValid(value)) throw new Error(`${name} must be ${rule}.`);
    return value;
  };
  const oneOf = (name: string, byDefault: string, other: string) =>
    read(name, byDefault, (value) => value === byDefault || value === other, `${byDefault} or ${other}`);
  const isPort = (port: string) => /^\d{1,5}$/.test(port) && Number(port) <= 65_535;
  const isEndpoint = (endpoint: string) => endpoint === '' || isHttpAddress(endpoint);
  const isTableName = (name: string) => /^[\w.-]{3,255}$/.test(name);
  const tableRule = '3 to 255 letters, digits, underscores, hyphens or dots';
  return {
    port: Number(read('PORT', '3000', isPort, 'a number from 0 to 65535')),
    dataDir: environment[DATA_DIR] || DEFAULT_DATA_DIR,
    /** Address of another DynamoDB; `undefined` for the embedded engine. */
    endpoint:
      read(DYNAMODB_ENDPOINT, '', isEndpoint, 'an http or https address, such as http://localhost:8000') || undefined,
    tableName: read(TABLE_NAME, DEFAULT_TABLE, isTableName, tableRule),
    demo: oneOf('DEMO', 'on', 'off') === 'on',
    logRequests: oneOf('LOG', 'off', 'requests') === 'requests',
  };
}
