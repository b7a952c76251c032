import { hash } from 'node:crypto';

/** Enough for a million lines. A table that grows keeps its old memory until the next garbage collection. */
const SLOTS = 1 << 21;
const MAX_LOAD = 0.75;

/**
 * Counts equal lines of a file by hashes of 32 bits. A million lines need 16 MB, a third of a `Map`. Lines with
 * colliding hashes are counted together, which is harmless: every import of the file gives them the same numbers.
 */
export class DuplicateCounter {
  /** The hash in each slot; 0 if the slot is free. The first line creates the table: many files never need it. */
  #hashes = new Int32Array();
  /** The number of lines with the hash in the same slot. */
  #counts = new Int32Array();
  #used = 0;
  #nextSlots: number;

  constructor(slots = SLOTS) {
    this.#nextSlots = slots;
  }

  /** Counts a line, and returns the number of equal lines before it. */
  numberOf(line: string): number {
    if (this.#used >= this.#hashes.length * MAX_LOAD) this.#grow();
    // No line has the hash 0, which marks a free slot.
    return this.#add(Number.parseInt(hash('sha256', line).slice(0, 8), 16) | 0 || 1, 1);
  }

  /** Adds `count` lines with a hash, and returns the number of such lines before. */
  #add(hashed: number, count: number): number {
    const hashes = this.#hashes;
    let slot = (hashed >>> 0) % hashes.length;
    while (hashes[slot] !== 0 && hashes[slot] !== hashed) slot = (slot + 1) % hashes.length;
    const before = this.#counts[slot] ?? 0;
    if (before === 0) this.#used += 1;
    hashes[slot] = hashed;
    this.#counts[slot] = before + count;
    return before;
  }

  #grow(): void {
    const [hashes, counts] = [this.#hashes, this.#counts];
    this.#hashes = new Int32Array(this.#nextSlots);
    this.#counts = new Int32Array(this.#nextSlots);
    this.#nextSlots *= 2;
    this.#used = 0;
    for (const [slot, hashed] of hashes.entries()) if (hashed !== 0) this.#add(hashed, counts[slot] ?? 0);
  }
}
