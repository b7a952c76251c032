import { DYNAMODB_ENDPOINT, TABLE_NAME } from '../../functions/table/environment.ts';
import { DATA_DIR, DEFAULT_DATA_DIR, DEFAULT_TABLE, isHttpAddress } from '../service/environment.ts';

export interface StartEnvironment {
  readonly port: number;
  /** Folder for the engine's database and the other files of a start. */
  readonly dataDir: string;
  /** Address of another DynamoDB; `undefined` for the embedded engine. */
  readonly endpoint: string | undefined;
  readonly tableName: string;
  readonly demo: boolean;
  readonly logRequests: boolean;
}

/** Reads the settings of `npm start`. Throws an error with one clear sentence if a value is not valid. */
export function readStartEnvironment(environment: NodeJS.ProcessEnv): StartEnvironment {
  const port = environment['PORT'] || '3000';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new Error('PORT must be a number from 0 to 65535.');
  const endpoint = environment[DYNAMODB_ENDPOINT] || undefined;
  if (endpoint !== undefined && !isHttpAddress(endpoint)) {
    throw new Error('DYNAMODB_ENDPOINT must be an http or https address, such as http://localhost:8000.');
  }
  const tableName = environment[TABLE_NAME] || DEFAULT_TABLE;
  if (!/^[\w.-]{3,255}$/.test(tableName)) {
    throw new Error('TABLE_NAME must be 3 to 255 letters, digits, underscores, hyphens or dots.');
  }
  const demo = environment['DEMO'] || 'on';
  if (demo !== 'on' && demo !== 'off') throw new Error('DEMO must be on or off.');
  const log = environment['LOG'] || 'off';
  if (log !== 'off' && log !== 'requests') throw new Error('LOG must be off or requests.');
  return {
    port: Number(port),
    dataDir: environment[DATA_DIR] || DEFAULT_DATA_DIR,
    endpoint,
    tableName,
    demo: demo === 'on',
    logRequests: log === 'requests',
  };
}
