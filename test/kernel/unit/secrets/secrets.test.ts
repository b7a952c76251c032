import { describe, expect, test } from '@jest/globals';
import { Unavailable } from '../../../../functions/kernel/errors.ts';
import {
  cachedSecrets,
  type Secret,
  type SecretOwner,
  signingSecrets,
} from '../../../../functions/kernel/secrets/secrets.ts';
import { milliseconds } from '../../../../functions/kernel/time.ts';

const HOUR = 3_600_000;
const at = (value: string, createdAt: number): Secret => ({ value, createdAt: milliseconds(createdAt) });
const signing = (secrets: Secret[], now: number) => signingSecrets(secrets, milliseconds(now));

describe('secrets that sign', () => {
  const rotated = [at('new', 100 * HOUR), at('old', 50 * HOUR), at('older', 0)];

  test('no secret signs nothing, and the only secret signs', () => {
    expect(signing([], 0)).toEqual([]);
    expect(signing([at('only', 0)], 1000 * HOUR)).toEqual(['only']);
  });

  test('the newest secret and, for 24 hours, the previous secret sign', () => {
    expect(signing(rotated, 100 * HOUR)).toEqual(['new', 'old']);
    expect(signing(rotated, 124 * HOUR - 1)).toEqual(['new', 'old']);
    expect(signing(rotated, 124 * HOUR)).toEqual(['new']);
  });
});

describe('caches of secrets', () => {
  /** A cache in front of a store that counts its reads, and fails if `fails` is set. */
  function aCache() {
    const store = { secrets: [at('a', 0)], reads: [] as SecretOwner[], fails: false };
    let now = milliseconds(0);
    const read = async (owner: SecretOwner) => {
      store.reads.push(owner);
      if (store.fails) throw new Unavailable();
      return store.secrets;
    };
    const cache = cachedSecrets({ read }, () => now);
    const wait = (duration: number) => {
      now = milliseconds(now + duration);
    };
    return { store, cache, wait };
  }

  test('the cache reads an owner once in 30 seconds', async () => {
    const { store, cache, wait } = aCache();
    await Promise.all([cache.read('stripe/p'), cache.read('stripe/p')]);
    wait(28_999);
    expect(await cache.read('stripe/p')).toEqual([at('a', 0)]);
    expect(store.reads).toEqual(['stripe/p']);
    store.secrets = [];
    wait(1001);
    expect(await cache.read('stripe/p')).toEqual([]);
    // An owner without secrets is also cached.
    expect(await cache.read('stripe/p')).toEqual([]);
    expect(store.reads).toHaveLength(2);
  });

  test('the cache keeps the secrets of a later read if an earlier one fails', async () => {
    const { promise, reject } = Promise.withResolvers<readonly Secret[]>();
    const reads = [promise, Promise.resolve([at('a', 0)])];
    let now = milliseconds(0);
    const cache = cachedSecrets({ read: async () => (await reads.shift()) ?? [] }, () => now);
    const first = cache.read('stripe/p');
    now = milliseconds(30_000);
    // Awaited only when the first one has failed: if it were the same one, it would never end.
    const later = cache.read('stripe/p');
    reject(new Unavailable());
    await expect(first).rejects.toThrow(Unavailable);
    expect(await later).toEqual([at('a', 0)]);
    expect(await cache.read('stripe/p')).toEqual([at('a', 0)]);
    expect(reads).toEqual([]);
  });
});
