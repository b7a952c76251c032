import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Random, randomText } from '../../ids.ts';
import type { Seconds } from '../../time.ts';
import type { Advocate } from './advocate.ts';

/** The kinds of tokens: `program` belongs to the merchant's server, `affiliate` to one advocate. */
export const TOKEN_KINDS = ['program', 'affiliate'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** What a program token allows, in the order in which tokens list it. */
export const SCOPES = ['read', 'track', 'advocates', 'payouts', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export const MAX_TOKEN_NAME = 100;
/** The largest number of program tokens of a program that are neither revoked nor expired. */
export const MAX_PROGRAM_TOKENS = 1000;

/** The scopes of a program token whose creator chose none. */
export const DEFAULT_SCOPES: readonly Scope[] = ['read', 'track', 'advocates'];

/** The scopes of a list in the order of `SCOPES`, each once. */
export const sortedScopes = (scopes: readonly Scope[]): readonly Scope[] =>
  SCOPES.filter((scope) => scopes.includes(scope));

/** A token. Its secret is not part of it. */
export interface TokenRecord {
  /** UUIDv7. */
  readonly id: string;
  readonly kind: TokenKind;
  readonly name: string | null;
  /** In the order of `SCOPES`; empty for an affiliate token. */
  readonly scopes: readonly Scope[];
  readonly advocateSlug: string | null;
  /** The advocate's `tokensRevokedAt` when the token was created. */
  readonly advocateTokensRevokedAt: Seconds | null;
  /** True for a token from a sign-in. */
  readonly isSession: boolean;
  /** The advocate's `emailVersion` at its sign-in, which ends with another email. */
  readonly emailVersion: number | null;
  /** The member who signed in, or who created the token. */
  readonly memberId: string | null;
  /** The member's `sessionsEndedAt` at the sign-in. */
  readonly memberSessionsEndedAt: Seconds | null;
  readonly createdAt: Seconds;
  readonly expiresAt: Seconds | null;
  readonly revokedAt: Seconds | null;
}

/** What the creator of a token chooses. A token without an advocate is a program token. */
export type TokenDraft = Partial<Pick<TokenRecord, 'name' | 'scopes' | 'expiresAt' | 'isSession'>> & {
  readonly advocate?: Pick<Advocate, 'slug' | 'tokensRevokedAt' | 'emailVersion'> | null;
  readonly member?: { readonly id: string; readonly sessionsEndedAt: Seconds | null } | null;
};

/** Creates a token. */
export function newToken(draft: TokenDraft, id: string, createdAt: Seconds): TokenRecord {
  const { name = null, scopes = DEFAULT_SCOPES, advocate = null, member = null, expiresAt = null } = draft;
  const { isSession = false } = draft;
  const owner = {
    advocateSlug: advocate?.slug ?? null,
    advocateTokensRevokedAt: advocate?.tokensRevokedAt ?? null,
    emailVersion: isSession && advocate ? advocate.emailVersion : null,
    memberId: member?.id ?? null,
    memberSessionsEndedAt: isSession && member ? member.sessionsEndedAt : null,
  };
  const common = { id, name, ...owner, isSession, createdAt, expiresAt, revokedAt: null };
  return advocate === null
    ? { ...common, kind: 'program', scopes: sortedScopes(scopes) }
    : { ...common, kind: 'affiliate', scopes: [] };
}

/** Orders tokens from the newest to the oldest. */
export const newestFirst = (one: TokenRecord, other: TokenRecord): number =>
  other.createdAt - one.createdAt || (one.id < other.id ? 1 : -1);

/** True if the token is neither revoked nor expired. */
export function isLive({ expiresAt, revokedAt }: TokenRecord, now: Seconds): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

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
