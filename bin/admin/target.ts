import { join } from 'node:path';
import type { Command } from 'commander';
import { openConnection } from '../../functions/kernel/dynamodb/connection.ts';
import type { Table } from '../../functions/kernel/dynamodb/table.ts';
import { DYNAMODB_ENDPOINT, TABLE_NAME, type TableEnvironment } from '../../functions/kernel/environment.ts';
import { CONFLICT, RequestRefused, TableMissing, Unavailable } from '../../functions/kernel/errors.ts';
import { CredentialsMissing, checkCredentials, RegionMissing } from '../../functions/kernel/operator/credentials.ts';
import { responseClock, SUSPENDED } from '../../functions/kernel/operator/response-clock.ts';
import { DATA_DIR, DEFAULT_DATA_DIR, DEFAULT_TABLE, GENEROUS_LIMITS, isHttpAddress } from '../service/environment.ts';
import { EarlierData, readService, UnusableFile } from '../service/service-file.ts';
import { Failure, InvalidArguments } from './errors.ts';

/** Where `npm start` runs: a command may be called from any folder. */
const PROJECT = join(import.meta.dirname, '../..');
/** Longest time for one request to the table, in milliseconds. */
const TIME_LIMIT = 60_000;

interface LocalService {
  readonly dataDir: string;
  readonly baseUrl: string | undefined;
}

/** The table to work on, the service that uses it, and the sentences that explain failures. */
export interface Target extends TableEnvironment {
  /** True for a table on AWS, whose deployment has the secrets and the queue of events. */
  readonly isOnAws: boolean;
  /** The `npm start` that uses the table; `undefined` if the record in `DATA_DIR` is missing or has another table. */
  readonly service: LocalService | undefined;
  readonly unreachable: string;
  readonly missing: string;
  readonly check: string;
}

/** Finds the table, and the `npm start` that uses it. An empty variable counts as not set. Throws `Failure`. */
export async function targetOf(environment: NodeJS.ProcessEnv): Promise<Target> {
  const endpoint = environment[DYNAMODB_ENDPOINT];
  const tableName = environment[TABLE_NAME];
  const dataDir = dataDirOf(environment);
  if (endpoint) return atEndpoint(endpoint, tableName || DEFAULT_TABLE, dataDir);
  if (!environment[DATA_DIR]) return tableName ? onAws(tableName) : ofService(dataDir, 'set TABLE_NAME to use AWS');
  return ofService(dataDir, `correct ${DATA_DIR}`, tableName);
}

export function dataDirOf(environment: NodeJS.ProcessEnv): string {
  return environment[DATA_DIR] || join(PROJECT, DEFAULT_DATA_DIR);
}

async function atEndpoint(endpoint: string, tableName: string, dataDir: string): Promise<Target> {
  if (!isHttpAddress(endpoint)) {
    throw new Failure(`${DYNAMODB_ENDPOINT} must be an http or https address such as http://localhost:8000.`);
  }
  // The origin leaves out a password that the address may contain.
  const { origin } = new URL(endpoint);
  const isOnAws = isAwsEndpoint(endpoint);
  const record = isOnAws ? undefined : await explainingFile(() => readService(dataDir));
  const isUser = record?.tableName === tableName && new URL(record.endpoint).origin === origin;
  return {
    tableName,
    endpoint,
    isOnAws,
    service: isUser ? { dataDir, baseUrl: record.baseUrl } : undefined,
    unreachable: `No DynamoDB responds at ${origin}. Start it, or correct ${DYNAMODB_ENDPOINT}.`,
    missing: `The table ${tableName} does not exist at ${origin}. Let npm start create it, or correct ${TABLE_NAME}.`,
    check: `Check ${TABLE_NAME} and ${DYNAMODB_ENDPOINT}.`,
  };
}

/** Turns the error of a file that cannot be used into a `Failure`. */
export async function explainingFile<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UnusableFile || error instanceof EarlierData
      ? new Failure(error.message, { cause: error })
      : error;
  }
}

function isAwsEndpoint(endpoint: string): boolean {
  return new URL(endpoint).hostname.endsWith('.amazonaws.com');
}

function onAws(tableName: string): Target {
  return {
    tableName,
    endpoint: undefined,
    isOnAws: true,
    service: undefined,
    unreachable: 'DynamoDB on AWS does not respond. Check the network and AWS_REGION.',
    missing: `The table ${tableName} does not exist in this AWS account and region. Correct ${TABLE_NAME}, AWS_PROFILE or AWS_REGION.`,
    check: `Check ${TABLE_NAME} and the permissions of the AWS credentials.`,
  };
}

async function ofService(dataDir: string, alternative: string, tableName?: string): Promise<Target> {
  const unreachable = `No local service found. Run \`npm start\`, or ${alternative}.`;
  const service = await explainingFile(() => readService(dataDir));
  if (!service) throw new Failure(unreachable);
  if (tableName && tableName !== service.tableName) {
    throw new Failure(
      `The service that uses the folder ${dataDir} has the table ${service.tableName}. Correct or unset ${TABLE_NAME}.`,
    );
  }
  const { endpoint, baseUrl } = service;
  return {
    tableName: service.tableName,
    endpoint,
    isOnAws: isAwsEndpoint(endpoint),
    service: { dataDir, baseUrl },
    unreachable,
    missing: `The service that uses the folder ${dataDir} has no table ${service.tableName}. Restart it with npm start.`,
    check: 'Restart the service with npm start.',
  };
}

/** Runs `work` on the table that the environment selects. Throws `Failure` for failures of the table. */
export async function onTable<Result>(
  environment: NodeJS.ProcessEnv,
  work: (table: Table) => Promise<Result>,
): Promise<Result> {
  const target = await targetOf(environment);
  const connection = openConnection(target, GENEROUS_LIMITS, responseClock);
  const table = connection.withLimit(TIME_LIMIT);
  try {
    if (target.endpoint === undefined) await checkCredentials(table);
    return await work(table);
  } catch (error) {
    const sentence = sentenceFor(error, target);
    throw sentence === undefined ? error : new Failure(sentence, { cause: error });
  } finally {
    connection.close();
  }
}

function sentenceFor(error: unknown, target: Target): string | undefined {
  if (error instanceof RegionMissing) {
    return 'TABLE_NAME alone means a table on AWS, but no region is set. Set AWS_REGION, or set DATA_DIR for the table of npm start.';
  }
  if (error instanceof CredentialsMissing) {
    return 'TABLE_NAME alone means a table on AWS, but there are no valid AWS credentials. Sign in to AWS or set AWS_PROFILE, or set DATA_DIR for the table of npm start.';
  }
  if (error instanceof TableMissing) return target.missing;
  if (!(error instanceof Unavailable || error instanceof RequestRefused)) return undefined;
  if (error.reason === undefined) return target.unreachable;
  if (error.reason === CONFLICT) return 'Other requests changed the same data at the same time. Run the command again.';
  if (error.reason === SUSPENDED) return 'This machine was suspended during a request. Run the command again.';
  return error instanceof Unavailable
    ? `DynamoDB is busy (${error.reason}). Try again later.`
    : `DynamoDB rejects the request (${error.reason}). ${target.check}`;
}

export interface BaseUrlOptions {
  readonly baseUrl?: string;
}

export function withBaseUrl<Extended extends Command>(command: Extended): Extended {
  return command.option('--base-url <url>', 'address of the service (default: the running npm start)');
}

/** The address in `--base-url`, or else of the running service. Throws `InvalidArguments` for an invalid address. */
export async function findBaseUrl(
  option: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const address = option ?? (await targetOf(environment)).service?.baseUrl;
  if (address === undefined) return undefined;
  const url = isHttpAddress(address) ? new URL(address) : undefined;
  if (url?.href !== `${url?.origin}${url?.pathname}`) {
    throw new InvalidArguments(
      '--base-url must be an http or https address without a query, such as https://api.example.com.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Does the same, and also throws `InvalidArguments` if the address is not known. */
export async function baseUrlOf(option: string | undefined, environment: NodeJS.ProcessEnv): Promise<string> {
  const baseUrl = await findBaseUrl(option, environment);
  if (baseUrl !== undefined) return baseUrl;
  throw new InvalidArguments(
    `--base-url is required unless ${DATA_DIR} is the folder of a running npm start that uses this table. For a deployment, give the output BaseUrl of its stack.`,
  );
}
