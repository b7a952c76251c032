import { hash } from 'node:crypto';

/** Counts equal lines of a file. */
export class EqualLines {
  // A hash of 32 bits is a number that a map holds in little room: some 30 MB for a million lines. That two lines share
  // one does no harm: their numbers are the same at each import of the file all the same.
  readonly #counts = new Map<number, number>();

  /** How many equal lines came before this one. */
  numberOf(line: string): number {
    const key = hash('sha256', line, 'buffer').readInt32LE();
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return count;
  }
}
