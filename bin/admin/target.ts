import { DYNAMODB_ENDPOINT, TABLE_NAME, type TableEnvironment } from '../../functions/table/environment.ts';
import { DATA_DIR, DEFAULT_DATA_DIR, DEFAULT_TABLE, isHttpAddress } from '../local/environment.ts';
import { readServiceFile } from '../local/service-file.ts';
import { Failure } from './errors.ts';

/** Where the table is, and what to tell the operator when something there is wrong. */
export interface Target extends TableEnvironment {
  /** The sentence for a DynamoDB that does not answer. */
  readonly unreachable: string;
  /** The sentence for a table that is not there. */
  readonly missing: string;
  /** What to look at when DynamoDB refuses a request. */
  readonly check: string;
  /** Where the running `npm start` serves; of other places nobody has told. */
  readonly baseUrl?: string;
}

/**
 * Finds the table: at `DYNAMODB_ENDPOINT` where that is set; on AWS where only `TABLE_NAME` is; else that of the
 * running `npm start`, by the note in `DATA_DIR`. An empty variable counts as not set. Throws `Failure`.
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
  // The origin leaves out a password that the address may hold.
  const { origin } = new URL(endpoint);
  return {
    tableName,
    endpoint,
    unreachable: `No DynamoDB answers at ${origin}: start it, or correct ${DYNAMODB_ENDPOINT}.`,
    missing: `There is no table ${tableName} at ${origin}: let npm start create it, or correct ${TABLE_NAME}.`,
    check: `check ${TABLE_NAME} and ${DYNAMODB_ENDPOINT}.`,
  };
}

function onAws(tableName: string): Target {
  return {
    tableName,
    endpoint: undefined,
    unreachable: 'DynamoDB on AWS does not answer: check the network and AWS_REGION.',
    missing: `There is no table ${tableName} in this account and region of AWS: correct ${TABLE_NAME}, AWS_PROFILE or AWS_REGION.`,
    check: `check ${TABLE_NAME} and what the AWS credentials allow.`,
  };
}

async function ofService(dataDir: string, tableName: string | undefined): Promise<Target> {
  const none = `No service is running on the data in ${dataDir}: start it with npm start, or set ${DYNAMODB_ENDPOINT} or ${TABLE_NAME}.`;
  const note = await readServiceFile(dataDir);
  if (!note) throw new Failure(none);
  if (tableName && tableName !== note.tableName) {
    throw new Failure(
      `The service running on the data in ${dataDir} works on the table ${note.tableName}: correct or unset ${TABLE_NAME}.`,
    );
  }
  return {
    ...note,
    unreachable: none,
    missing: `The service running on the data in ${dataDir} has no table ${note.tableName}: restart it with npm start.`,
    check: 'restart the service with npm start.',
  };
}
