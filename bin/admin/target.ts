import { DYNAMODB_ENDPOINT, TABLE_NAME, type TableEnvironment } from '../../functions/table/environment.ts';
import { DATA_DIR, DEFAULT_DATA_DIR, DEFAULT_TABLE, isHttpAddress } from '../local/environment.ts';
import { readServiceFile } from '../local/service-file.ts';
import { Failure } from './errors.ts';

/** The table to work on, and what the operator reads if something there is wrong. */
export interface Target extends TableEnvironment {
  /** The sentence for a DynamoDB that does not respond. */
  readonly unreachable: string;
  /** The sentence for a missing table. */
  readonly missing: string;
  /** What to check if DynamoDB rejects a request. */
  readonly check: string;
  /** The base URL of the running `npm start`; no other target has one. */
  readonly baseUrl?: string;
}

/**
 * Finds the table: at `DYNAMODB_ENDPOINT` if that is set; on AWS if only `TABLE_NAME` is set; else that of the running
 * `npm start`, by its record in `DATA_DIR`. An empty variable counts as not set. Throws `Failure`.
 */
export async function targetOf(environment: NodeJS.ProcessEnv): Promise<Target> {
  const endpoint = environment[DYNAMODB_ENDPOINT];
  const tableName = environment[TABLE_NAME];
  const dataDir = environment[DATA_DIR];
  if (endpoint) return atEndpoint(endpoint, tableName || DEFAULT_TABLE);
  if (tableName && !dataDir) return onAws(tableName);
  return ofService(dataDir || DEFAULT_DATA_DIR, tableName);
}

function atEndpoint(endpoint: string, tableName: string): Target {
  if (!isHttpAddress(endpoint)) {
    throw new Failure(`${DYNAMODB_ENDPOINT} must be an http or https address such as http://localhost:8000.`);
  }
  // The origin leaves out a password that the address may contain.
  const { origin } = new URL(endpoint);
  return {
    tableName,
    endpoint,
    unreachable: `No DynamoDB responds at ${origin}: start it, or correct ${DYNAMODB_ENDPOINT}.`,
    missing: `The table ${tableName} does not exist at ${origin}: let npm start create it, or correct ${TABLE_NAME}.`,
    check: `check ${TABLE_NAME} and ${DYNAMODB_ENDPOINT}.`,
  };
}

function onAws(tableName: string): Target {
  return {
    tableName,
    endpoint: undefined,
    unreachable: 'DynamoDB on AWS does not respond: check the network and AWS_REGION.',
    missing: `The table ${tableName} does not exist in this AWS account and region: correct ${TABLE_NAME}, AWS_PROFILE or AWS_REGION.`,
    check: `check ${TABLE_NAME} and the permissions of the AWS credentials.`,
  };
}

async function ofService(dataDir: string, tableName: string | undefined): Promise<Target> {
  const unreachable = `No service is running on the data in ${dataDir}: start it with npm start, or set ${DYNAMODB_ENDPOINT} or ${TABLE_NAME}.`;
  const service = await readServiceFile(dataDir);
  if (!service) throw new Failure(unreachable);
  if (tableName && tableName !== service.tableName) {
    throw new Failure(
      `The service running on the data in ${dataDir} uses the table ${service.tableName}: correct or unset ${TABLE_NAME}.`,
    );
  }
  return {
    ...service,
    unreachable,
    missing: `The service running on the data in ${dataDir} has no table ${service.tableName}: restart it with npm start.`,
    check: 'restart the service with npm start.',
  };
}
