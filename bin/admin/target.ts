import { DYNAMODB_ENDPOINT, TABLE_NAME, type TableEnvironment } from '../../functions/table/environment.ts';
import { DATA_DIR, DEFAULT_DATA_DIR, DEFAULT_TABLE, isHttpAddress } from '../local/environment.ts';
import { readServiceFile } from '../local/service-file.ts';
import { Failure } from './errors.ts';

/** The table to work on, and the sentences that explain its failures. */
export interface Target extends TableEnvironment {
  /** Explains that DynamoDB does not respond. */
  readonly unreachable: string;
  /** Explains that the table does not exist. */
  readonly missing: string;
  /** Says what to check if DynamoDB rejects a request. */
  readonly check: string;
  /** Base URL of the running `npm start`; other targets have none. */
  readonly baseUrl?: string;
}

/**
 * Finds the table: at `DYNAMODB_ENDPOINT` if that is set; on AWS if `TABLE_NAME` is set without `DATA_DIR`; otherwise
 * that of the running `npm start`, by its service file in `DATA_DIR`. An empty variable counts as not set. Throws `Failure`.
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
    unreachable: `No DynamoDB responds at ${origin}. Start it, or correct ${DYNAMODB_ENDPOINT}.`,
    missing: `The table ${tableName} does not exist at ${origin}. Let npm start create it, or correct ${TABLE_NAME}.`,
    check: `Check ${TABLE_NAME} and ${DYNAMODB_ENDPOINT}.`,
  };
}

function onAws(tableName: string): Target {
  return {
    tableName,
    endpoint: undefined,
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
  return {
    ...service,
    unreachable,
    missing: `The service that uses the folder ${dataDir} has no table ${service.tableName}. Restart it with npm start.`,
    check: 'Restart the service with npm start.',
  };
}
