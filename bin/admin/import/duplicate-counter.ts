import { hash } from 'node:crypto';

/** Enough for a file of a million lines. A table that grows leaves the memory of the smaller one behind for some time. */
const SLOTS = 1 << 21;
const MAX_LOAD = 0.75;

/**
 * Counts equal lines of a file, by hashes of 32 bits: 16 MB for a million lines, a third of what a `Map` takes. Two lines
 * may share a hash: each import of the file gives them the same numbers.
 */
export class DuplicateCounter {
  /** The hash in each slot; 0 if the slot is free. */
  #hashes: Int32Array;
  /** How many lines had that hash. */
  #counts: Int32Array;
  #used = 0;

  constructor(slots = SLOTS) {
    this.#hashes = new Int32Array(slots);
    this.#counts = new Int32Array(slots);
  }

  /** Counts a line, and returns how many equal lines came before it. */
  numberOf(line: string): number {
    if (this.#used > this.#hashes.length * MAX_LOAD) this.#grow();
    // No line has the hash 0, which marks a free slot.
    return this.#add(Number.parseInt(hash('sha256', line).slice(0, 8), 16) | 0 || 1, 1);
  }

  /** Adds `count` lines with a hash, and returns how many there were before. */
  #add(own: number, count: number): number {
    const hashes = this.#hashes;
    let slot = (own >>> 0) % hashes.length;
    while (hashes[slot] !== 0 && hashes[slot] !== own) slot = (slot + 1) % hashes.length;
    const before = this.#counts[slot] ?? 0;
    if (before === 0) this.#used += 1;
    hashes[slot] = own;
    this.#counts[slot] = before + count;
    return before;
  }

  #grow(): void {
    const [hashes, counts] = [this.#hashes, this.#counts];
    this.#hashes = new Int32Array(2 * hashes.length);
    this.#counts = new Int32Array(2 * hashes.length);
    this.#used = 0;
    for (const [slot, own] of hashes.entries()) if (own !== 0) this.#add(own, counts[slot] ?? 0);
  }
}
