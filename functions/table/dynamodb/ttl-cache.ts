import { dropOldest } from '../../domain/eviction.ts';
import type { Clock, Milliseconds } from '../../domain/time.ts';

/** In milliseconds: one second less than 30, because an eventually consistent read may return an older value. */
const TTL = 29_000;
const MAX_ENTRIES = 1000;

/** Caches values, by default for at most 30 seconds. Missing values are not cached. */
export class TtlCache<Value> {
  readonly #clock: Clock;
  readonly #ttl: number;
  readonly #entries = new Map<string, { readonly value: Value; readonly readAt: Milliseconds }>();

  /** `ttl` is in milliseconds. With 0, every value is loaded again. */
  constructor(clock: Clock, ttl = TTL) {
    this.#clock = clock;
    this.#ttl = ttl;
  }

  /** Returns the cached value of a key, or loads and caches it. */
  async getOrLoad(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const cached = this.#entries.get(key);
    const readAt = this.#clock();
    if (cached && readAt - cached.readAt < this.#ttl) return cached.value;
    this.#entries.delete(key);
    const value = await load();
    if (value !== undefined) this.#entries.set(key, { value, readAt });
    dropOldest(this.#entries, MAX_ENTRIES);
    return value;
  }
}
