import type { Random } from './random.ts';
import { type Milliseconds, milliseconds } from './time.ts';

/** The form of a UUIDv7 in lower case, without anchors. */
export const UUIDV7_PATTERN = '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';

const UUIDV7 = new RegExp(`^${UUIDV7_PATTERN}$`);

/** True for a UUIDv7 in lower case. */
export function isUuidv7(text: string): boolean {
  return UUIDV7.test(text);
}

/** The time at which a UUIDv7 was generated, as its first 48 bits say (RFC 9562 section 5.7). */
export function timeOfUuidv7(id: string): Milliseconds {
  return milliseconds(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** Makes a UUIDv7 in lower case from a moment and 10 random bytes (RFC 9562 section 5.7). */
export function uuidv7(moment: Milliseconds, random: Random): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.floor(moment), 0, 6);
  bytes.set(random(10), 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
