import type { Program } from './program.ts';

/** The merchant's server. */
export interface ProgramCaller {
  readonly kind: 'program';
  readonly program: Program;
}

/** One advocate. */
export interface AffiliateCaller {
  readonly kind: 'affiliate';
  readonly program: Program;
  readonly slug: string;
}

/** A page of an origin that the program lists, by the program's public key. */
export interface PageCaller {
  readonly kind: 'page';
  readonly program: Program;
}

/** Whoever reaches the service: nothing is known of them. */
export interface Anyone {
  readonly kind: 'anyone';
}

export type TokenCaller = ProgramCaller | AffiliateCaller;
export type Caller = TokenCaller | PageCaller | Anyone;
export type CallerOf<Kind extends Caller['kind']> = Extract<Caller, { kind: Kind }>;

/** Finds callers. Both methods read the given table, and keep what they found for at most 30 seconds. */
export interface Callers<Table> {
  /** The owner of a token; `undefined` if the token is malformed, unknown, revoked or expired. */
  byToken(table: Table, token: string): Promise<TokenCaller | undefined>;
  /** The program of a public key; `undefined` if the key is unknown. */
  byPublicKey(table: Table, publicKey: string): Promise<Program | undefined>;
}
