import { DYNAMODB_ENDPOINT, TABLE_NAME, type TableEnvironment } from '../../functions/table/environment.ts';
import { DATA_DIR, DEFAULT_DATA_DIR, DEFAULT_TABLE, isHttpAddress } from '../service/environment.ts';
import { readServiceFile } from '../service/service-file.ts';
import { Failure } from './errors.ts';

/** An `npm start` on this machine. */
export interface LocalService {
  /** The folder with its secrets and its queue of events. */
  readonly dataDir: string;
  /** Its base URL, once it accepts requests. */
  readonly baseUrl: string | undefined;
}

/** The table to work on, the service that uses it, and the sentences that explain failures. */
export interface Target extends TableEnvironment {
  /** True for a table on AWS, whose secrets and queue of events are those of the deployment. */
  readonly isOnAws: boolean;
  /** The `npm start` that uses the table; `undefined` if the service file in `DATA_DIR` names another table, or is missing. */
  readonly service: LocalService | undefined;
  /** Explains that DynamoDB does not respond. */
  readonly unreachable: string;
  /** Explains that the table does not exist. */
  readonly missing: string;
  /** Says what to check if DynamoDB rejects a request. */
  readonly check: string;
}

/**
 * Finds the table: at `DYNAMODB_ENDPOINT` if that is set; on AWS if `TABLE_NAME` is set without `DATA_DIR`; otherwise
 * that of the running `npm start`, by its service file in `DATA_DIR`. Also finds the `npm start` that uses a table
 * outside AWS. An empty variable counts as not set. Throws `Failure`.
 */
export async function targetOf(environment: NodeJS.ProcessEnv): Promise<Target> {
  const endpoint = environment[DYNAMODB_ENDPOINT];
  const tableName = environment[TABLE_NAME];
  const dataDir = dataDirOf(environment);
  if (endpoint) return atEndpoint(endpoint, tableName || DEFAULT_TABLE, dataDir);
  if (tableName && !environment[DATA_DIR]) return onAws(tableName);
  return ofService(dataDir, tableName);
}

/** Returns the folder in which commands look for the service file. */
export function dataDirOf(environment: NodeJS.ProcessEnv): string {
  return environment[DATA_DIR] || DEFAULT_DATA_DIR;
}

async function atEndpoint(endpoint: string, tableName: string, dataDir: string): Promise<Target> {
  if (!isHttpAddress(endpoint)) {
    throw new Failure(`${DYNAMODB_ENDPOINT} must be an http or https address such as http://localhost:8000.`);
  }
  // The origin leaves out a password that the address may contain.
  const { origin } = new URL(endpoint);
  const isOnAws = isAwsEndpoint(endpoint);
  const file = isOnAws ? undefined : await readServiceFile(dataDir);
  const isUser = file?.tableName === tableName && new URL(file.endpoint).origin === origin;
  return {
    tableName,
    endpoint,
    isOnAws,
    service: isUser ? { dataDir, baseUrl: file.baseUrl } : undefined,
    unreachable: `No DynamoDB responds at ${origin}. Start it, or correct ${DYNAMODB_ENDPOINT}.`,
    missing: `The table ${tableName} does not exist at ${origin}. Let npm start create it, or correct ${TABLE_NAME}.`,
    check: `Check ${TABLE_NAME} and ${DYNAMODB_ENDPOINT}.`,
  };
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

async function ofService(dataDir: string, tableName: string | undefined): Promise<Target> {
  const unreachable = `No running service uses the folder ${dataDir}. Start one with npm start, or correct ${DATA_DIR}. For another table, set ${DYNAMODB_ENDPOINT}, or ${TABLE_NAME} without ${DATA_DIR}.`;
  const service = await readServiceFile(dataDir);
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
