import { hash } from 'node:crypto';
import type { Random } from './random.ts';
import { milliseconds, type Seconds } from './time.ts';
import { uuidv7 } from './uuid.ts';

/** Bytes of a SHA-256. */
const BLOCK_LENGTH = 32;

/**
 * An id that depends only on its source, so that a second import of the same click finds it: a UUIDv7 of the second
 * `createdAt`, or of 1970 if that is not known. The source must not hold an email or a uid.
 */
export function derivedId(source: string, createdAt: Seconds | null): string {
  return uuidv7(milliseconds((createdAt ?? 0) * 1000), derivedRandom(source));
}

/** Bytes in place of chance that are always the same for the same source. */
export function derivedRandom(source: string): Random {
  let block = 0;
  return (count) => {
    const blocks: Buffer[] = [];
    for (let length = 0; length < count; length += BLOCK_LENGTH) {
      blocks.push(Buffer.from(hash('sha256', `${block}\n${source}`), 'hex'));
      block += 1;
    }
    return Buffer.concat(blocks, count);
  };
}
