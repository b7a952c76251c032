import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Random, randomText } from './ids.ts';

/** The kinds of tokens: `program` belongs to the merchant's server, `affiliate` to one advocate. */
export const TOKEN_KINDS = ['program', 'affiliate'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

const PREFIX: Record<TokenKind, string> = { program: 'rtp_', affiliate: 'rta_' };
// In ascending order of the digits' values in the checksum.
const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const TOKEN = /^rt[pa]_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/**
 * Generates a token: the prefix of its kind, 30 random characters and a checksum of 6 characters. The scheme is
 * GitHub's: https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
export function makeToken(kind: TokenKind, random: Random): string {
  const secret = randomText(BASE_62, SECRET_LENGTH, random);
  return `${PREFIX[kind]}${secret}${checksum(secret)}`;
}

/** True for a well-formed token with a valid checksum. Other texts are rejected without reading the table. */
export function isTokenShaped(text: string): boolean {
  const [, secret, sum] = TOKEN.exec(text) ?? [];
  return secret !== undefined && sum === checksum(secret);
}

/** The SHA-256 of a token in lower-case hex. Only the hash is stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function checksum(secret: string): string {
  let digits = '';
  for (let remainder = crc32(secret); remainder > 0; remainder = Math.floor(remainder / 62)) {
    digits = BASE_62.charAt(remainder % 62) + digits;
  }
  return digits.padStart(CHECKSUM_LENGTH, '0');
}
