import type { Clock, Milliseconds } from '../domain/time.ts';

/**
 * For this long, in milliseconds, what was read counts as still true: 30 seconds, less one for a read that lags behind
 * the last change.
 */
const REMEMBERED_FOR = 29_000;
const MOST_REMEMBERED = 1000;

/** Remembers what was read of the table for at most 30 seconds. What is not there is asked for again each time. */
export class TtlCache<Value> {
  readonly #clock: Clock;
  readonly #entries = new Map<string, { readonly value: Value; readonly readAt: Milliseconds }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The value under a key, as `read` says where it is not remembered. */
  async getOrLoad(key: string, read: () => Promise<Value | undefined>): Promise<Value | undefined> {
    const known = this.#entries.get(key);
    const readAt = this.#clock();
    if (known && readAt - known.readAt < REMEMBERED_FOR) return known.value;
    this.#entries.delete(key);
    const value = await read();
    if (value !== undefined) this.#entries.set(key, { value, readAt });
    // The oldest goes first: a Map keeps the order in which its entries came.
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= MOST_REMEMBERED) break;
      this.#entries.delete(oldest);
    }
    return value;
  }
}
