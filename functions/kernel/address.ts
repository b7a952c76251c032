import { createHash } from 'node:crypto';

/** The name of an address in keys: the SHA-256 in lower-case hex. No key contains an address. */
export const addressHash = (email: string): string => createHash('sha256').update(email).digest('hex');
