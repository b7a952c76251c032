/** Names of the environment variables that the functions read: the stack sets them, nothing else reads them. */
export const TABLE_NAME = 'TABLE_NAME';
export const DYNAMODB_ENDPOINT = 'DYNAMODB_ENDPOINT';

export interface TableEnvironment {
  readonly tableName: string;
  /** Address of another DynamoDB than AWS's own, such as the embedded engine. */
  readonly endpoint: string | undefined;
}

/** Reads where the table is. Throws where `TABLE_NAME` is not set. */
export function readTableEnvironment(environment: NodeJS.ProcessEnv = process.env): TableEnvironment {
  const tableName = environment[TABLE_NAME];
  if (!tableName) throw new Error(`The environment variable ${TABLE_NAME} is not set.`);
  return { tableName, endpoint: environment[DYNAMODB_ENDPOINT] || undefined };
}
