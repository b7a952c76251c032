import { setImmediate } from 'node:timers/promises';
import { type Milliseconds, milliseconds } from '../../functions/kernel/time.ts';

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
  bytes = (size: number): Buffer => {
    const bytes = Buffer.allocUnsafe(size);
    for (let at = 0; at < size; at += 1) bytes[at] = this.below(256);
    return bytes;
  };
}

/** A world does not come to its end. */
export class Hang extends Error {
  override readonly name = 'Hang';
}

/** The start of every simulated world: late in March 2026, UTC. Its second part is often in another month. */
const START = Date.UTC(2026, 2, 28);
/** In milliseconds. The ledger allows clocks that differ by 20 seconds (docs/contract/ledger.md, Sums). */
const LARGE_SKEW = 10_000;
const SMALL_SKEW = 2000;
/** Turns of the event loop that a command may take between two requests. */
const MAX_TURNS = 10_000;

const tick = () => new Promise<void>((resume) => process.nextTick(resume));

/**
 * One thread with virtual time. Whatever waits is resumed in the order of its moment, so that all requests are
 * interleaved, and the same seed replays the same interleaving. No time passes while nothing waits.
 */
export class World {
  readonly chance: Chance;
  readonly seed: number;
  /** How far a clock may be off, in milliseconds. In some worlds, two clocks differ by the most that the ledger allows. */
  readonly skew: number;
  readonly #waiting = new Heap();
  #now = START;
  #order = 0;
  #steps: number;
  #commands = 0;

  /** After `steps` pauses, `run` throws `Hang`. */
  constructor(seed: number, steps = Number.POSITIVE_INFINITY) {
    this.seed = seed;
    this.skew = seed % 4 === 0 ? LARGE_SKEW : SMALL_SKEW;
    this.chance = new Chance(seed);
    this.#steps = steps;
  }

  now = (): Milliseconds => milliseconds(this.#now);

  /** Resolves after a number of milliseconds of virtual time. */
  pause = (duration: number): Promise<void> =>
    new Promise((resume) => {
      this.#order += 1;
      this.#waiting.push({ at: this.#now + duration, order: this.#order, resume });
    });

  /** Runs a command of the operator. It uses streams, which also wait for the event loop. */
  async command<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#commands += 1;
    return work().finally(() => {
      this.#commands -= 1;
    });
  }

  /** Runs until a task has ended; without a task, until nothing waits. Throws its error, or `Hang`. */
  async run(task?: Promise<unknown>): Promise<void> {
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
    };
    task?.then(end, end);
    for (let turns = 0; !hasEnded && turns < MAX_TURNS; turns += 1) {
      // Whatever was resumed runs on until it waits again: only microtasks, and the event loop's turns of commands.
      await (this.#commands > 0 ? setImmediate() : tick());
      if (hasEnded) break;
      if (this.#resumeNext()) turns = 0;
      else if (this.#commands === 0) break;
    }
    if (task && !hasEnded) throw new Hang('A task waits for something that never happens');
    await task;
  }

  /** Resumes what waits for the next moment. Returns false if nothing waits. */
  #resumeNext(): boolean {
    const next = this.#waiting.pop();
    if (!next) return false;
    this.#steps -= 1;
    if (this.#steps < 0) throw new Hang('The world takes far more steps than others of its size');
    this.#now = Math.max(this.#now, next.at);
    next.resume();
    return true;
  }
}

/** Something that continues at a moment. */
interface Wake {
  readonly at: number;
  /** Separates equal moments, so that their order depends on the seed only. */
  readonly order: number;
  readonly resume: () => void;
}

const isEarlier = (one: Wake, other: Wake) => one.at < other.at || (one.at === other.at && one.order < other.order);

/** A binary heap: the earliest one comes first. */
class Heap {
  readonly #wakes: Wake[] = [];

  push(wake: Wake): void {
    const wakes = this.#wakes;
    let at = wakes.length;
    for (wakes.push(wake); at > 0; ) {
      const above = (at - 1) >> 1;
      const parent = wakes[above];
      if (!parent || isEarlier(parent, wake)) break;
      wakes[at] = parent;
      at = above;
    }
    wakes[at] = wake;
  }

  pop(): Wake | undefined {
    const wakes = this.#wakes;
    const [first] = wakes;
    const last = wakes.pop();
    if (!last || wakes.length === 0) return last;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      let child = wakes[below];
      const right = wakes[below + 1];
      if (child && right && isEarlier(right, child)) {
        child = right;
        below += 1;
      }
      if (!child || isEarlier(last, child)) break;
      wakes[at] = child;
      at = below;
    }
    wakes[at] = last;
    return first;
  }
}
