import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Random, randomText } from './ids.ts';

/** The owner of a token: `program` is the merchant's server, `affiliate` one advocate. */
export const TOKEN_KINDS = ['program', 'affiliate'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

const PREFIX: Record<TokenKind, string> = { program: 'rtp_', affiliate: 'rta_' };
// Digits, capitals, lower case: the values of the checksum's digits, in ascending order.
const BASE_62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const TOKEN = /^rt[pa]_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/**
 * Generates a token: the kind's prefix, 30 random characters, 6 characters of checksum. This is GitHub's scheme:
 * https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
export function makeToken(kind: TokenKind, random: Random): string {
  const secret = randomText(BASE_62, SECRET_LENGTH, random);
  return `${PREFIX[kind]}${secret}${checksum(secret)}`;
}

/** True if a text has the form of a token and the right checksum. Other texts need no read of the table. */
export function isTokenShaped(text: string): boolean {
  const [, secret, sum] = TOKEN.exec(text) ?? [];
  return secret !== undefined && sum === checksum(secret);
}

/** The SHA-256 of a token in lower-case hex: only this is stored. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function checksum(secret: string): string {
  let digits = '';
  for (let rest = crc32(secret); rest > 0; rest = Math.floor(rest / 62)) {
    digits = BASE_62.charAt(rest % 62) + digits;
  }
  return digits.padStart(CHECKSUM_LENGTH, '0');
}
