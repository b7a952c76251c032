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

/** Who a token speaks for. */
export type Caller = ProgramCaller | AffiliateCaller;
export type CallerOf<Kind extends Caller['kind']> = Extract<Caller, { kind: Kind }>;

/** True where the caller is of the kind. */
export function isCallerOf<Kind extends Caller['kind']>(
  caller: Caller,
  kind: Kind,
): caller is CallerOf<Kind> {
  return caller.kind === kind;
}
