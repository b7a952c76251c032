import { TtlCache } from '../cache.ts';
import type { Random } from '../ids.ts';
import { type Clock, DAY, type Milliseconds, milliseconds } from '../time.ts';

/** A signing secret, as a store returns it. */
export interface Secret {
  readonly value: string;
  readonly createdAt: Milliseconds;
}

/** The owner of signing secrets: a program at Stripe, or a webhook. It is part of a path in the store. */
export type SecretOwner = `stripe/${string}` | `webhooks/${string}/${string}`;

/** Returns the owner of a program's secrets at Stripe. */
export const stripeOwner = (program: string): SecretOwner => `stripe/${program}`;
/** Returns the owner of a webhook's secrets. */
export const webhookOwner = (program: string, webhook: string): SecretOwner => `webhooks/${program}/${webhook}`;

/** Reads secrets. Only the functions that verify or sign have one. */
export interface SecretReader {
  /**
   * Returns all secrets of an owner, newest first. A cache may return what it read within `maxAge` milliseconds, or by
   * default within 30 seconds. Throws `Unavailable` if the store does not respond.
   */
  read(owner: SecretOwner, maxAge?: number): Promise<readonly Secret[]>;
}

/** A store of secrets that the operator can change. Each secret is an entry of its own: no write replaces another. */
export interface SecretStore extends SecretReader {
  /** Adds a secret. An existing value becomes the newest secret. */
  add(owner: SecretOwner, secret: Secret): Promise<void>;
  /** Removes the secrets with these values. Ignores values that do not exist. */
  remove(owner: SecretOwner, secrets: readonly Secret[]): Promise<void>;
}

/** Maximum number of valid secrets per owner: the newest and, during a rotation, the previous secret. */
export const MAX_SECRETS = 2;

/** How long a webhook's previous secret still signs after a rotation, in milliseconds (docs/contract/events.md). */
const ROTATION = DAY * 1000;

/** Random bytes of a secret. Standard Webhooks recommends 24 to 64. */
const SECRET_BYTES = 24;

/** Generates a signing secret (https://www.standardwebhooks.com, Signature scheme). */
export function newSecret(random: Random): string {
  return `whsec_${Buffer.from(random(SECRET_BYTES)).toString('base64')}`;
}

/**
 * Adds a secret and removes all but the two newest. Returns how many remain. The added one is the newest, even if the
 * clock is behind another machine's.
 */
export async function rotateSecret(store: SecretStore, owner: SecretOwner, secret: Secret): Promise<number> {
  const [newest] = await store.read(owner);
  const after = newest ? newest.createdAt + 1 : 0;
  await store.add(owner, { ...secret, createdAt: milliseconds(Math.max(secret.createdAt, after)) });
  const all = await store.read(owner);
  await store.remove(owner, all.slice(MAX_SECRETS));
  return Math.min(all.length, MAX_SECRETS);
}

/** Returns the secrets that sign a webhook now: the newest one, then the previous one if it is still valid. */
export function signingSecrets(secrets: readonly Secret[], now: Milliseconds): readonly string[] {
  const [newest, previous] = secrets;
  if (!newest) return [];
  const isPreviousValid = previous && newest.createdAt + ROTATION > now;
  return [newest.value, ...(isPreviousValid ? [previous.value] : [])];
}

/** Caches each owner's secrets for less than 30 seconds, also if there are none. */
export function cachedSecrets(reader: SecretReader, clock: Clock): SecretReader {
  const cache = new TtlCache<readonly Secret[]>(clock);
  return { read: async (owner, maxAge) => (await cache.getOrLoad(owner, () => reader.read(owner), maxAge)) ?? [] };
}
