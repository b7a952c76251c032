/** Names of the environment variables of the functions, which the stack sets. */
export const TABLE_NAME = 'TABLE_NAME';
export const DYNAMODB_ENDPOINT = 'DYNAMODB_ENDPOINT';

export interface TableEnvironment {
  readonly tableName: string;
  /** Address of a DynamoDB other than that of AWS, such as the embedded engine. */
  readonly endpoint: string | undefined;
}

/** Reads name and address of the table. Throws if `TABLE_NAME` is not set. */
export function readTableEnvironment(environment: NodeJS.ProcessEnv = process.env): TableEnvironment {
  const tableName = environment[TABLE_NAME];
  if (!tableName) throw new Error(`The environment variable ${TABLE_NAME} is not set.`);
  return { tableName, endpoint: environment[DYNAMODB_ENDPOINT] || undefined };
}

/** The environment has no credentials. The log shows the name of an error, but never its message. */
class MissingCredentials extends Error {
  constructor(variable: string) {
    super(`The environment variable ${variable} is not set. AWS Lambda sets it; elsewhere, set it yourself.`);
    this.name = 'MissingCredentials';
  }
}

/**
 * Reads the credentials that Lambda puts into the environment. They are valid for as long as the execution environment
 * exists. Throws `MissingCredentials`.
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
