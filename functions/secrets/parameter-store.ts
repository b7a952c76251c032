import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { HttpRequest } from '@smithy/core/protocols';
import { Hash } from '@smithy/core/serde';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { RequestRefused, Unavailable } from '../domain/errors.ts';
import { valueAt } from '../domain/json.ts';
import { milliseconds } from '../domain/time.ts';
import { readParameterEndpoint } from '../table/environment.ts';
import type { Secret, SecretOwner, SecretReader, SecretStore } from './secrets.ts';

/** The parameters of one deployment in SSM Parameter Store. */
export interface ParameterStoreOptions {
  readonly region: string;
  readonly credentials: () => Promise<Credentials>;
  /** Each stage has a table of its own, so its name separates the stages' parameters. */
  readonly tableName: string;
  /** By default, the address in the environment (`readParameterEndpoint`), or else AWS. */
  readonly endpoint?: string;
  /** Other time limits, for tests. */
  readonly limits?: typeof LIMITS;
}

interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Calls an action of Parameter Store with JSON. */
type Call = (action: string, input: object) => Promise<unknown>;

/** Time limits in milliseconds: for the connection, for the headers of a response, and for silence within its body. */
const LIMITS = { connectionTimeout: 500, requestTimeout: 2000, socketTimeout: 2000 };
/** Parameter Store's limits of entries per page and of names per deletion. */
const MAX_BATCH = 10;
/** The name of a missing parameter in an error of Parameter Store. */
const NOT_FOUND = 'ParameterNotFound';

/** The path of all parameters of a deployment. The stack allows each function the part of it that it needs. */
export const parameterPath = (tableName: string): string => `/referral-tracking/${tableName}`;
/** The parameter that holds the URL of the queue of deliveries, if the stack has one. */
export const queueUrlParameter = (tableName: string): string => `${parameterPath(tableName)}/queue-url`;

/** Reads signing secrets from Parameter Store. */
export function parameterReader(options: ParameterStoreOptions): SecretReader {
  const call = caller(options);
  return { read: (owner) => readSecrets(call, pathOf(options, owner)) };
}

/**
 * Reads and changes signing secrets in Parameter Store. Each secret is a SecureString of its own, whose name is a hash
 * of it: adding a secret again replaces the same parameter, and two operators never overwrite each other's secrets.
 */
export function parameterStore(options: ParameterStoreOptions): SecretStore {
  const call = caller(options);
  const nameOf = (owner: SecretOwner, { value }: Secret) =>
    `${pathOf(options, owner)}/${createHash('sha256').update(value).digest('hex').slice(0, 32)}`;
  return {
    read: (owner) => readSecrets(call, pathOf(options, owner)),
    add: async (owner, secret) => {
      const Value = JSON.stringify({ value: secret.value, created_at: secret.createdAt });
      await call('PutParameter', { Name: nameOf(owner, secret), Value, Type: 'SecureString', Overwrite: true });
    },
    remove: async (owner, secrets) => {
      const names = secrets.map((secret) => nameOf(owner, secret));
      for (let start = 0; start < names.length; start += MAX_BATCH) {
        await call('DeleteParameters', { Names: names.slice(start, start + MAX_BATCH) });
      }
    },
  };
}

/** Reads the URL of the queue of deliveries; `undefined` if the stack has none. */
export async function readQueueUrl(options: ParameterStoreOptions): Promise<string | undefined> {
  const name = queueUrlParameter(options.tableName);
  try {
    return textAt(await caller(options)('GetParameter', { Name: name }), 'Parameter', 'Value');
  } catch (error) {
    if (error instanceof RequestRefused && error.reason === NOT_FOUND) return undefined;
    throw error;
  }
}

function pathOf({ tableName }: ParameterStoreOptions, owner: SecretOwner): string {
  return `${parameterPath(tableName)}/${owner}`;
}

async function readSecrets(call: Call, path: string): Promise<readonly Secret[]> {
  const secrets: Secret[] = [];
  let token: string | undefined;
  do {
    const page = await call('GetParametersByPath', {
      Path: path,
      WithDecryption: true,
      MaxResults: MAX_BATCH,
      ...(token !== undefined && { NextToken: token }),
    });
    const parameters = valueAt(page, 'Parameters');
    // A response without the list must not count as an owner without secrets.
    if (!Array.isArray(parameters)) throw missing('Parameters');
    secrets.push(...parameters.map(secretOf));
    const next = valueAt(page, 'NextToken');
    token = typeof next === 'string' && next !== '' ? next : undefined;
  } while (token !== undefined);
  return secrets.toSorted((one, other) => other.createdAt - one.createdAt);
}

function secretOf(parameter: unknown): Secret {
  const stored = parse(textAt(parameter, 'Value'));
  const createdAt = valueAt(stored, 'created_at');
  if (typeof createdAt !== 'number') throw missing('created_at');
  return { value: textAt(stored, 'value'), createdAt: milliseconds(createdAt) };
}

/**
 * Returns a function that calls Parameter Store. The SDK's own client would add 84 KB to a bundle; its signer and its
 * HTTP handler are in every bundle already, with DynamoDB's client
 * (https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParametersByPath.html). The function throws
 * `Unavailable` or `RequestRefused`.
 */
function caller({ region, credentials, limits, ...options }: ParameterStoreOptions): Call {
  const signer = new SignatureV4({ credentials, region, service: 'ssm', sha256: Hash.bind(null, 'sha256') });
  const http = new NodeHttpHandler({ ...LIMITS, ...limits, throwOnRequestTimeout: true });
  const endpoint = options.endpoint ?? readParameterEndpoint() ?? endpointOf(region);
  const { protocol, hostname, port, host, pathname: path } = new URL(endpoint);
  return async (action, input) => {
    const request = new HttpRequest({
      method: 'POST',
      protocol,
      hostname,
      ...(port && { port: Number(port) }),
      path,
      headers: { host, 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `AmazonSSM.${action}` },
      body: JSON.stringify(input),
    });
    const { status, body } = await send(http, new HttpRequest(await signer.sign(request)));
    const json = parse(body);
    if (status < 300) return json;
    const reason = String(valueAt(json, '__type')).replace(/^.*#/, '');
    const error = Object.assign(new Error(), { name: reason });
    throw status >= 500 || status === 429 || /Throttl|TooManyUpdates/.test(reason)
      ? new Unavailable(error, reason)
      : new RequestRefused(error, reason);
  };
}

async function send(http: NodeHttpHandler, request: HttpRequest): Promise<{ status: number; body: string }> {
  try {
    const { response } = await http.handle(request);
    return { status: response.statusCode, body: await text(response.body) };
  } catch (error) {
    throw new Unavailable(error);
  }
}

/** Parses JSON. The error has no cause, because the message of a syntax error repeats the text, and so a secret. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw missing('JSON');
  }
}

/** China has a domain of its own. */
const endpointOf = (region: string) => `https://ssm.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

function textAt(value: unknown, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  if (typeof found !== 'string') throw missing(path.join('.'));
  return found;
}

const missing = (what: string) => new Unavailable(new Error(`Parameter Store returned no ${what}.`));
