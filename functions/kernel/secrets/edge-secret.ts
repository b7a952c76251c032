import { createHash, timingSafeEqual } from 'node:crypto';
import { callerOf, type JsonService, missing, parseJson, type ServiceOptions, textAt } from '../aws/json-service.ts';
import { TtlCache } from '../cache.ts';
import type { Edge } from '../edge.ts';
import { readEdgeEnvironment } from '../environment.ts';
import { RequestRefused } from '../errors.ts';
import type { Clock } from '../time.ts';

/** https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html */
const SERVICE: JsonService = {
  title: 'Secrets Manager',
  name: 'secretsmanager',
  target: 'secretsmanager',
  variable: 'SECRETS_MANAGER',
};

/** The labels of the two newest versions of a secret. The previous one does not exist before the first rotation. */
const [CURRENT, PREVIOUS] = ['AWSCURRENT', 'AWSPREVIOUS'];
const NOT_FOUND = 'ResourceNotFoundException';

/**
 * How often an unknown value may cause a read, in milliseconds. A new value can be unknown for this long after its
 * creation, and CloudFront needs longer to send it.
 */
const INTERVAL = 5000;

/** The edge, and what reads its secret before the first request. */
export interface WarmEdge extends Edge {
  /** Reads the secret. Ignores failures: the first request then tries again. */
  readonly warmUp: () => Promise<void>;
}

/** Reads the two newest values of a secret. Throws `Unavailable` or `RequestRefused`. */
export type ReadValues = () => Promise<readonly string[]>;

/** Returns the edge that the environment describes; `undefined` without CloudFront. */
export function edgeOfEnvironment(clock: Clock): WarmEdge | undefined {
  const environment = readEdgeEnvironment();
  if (!environment) return undefined;
  const { secretArn, baseUrl, ...options } = environment;
  return edgeWith(baseUrl, secretReader(secretArn, options), clock);
}

/** Returns the edge with a base URL, whose requests have one of the two newest values of a secret. */
export function edgeWith(baseUrl: string, read: ReadValues, clock: Clock): WarmEdge {
  const recent = new TtlCache<readonly Buffer[]>(clock, INTERVAL);
  let known: readonly Buffer[] = [];
  const load = async () => {
    known = (await recent.getOrLoad(baseUrl, async () => (await read()).map(digest))) ?? [];
    return known;
  };
  return {
    baseUrl,
    hasSent: async (value) => {
      if (value === undefined) return false;
      const sent = digest(value);
      return isOneOf(sent, known) || isOneOf(sent, await load());
    },
    warmUp: async () => {
      await load().catch(() => undefined);
    },
  };
}

/** Returns a function that reads the two newest values of a secret. Each version is JSON with a single text. */
export function secretReader(secretArn: string, options: ServiceOptions): ReadValues {
  const call = callerOf(SERVICE, options);
  const readVersion = async (stage: string): Promise<readonly string[]> => {
    const version = await call('GetSecretValue', { SecretId: secretArn, VersionStage: stage });
    const [value] = Object.values(Object(parseJson(textAt(SERVICE, version, 'SecretString'), SERVICE)));
    if (typeof value !== 'string') throw missing('value', SERVICE);
    return [value];
  };
  const withoutPrevious = (error: unknown) => {
    if (error instanceof RequestRefused && error.reason === NOT_FOUND) return [];
    throw error;
  };
  return async () => {
    const values = await Promise.all([readVersion(CURRENT), readVersion(PREVIOUS).catch(withoutPrevious)]);
    return values.flat();
  };
}

/** Digests have the same length, and their comparison reveals nothing about the values. */
const digest = (value: string) => createHash('sha256').update(value).digest();

/** Compares with all values, so that the duration does not depend on which one is equal. */
function isOneOf(sent: Buffer, values: readonly Buffer[]): boolean {
  return values.map((value) => timingSafeEqual(sent, value)).includes(true);
}
