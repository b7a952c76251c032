import { type Milliseconds, milliseconds } from '../../functions/domain/time.ts';

/** Random numbers from a seed. The same seed gives the same numbers. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0 and less than 1 (mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** True with a probability. */
  happens(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number that is less than `limit`. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** One of some values. */
  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.below(values.length)];
    if (value === undefined) throw new RangeError('There is nothing to choose from.');
    return value;
  }

  /** Random bytes, as `node:crypto` returns them. */
  bytes = (size: number): Buffer => Buffer.from(Array.from({ length: size }, () => this.below(256)));
}

/** Something that continues at a moment. */
interface Wake {
  readonly at: number;
  /** Separates equal moments, so that their order depends on the seed only. */
  readonly order: number;
  readonly resume: () => void;
}

/** The start of every simulated world: 1 March 2026, UTC. */
const START = Date.UTC(2026, 2, 1);

/**
 * One thread with virtual time. Whatever waits is resumed in the order of its moment, so that all requests are
 * interleaved, and the same seed replays the same interleaving. No time passes while nothing waits.
 */
export class World {
  readonly chance: Chance;
  #now = START;
  #order = 0;
  /** A binary heap, the next one first. */
  readonly #waiting: Wake[] = [];

  constructor(seed: number) {
    this.chance = new Chance(seed);
  }

  now = (): Milliseconds => milliseconds(this.#now);

  /** Resolves after a number of milliseconds of virtual time. */
  pause = (duration: number): Promise<void> =>
    new Promise((resume) => {
      this.#order += 1;
      this.#push({ at: this.#now + duration, order: this.#order, resume });
    });

  /** Runs until all tasks have ended, or nothing waits any more: then a task hangs, and `run` throws. */
  async run(tasks: readonly Promise<unknown>[]): Promise<void> {
    let hasEnded = false;
    let failure: unknown;
    Promise.all(tasks).then(
      () => {
        hasEnded = true;
      },
      (error: unknown) => {
        hasEnded = true;
        failure = error;
      },
    );
    for (;;) {
      // Everything that was resumed runs on until it waits again: only microtasks lie between.
      await new Promise(setImmediate);
      if (hasEnded) break;
      const next = this.#pop();
      if (!next) throw new Error('A task waits for something that never happens.');
      this.#now = Math.max(this.#now, next.at);
      next.resume();
    }
    if (failure !== undefined) throw failure;
  }

  #push(wake: Wake): void {
    let at = this.#waiting.push(wake) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#isEarlier(at, parent)) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #pop(): Wake | undefined {
    if (this.#waiting.length > 1) this.#swap(0, this.#waiting.length - 1);
    const next = this.#waiting.pop();
    for (let at = 0; ; ) {
      const children = [2 * at + 1, 2 * at + 2].filter((child) => child < this.#waiting.length);
      const [left, right] = children;
      const least = left !== undefined && right !== undefined && this.#isEarlier(right, left) ? right : left;
      if (least === undefined || !this.#isEarlier(least, at)) return next;
      this.#swap(least, at);
      at = least;
    }
  }

  #isEarlier(one: number, other: number): boolean {
    const [a, b] = [this.#waiting[one], this.#waiting[other]];
    return a !== undefined && b !== undefined && (a.at < b.at || (a.at === b.at && a.order < b.order));
  }

  #swap(one: number, other: number): void {
    const [a, b] = [this.#waiting[one], this.#waiting[other]];
    if (a && b) [this.#waiting[one], this.#waiting[other]] = [b, a];
  }
}
