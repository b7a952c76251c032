import type { Clock, Milliseconds } from './time.ts';

/** In milliseconds: one second less than 30, because an eventually consistent read may return an older value. */
const TTL = 29_000;
const MAX_ENTRIES = 1000;

interface Entry<Value> {
  readonly value: Promise<Value | undefined>;
  readonly readAt: Milliseconds;
}

/** A map of at most `max` entries. A new one replaces the oldest. */
export class LimitedMap<Value> extends Map<string, Value> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: string, value: Value): this {
    super.set(key, value);
    // A map keeps the order of insertion.
    const [oldest] = this.keys();
    if (this.size > this.#max && oldest !== undefined) this.delete(oldest);
    return this;
  }
}

/**
 * Caches loaded values, by default for at most 30 seconds. Loads of a key at the same time share one result. Missing values
 * and failures are not cached.
 */
export class TtlCache<Value> {
  readonly #clock: Clock;
  readonly #ttl: number;
  readonly #entries = new LimitedMap<Entry<Value>>(MAX_ENTRIES);

  /** `ttl` is in milliseconds. With 0, every value is loaded again. */
  constructor(clock: Clock, ttl = TTL) {
    this.#clock = clock;
    this.#ttl = ttl;
  }

  /** Returns the cached value of a key, or loads and caches it. */
  getOrLoad(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const cached = this.#entries.get(key);
    const readAt = this.#clock();
    if (cached && readAt - cached.readAt < this.#ttl) return cached.value;
    this.#entries.delete(key);
    const value = load();
    this.#entries.set(key, { value, readAt });
    const forget = () => {
      // A later load may have replaced it.
      if (this.#entries.get(key)?.value === value) this.#entries.delete(key);
    };
    value.then((loaded) => loaded === undefined && forget(), forget);
    return value;
  }
}
