import { hash } from 'node:crypto';

/** Places of an empty table. */
const FIRST_SIZE = 1 << 16;
const MAX_LOAD = 0.75;

/**
 * Counts equal lines of a file, by hashes of 32 bits: a map of numbers would take twice the 16 MB that a million lines
 * take here. That two lines share a hash does no harm: at each import of the file they get the same numbers.
 */
export class EqualLines {
  /** The hash that has a place; 0 where it is free. */
  #hashes = new Int32Array(FIRST_SIZE);
  /** How many lines had that hash. */
  #counts = new Int32Array(FIRST_SIZE);
  #used = 0;

  /** How many equal lines came before this one. */
  numberOf(line: string): number {
    if (this.#used > this.#hashes.length * MAX_LOAD) this.#grow();
    const own = hash('sha256', line, 'buffer').readInt32LE() || 1;
    const place = placeOf(this.#hashes, own);
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
      const newPlace = placeOf(hashes, own);
      hashes[newPlace] = own;
      counts[newPlace] = this.#counts[place] ?? 0;
    }
    this.#hashes = hashes;
    this.#counts = counts;
  }
}

/** The place of a hash, or the free one where it belongs. */
function placeOf(hashes: Int32Array, own: number): number {
  let place = (own >>> 0) % hashes.length;
  while (hashes[place] !== 0 && hashes[place] !== own) place = (place + 1) % hashes.length;
  return place;
}
