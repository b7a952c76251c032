import type { Seconds } from '../../time.ts';
import type { Advocate } from './advocate.ts';
import type { Member } from './member.ts';
import type { Program } from './program.ts';
import type { Scope } from './token.ts';

/** A token as its owner may see it. */
export interface CallingToken {
  /** UUIDv7. */
  readonly id: string;
  readonly name: string | null;
  /** Empty for affiliate tokens. */
  readonly scopes: readonly Scope[];
  readonly expiresAt: Seconds | null;
  readonly createdAt: Seconds;
  /** True for a token from a sign-in. */
  readonly isSession: boolean;
}

/** The merchant's server, or a member who signed in, identified by a program token. */
export interface ProgramCaller {
  readonly kind: 'program';
  readonly program: Program;
  readonly token: CallingToken;
  /** The hash of the token, under which the table has it. It is never logged. */
  readonly tokenHash: string;
  /** The member who signed in, or who created the token. */
  readonly member: Member | null;
}

/** An advocate, identified by an affiliate token. */
export interface AffiliateCaller {
  readonly kind: 'affiliate';
  readonly program: Program;
  readonly advocate: Advocate;
  readonly token: CallingToken;
  readonly tokenHash: string;
}

/** A page of an allowed origin, identified by the program's public key. */
export interface PageCaller {
  readonly kind: 'page';
  readonly program: Program;
}

/** An unauthenticated caller. */
export interface Anyone {
  readonly kind: 'anyone';
}

export type TokenCaller = ProgramCaller | AffiliateCaller;
export type Caller = TokenCaller | PageCaller | Anyone;
export type CallerOf<Kind extends Caller['kind']> = Extract<Caller, { kind: Kind }>;

/** Finds callers in a table, and caches them for at most 30 seconds (docs/contract.md, Authentication). */
export interface Callers<Table> {
  /** The owner of a token; `undefined` if the token is malformed, unknown, revoked or expired. */
  byToken(table: Table, token: string): Promise<TokenCaller | undefined>;
  /** The program of a public key; `undefined` if the key is unknown. */
  byPublicKey(table: Table, publicKey: string): Promise<Program | undefined>;
  /** The program with an id; `undefined` if it is unknown. An id proves nothing: verify the request by other means. */
  byProgramId(table: Table, id: string): Promise<Program | undefined>;
}
