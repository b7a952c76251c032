/** Names of the environment variables of the functions, which the stack sets. */
export const TABLE_NAME = 'TABLE_NAME';
export const DYNAMODB_ENDPOINT = 'DYNAMODB_ENDPOINT';
/** Set by Lambda. */
const AWS_REGION = 'AWS_REGION';
/** The queues of first attempts, of retries, and of deliveries and changes that failed for good; and the event bus. */
export const QUEUE_URL = 'QUEUE_URL';
export const RETRY_QUEUE_URL = 'RETRY_QUEUE_URL';
export const DEAD_LETTER_QUEUE_URL = 'DEAD_LETTER_QUEUE_URL';
export const UNPUBLISHED_QUEUE_URL = 'UNPUBLISHED_QUEUE_URL';
export const BUS_NAME = 'BUS_NAME';

/** The queues of emails, and the address that sends them. */
export const LINK_QUEUE_URL = 'LINK_QUEUE_URL';
export const EMAIL_QUEUE_URL = 'EMAIL_QUEUE_URL';
export const EMAIL_FROM = 'EMAIL_FROM';

/** Set if the deployment has webhooks. */
export const HAS_EVENTS = 'HAS_EVENTS';

/** The name of the stage. */
export const STAGE = 'STAGE';

/** With CloudFront in front of the API: ARN of the secret that only CloudFront sends, and base URL for callers. */
export const EDGE_SECRET = 'EDGE_SECRET';
export const BASE_URL = 'BASE_URL';

export interface TableEnvironment {
  readonly tableName: string;
  /** URL of a DynamoDB outside AWS, such as the embedded engine; `undefined` for AWS. */
  readonly endpoint: string | undefined;
}

/** Reads name and endpoint of the table. Throws if `TABLE_NAME` is not set. */
export function readTableEnvironment(environment: NodeJS.ProcessEnv = process.env): TableEnvironment {
  return { tableName: readVariable(environment, TABLE_NAME), endpoint: environment[DYNAMODB_ENDPOINT] || undefined };
}

/** Reads region and credentials, for services of AWS besides DynamoDB. Throws if `AWS_REGION` is not set. */
export function readServiceEnvironment(environment: NodeJS.ProcessEnv = process.env) {
  return {
    region: readVariable(environment, AWS_REGION),
    credentials: async () => readRoleCredentials(environment),
  };
}

/** Also reads the table name, which leads to the parameters of this deployment. Throws if a variable is not set. */
export function readParameterEnvironment(environment: NodeJS.ProcessEnv = process.env) {
  return { ...readServiceEnvironment(environment), tableName: readVariable(environment, TABLE_NAME) };
}

/**
 * Reads the address of a service, such as `SSM`: the variables that the SDK's own clients obey, but not their profiles
 * (https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html). Returns `undefined` for AWS.
 */
export function readEndpoint(service: string, environment: NodeJS.ProcessEnv = process.env): string | undefined {
  if (environment['AWS_IGNORE_CONFIGURED_ENDPOINT_URLS'] === 'true') return undefined;
  return environment[`AWS_ENDPOINT_URL_${service}`] || environment['AWS_ENDPOINT_URL'] || undefined;
}

/** Reads what the functions behind CloudFront need; `undefined` without CloudFront. Throws if a variable is not set. */
export function readEdgeEnvironment(environment: NodeJS.ProcessEnv = process.env) {
  const secretArn = environment[EDGE_SECRET];
  if (!secretArn) return undefined;
  return { ...readServiceEnvironment(environment), secretArn, baseUrl: readVariable(environment, BASE_URL) };
}

/** True if the deployment has webhooks. */
export function readHasEvents(environment: NodeJS.ProcessEnv = process.env): boolean {
  return environment[HAS_EVENTS] !== undefined;
}

/** Reads the name of the stage, for metrics. Throws if `STAGE` is not set. */
export function readStage(environment: NodeJS.ProcessEnv = process.env): string {
  return readVariable(environment, STAGE);
}

/** Reads the destinations of `publish`. Throws if a variable is not set. */
export function readPublishEnvironment(environment: NodeJS.ProcessEnv = process.env) {
  return {
    queueUrl: readVariable(environment, QUEUE_URL),
    unpublishedQueueUrl: readVariable(environment, UNPUBLISHED_QUEUE_URL),
    busName: readVariable(environment, BUS_NAME),
  };
}

/** Reads the queue of `integrations`. Throws if the variable is not set. */
export function readIntegrationsEnvironment(environment: NodeJS.ProcessEnv = process.env) {
  return { queueUrl: readVariable(environment, QUEUE_URL) };
}

/** Reads the queues of `deliver`. Throws if a variable is not set. */
export function readDeliverEnvironment(environment: NodeJS.ProcessEnv = process.env) {
  return {
    retryQueueUrl: readVariable(environment, RETRY_QUEUE_URL),
    deadLetterQueueUrl: readVariable(environment, DEAD_LETTER_QUEUE_URL),
  };
}

/** Reads the queues of emails. Throws if a variable is not set. */
export function readEmailQueues(environment: NodeJS.ProcessEnv = process.env) {
  return {
    links: readVariable(environment, LINK_QUEUE_URL),
    others: readVariable(environment, EMAIL_QUEUE_URL),
  };
}

/** Reads what `mail` needs. Throws if a variable is not set. */
export function readMailEnvironment(environment: NodeJS.ProcessEnv = process.env) {
  return {
    queues: readEmailQueues(environment),
    deadLetterQueueUrl: readVariable(environment, DEAD_LETTER_QUEUE_URL),
    from: readVariable(environment, EMAIL_FROM),
    baseUrl: readVariable(environment, BASE_URL),
  };
}

function readVariable(environment: NodeJS.ProcessEnv, name: string): string {
  const value = environment[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** The environment has no credentials. The class sets a name because the log contains names, but not messages. */
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
