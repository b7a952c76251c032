import { createHash } from 'node:crypto';
import {
  type Call,
  callerOf,
  type JsonService,
  missing,
  parseJson,
  type ServiceOptions,
  textAt,
} from '../aws/json-service.ts';
import { RequestRefused } from '../errors.ts';
import { valueAt } from '../json.ts';
import { milliseconds } from '../time.ts';
import type { Secret, SecretOwner, SecretReader, SecretStore } from './secrets.ts';

/** The parameters of one deployment in SSM Parameter Store. */
export interface ParameterStoreOptions extends ServiceOptions {
  /** Each stage has a table of its own, so its name separates the stages' parameters. */
  readonly tableName: string;
}

/** https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetParametersByPath.html */
const SERVICE: JsonService = { title: 'Parameter Store', name: 'ssm', target: 'AmazonSSM', variable: 'SSM' };

/** Parameter Store's limits of entries per page and of names per deletion. */
const MAX_BATCH = 10;
/** The name of a missing parameter in an error of Parameter Store. */
const NOT_FOUND = 'ParameterNotFound';

/** The path of all parameters of a deployment. The stack allows each function the part of it that it needs. */
export const parameterPath = (tableName: string): string => `/referral-tracking/${tableName}`;
/** The parameter that holds the URL of the queue of deliveries, if the stack has one. */
export const queueUrlParameter = (tableName: string): string => `${parameterPath(tableName)}/queue-url`;
/** The parameter that holds the address that sends emails, if the stack sends any. */
export const emailFromParameter = (tableName: string): string => `${parameterPath(tableName)}/email-from`;

/** Reads signing secrets from Parameter Store. */
export function parameterReader(options: ParameterStoreOptions): SecretReader {
  const call = callerOf(SERVICE, options);
  return { read: (owner) => readSecrets(call, pathOf(options, owner)) };
}

/**
 * Reads and changes signing secrets in Parameter Store. Each secret is a SecureString of its own, whose name is a hash
 * of it: adding a secret again replaces the same parameter, and two operators never overwrite each other's secrets.
 */
export function parameterStore(options: ParameterStoreOptions): SecretStore {
  const call = callerOf(SERVICE, options);
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
export const readQueueUrl = (options: ParameterStoreOptions): Promise<string | undefined> =>
  readText(options, queueUrlParameter(options.tableName));

/** Reads the address that sends emails; `undefined` if the stack sends none. */
export const readEmailFrom = (options: ParameterStoreOptions): Promise<string | undefined> =>
  readText(options, emailFromParameter(options.tableName));

async function readText(options: ParameterStoreOptions, name: string): Promise<string | undefined> {
  try {
    return textAt(SERVICE, await callerOf(SERVICE, options)('GetParameter', { Name: name }), 'Parameter', 'Value');
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
    if (!Array.isArray(parameters)) throw missing('Parameters', SERVICE);
    secrets.push(...parameters.map(secretOf));
    const next = valueAt(page, 'NextToken');
    token = typeof next === 'string' && next !== '' ? next : undefined;
  } while (token !== undefined);
  return secrets.toSorted((one, other) => other.createdAt - one.createdAt);
}

function secretOf(parameter: unknown): Secret {
  const stored = parseJson(textAt(SERVICE, parameter, 'Value'), SERVICE);
  const createdAt = valueAt(stored, 'created_at');
  if (typeof createdAt !== 'number') throw missing('created_at', SERVICE);
  return { value: textAt(SERVICE, stored, 'value'), createdAt: milliseconds(createdAt) };
}
