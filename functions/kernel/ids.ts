import { hash } from 'node:crypto';
import { InvalidField } from './errors.ts';
import { type Milliseconds, milliseconds, type Seconds } from './time.ts';

/** Returns `count` random bytes. It is always passed as a parameter, so that tests can choose the bytes. */
export type Random = (count: number) => Uint8Array;

/** Returns random characters of an alphabet with equal probability. The alphabet has at most 256 UTF-16 units. */
export function randomText(alphabet: string, length: number, random: Random): string {
  // Bytes beyond the largest multiple of the alphabet's length are skipped: they would make some characters likelier.
  const limit = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < limit && text.length < length) text += alphabet.charAt(byte % alphabet.length);
    }
  }
  return text;
}

/** The pattern of a UUIDv7 in lower case, without anchors. */
export const UUIDV7_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

const UUIDV7 = new RegExp(`^${UUIDV7_PATTERN}$`);

/** True for a UUIDv7 in lower case. */
export function isUuidv7(text: string): boolean {
  return UUIDV7.test(text);
}

/** Checks the id of a referral. Throws `InvalidField`. */
export function parseId(field: string, text: string): string {
  if (!isUuidv7(text)) throw new InvalidField(field, 'must be the id of a referral: a UUIDv7 in lower case');
  return text;
}

/** The time at which a UUIDv7 was generated: its first 48 bits (RFC 9562 section 5.7). */
export function timeOfUuidv7(id: string): Milliseconds {
  return milliseconds(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** Generates a UUIDv7 in lower case from a moment and 10 random bytes (RFC 9562 section 5.7). */
export function uuidv7(moment: Milliseconds, random: Random): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.floor(moment), 0, 6);
  bytes.set(random(10), 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Bytes of a SHA-256. */
const BLOCK_LENGTH = 32;

/**
 * Derives an id from a source text, so that a second import of the same click gets the same id: a UUIDv7 with the time
 * `createdAt`, or 1970 if that is unknown. The source must not contain an email or a uid (docs/contract.md, Privacy).
 */
export function derivedId(source: string, createdAt: Seconds | null): string {
  return uuidv7(milliseconds((createdAt ?? 0) * 1000), derivedRandom(source));
}

/** Returns a generator of bytes that depend only on the source. */
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
