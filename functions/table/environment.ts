/** Names of the environment variables of the functions, which the stack sets. */
export const TABLE_NAME = 'TABLE_NAME';
export const DYNAMODB_ENDPOINT = 'DYNAMODB_ENDPOINT';

export interface TableEnvironment {
  readonly tableName: string;
  /** URL of a DynamoDB outside AWS, such as the embedded engine; `undefined` for AWS. */
  readonly endpoint: string | undefined;
}

/** Reads name and endpoint of the table. Throws if `TABLE_NAME` is not set. */
export function readTableEnvironment(environment: NodeJS.ProcessEnv = process.env): TableEnvironment {
  const tableName = environment[TABLE_NAME];
  if (!tableName) throw new Error(`The environment variable ${TABLE_NAME} is not set.`);
  return { tableName, endpoint: environment[DYNAMODB_ENDPOINT] || undefined };
}

/** The environment has no credentials. The error has a name because the log contains names, but not messages. */
class MissingCredentials extends Error {
  constructor(variable: string) {
    super(`The environment variable ${variable} is not set. AWS Lambda sets it; elsewhere, set it yourself.`);
    this.name = 'MissingCredentials';
  }
}

/**
 * Reads the credentials that Lambda sets. They remain valid for as long as the execution environment exists. Throws
 * `MissingCredentials`.
 */
export function readRoleCredentials(environment: NodeJS.ProcessEnv = process.env) {
  const read = (name: string): string => {
    const value = environment[name];
    if (!value) throw new MissingCredentials(name);
    return value;
  };
  const sessionToken = environment['AWS_SESSION_TOKEN'];
  return {
    accessKeyId: read('AWS_ACCESS_KEY_ID'),
    secretAccessKey: read('AWS_SECRET_ACCESS_KEY'),
    ...(sessionToken && { sessionToken }),
  };
}
