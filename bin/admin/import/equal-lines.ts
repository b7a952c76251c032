import { hash } from 'node:crypto';

/** Places of a table that grows for no file of a million lines: what it leaves behind when it grows is memory for some time. */
const PLACES = 1 << 21;
const MAX_LOAD = 0.75;

/**
 * Counts equal lines of a file, by hashes of 32 bits: a map of numbers would take twice the 16 MB that a million lines
 * take here. That two lines share a hash does no harm: at each import of the file they get the same numbers.
 */
export class DuplicateCounter {
  /** The hash that has a place; 0 where it is free. */
  #hashes: Int32Array;
  /** How many lines had that hash. */
  #counts: Int32Array;
  #used = 0;

  constructor(places = PLACES) {
    this.#hashes = new Int32Array(places);
    this.#counts = new Int32Array(places);
  }

  /** How many equal lines came before this one. */
  numberOf(line: string): number {
    if (this.#used > this.#hashes.length * MAX_LOAD) this.#grow();
    const own = hashOf(line);
    const place = targetOf(this.#hashes, own);
    const number = this.#counts[place] ?? 0;
    if (number === 0) this.#used += 1;
    this.#hashes[place] = own;
    this.#counts[place] = number + 1;
    return number;
  }

  #grow(): void {
    const hashes = new Int32Array(2 * this.#hashes.length);
    const counts = new Int32Array(hashes.length);
    for (const [place, own] of this.#hashes.entries()) {
      if (own === 0) continue;
      const newPlace = targetOf(hashes, own);
      hashes[newPlace] = own;
      counts[newPlace] = this.#counts[place] ?? 0;
    }
    this.#hashes = hashes;
    this.#counts = counts;
  }
}

function hashOf(line: string): number {
  const bits = Number.parseInt(hash('sha256', line).slice(0, 8), 16) | 0;
  return bits === 0 ? 1 : bits;
}

/** The place of a hash, or the free one where it belongs. */
function targetOf(hashes: Int32Array, own: number): number {
  let place = (own >>> 0) % hashes.length;
  while (hashes[place] !== 0 && hashes[place] !== own) place = (place + 1) % hashes.length;
  return place;
}
