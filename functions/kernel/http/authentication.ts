import type { Caller, CallerOf, Callers, ProgramCaller } from '../accounts/rules/caller.ts';
import { listsOrigin } from '../accounts/rules/program.ts';
import type { Scope } from '../accounts/rules/token.ts';
import { MissingScope, ServiceError } from '../errors.ts';
import { isObject } from '../json.ts';
import type { HttpEvent } from './context.ts';
import type { Access, BearerAccess } from './route.ts';

/** The types of the callers that an access rule admits. */
export type CallerFor<Allowed extends BearerAccess> = CallerOf<
  | (Allowed extends { token: infer Kind extends Caller['kind'] | 'session' | 'any' } ? KindOf<Kind> : 'anyone')
  | (Allowed extends { publicKey: true } ? 'page' : never)
>;

/** Both kinds of tokens can come from a sign-in. */
type KindOf<Kind extends Caller['kind'] | 'session' | 'any'> = Kind extends 'session' | 'any'
  ? 'program' | 'affiliate'
  : Kind;

/** The sentences of 401 and 403. Only routes that accept a public key return NO_PUBLIC_KEY and WRONG_ORIGIN. */
export const NO_TOKEN = 'The access token is missing or not valid: send the header Authorization: Bearer <token>';
const NO_PUBLIC_KEY =
  'Authorization is missing, and pk is not the public key of a program: send an access token or a valid pk';
export const wrongToken = (access: Access) => {
  const kind = typeof access === 'object' ? access.token : 'program';
  if (kind === 'session') return 'This operation requires a token from a sign-in';
  return `This operation requires ${kind === 'affiliate' ? 'an affiliate' : 'a program'} token`;
};
const WRONG_ORIGIN =
  "Origin is not one of the program's allowed origins: allow it, or report the conversion from your server";

// The scheme in any case (RFC 9110 section 11.1), one or more spaces, and the token (RFC 6750 section 2.1).
const BEARER = /^bearer +([!-~]+)$/i;

/** A request whose caller is not yet known. */
interface UnauthenticatedRequest<Table> {
  readonly event: HttpEvent;
  readonly callers: Callers<Table>;
  readonly table: Table;
  readonly readBody: () => Promise<unknown>;
}

/**
 * Identifies the caller and checks that the route admits it. Throws 401 without a valid token or public key, and
 * 403 for a token of the wrong kind or without the route's scope, or an origin that is not allowed. Reads the body only
 * to find a public key.
 */
export async function authenticate<Allowed extends BearerAccess, Table>(
  access: Allowed,
  request: UnauthenticatedRequest<Table>,
): Promise<CallerFor<Allowed>> {
  const caller = await identify(access, request);
  if (caller.kind === 'program' && access !== 'anyone' && access.scope) {
    const isOther = access.orScope !== undefined && caller.token.scopes.includes(access.orScope);
    if (!isOther) requireScope(caller, access.scope);
  }
  if (isAllowed(caller, access)) return caller;
  throw new ServiceError('forbidden', wrongToken(access));
}

async function identify<Table>(
  access: BearerAccess,
  { event, callers, table, readBody }: UnauthenticatedRequest<Table>,
): Promise<Caller> {
  const { authorization, origin } = event.headers;
  if (access === 'anyone') return { kind: 'anyone' };
  if (access.publicKey && authorization === undefined) {
    const publicKey = readPublicKey(await readBody());
    const program = publicKey === undefined ? undefined : await callers.byPublicKey(table, publicKey);
    if (!program) throw new ServiceError('unauthorized', NO_PUBLIC_KEY);
    if (!listsOrigin(program, origin)) throw new ServiceError('forbidden', WRONG_ORIGIN);
    return { kind: 'page', program };
  }
  const token = BEARER.exec(authorization ?? '')?.[1];
  const caller = token === undefined ? undefined : await callers.byToken(table, token);
  if (!caller) throw new ServiceError('unauthorized', NO_TOKEN);
  return caller;
}

/** Pages need no check: `identify` returns a page only on a route that accepts a public key. */
function isAllowed<Allowed extends BearerAccess>(caller: Caller, access: Allowed): caller is CallerFor<Allowed> {
  if (access === 'anyone' || caller.kind === 'page') return true;
  if (access.token !== 'session' && access.token !== 'any') return caller.kind === access.token;
  return 'token' in caller && (access.token === 'any' || caller.token.isSession);
}

/** Throws `MissingScope` if the token does not have the scope. */
export function requireScope({ token }: ProgramCaller, scope: Scope): void {
  if (!token.scopes.includes(scope)) throw new MissingScope(scope);
}

/** Throws `MissingScope` if a body sets one of these fields and the token lacks the scope. */
export function requireScopeFor(caller: ProgramCaller, scope: Scope, fields: readonly string[], body: unknown): void {
  if (setsAny(fields, body)) requireScope(caller, scope);
}

/** True if a body has one of these fields, also as `null`. */
export function setsAny(fields: readonly string[], body: unknown): boolean {
  return isObject(body) && fields.some((name) => Object.hasOwn(body, name));
}

function readPublicKey(body: unknown): string | undefined {
  const hasKey = typeof body === 'object' && body !== null && 'pk' in body;
  return hasKey && typeof body.pk === 'string' ? body.pk : undefined;
}
