import type { Clock, Milliseconds } from '../domain/time.ts';

/** Milliseconds: 30 seconds, less one because a read may return what was valid shortly before it. */
const TTL = 29_000;
const MAX_ENTRIES = 1000;

/** Keeps values for at most 30 seconds. Missing values are not kept: each call loads them again. */
export class TtlCache<Value> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { readonly value: Value; readonly readAt: Milliseconds }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the value of a key, which `load` reads unless it is kept. */
  async getOrLoad(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const kept = this.#entries.get(key);
    const readAt = this.#clock();
    if (kept && readAt - kept.readAt < TTL) return kept.value;
    this.#entries.delete(key);
    const value = await load();
    if (value !== undefined) this.#entries.set(key, { value, readAt });
    // A Map keeps the order of insertion: its first key is the oldest one.
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size > MAX_ENTRIES) this.#entries.delete(oldest);
    return value;
  }
}
