import type { Clock, Milliseconds } from './time.ts';

/** In milliseconds: one second less than 30, because an eventually consistent read may return an older value. */
const TTL = 29_000;
const MAX_ENTRIES = 1000;
/** How long an unknown key is remembered, in milliseconds. */
const MISSING_TTL = 10_000;

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

  /** Returns the cached value of a key, or loads and caches it. A value that is older than `maxAge` is loaded again. */
  getOrLoad(key: string, load: () => Promise<Value | undefined>, maxAge = this.#ttl): Promise<Value | undefined> {
    const cached = this.#entries.get(key);
    const readAt = this.#clock();
    if (cached && readAt - cached.readAt < Math.min(maxAge, this.#ttl)) return cached.value;
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

/**
 * Remembers for ten seconds which keys do not exist, so that requests for them cost one read. A key that is created and
 * then used is found immediately, because nobody asked for it before.
 */
export class MissingKeys {
  readonly #clock: Clock;
  readonly #entries = new LimitedMap<Milliseconds>(MAX_ENTRIES);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  has(key: string): boolean {
    const readAt = this.#entries.get(key);
    return readAt !== undefined && this.#clock() - readAt < MISSING_TTL;
  }

  add(key: string): void {
    this.#entries.delete(key);
    this.#entries.set(key, this.#clock());
  }
}
