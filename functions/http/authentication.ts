import type { Caller, CallerOf, Callers } from '../domain/caller.ts';
import { ServiceError } from '../domain/errors.ts';
import { listsOrigin } from '../domain/program.ts';
import type { Access } from '../routes.ts';
import type { HttpEvent } from './context.ts';

/** The callers that an access allows. */
export type CallerFor<Allowed extends Access> = CallerOf<
  | (Allowed extends { token: infer Kind extends Caller['kind'] } ? Kind : 'anyone')
  | (Allowed extends { publicKey: true } ? 'page' : never)
>;

/** The sentences of 401 and 403. Those of pages are for routes that accept a public key. */
export const NO_TOKEN = 'A valid access token is required in the header Authorization, as "Bearer <token>"';
export const NO_PUBLIC_KEY =
  'A valid access token is required in the header Authorization, or the public key of a program in pk';
export const wrongToken = (access: Access) =>
  `This operation requires ${access !== 'anyone' && access.token === 'affiliate' ? 'an affiliate' : 'a program'} token`;
export const WRONG_ORIGIN = "pk can replace a token only on pages from the program's allowed origins";

// RFC 9110 section 11.1: the scheme in any case; RFC 6750 section 2.1: one or more spaces, then the token.
const BEARER = /^bearer +([!-~]+)$/i;

/**
 * Finds the caller and checks that the route allows it. Throws 401 for a token or public key that is not valid, 403 for
 * a token of another kind or a page of another origin.
 */
export async function authenticate<Allowed extends Access, Table>(
  access: Allowed,
  event: HttpEvent,
  callers: Callers<Table>,
  table: Table,
  readBody: () => Promise<unknown>,
): Promise<CallerFor<Allowed>> {
  const caller = await identify(access, event, callers, table, readBody);
  if (isAllowed(caller, access)) return caller;
  throw new ServiceError('forbidden', wrongToken(access));
}

async function identify<Table>(
  access: Access,
  { headers: { authorization, origin } }: HttpEvent,
  callers: Callers<Table>,
  table: Table,
  readBody: () => Promise<unknown>,
): Promise<Caller> {
  if (access === 'anyone') return { kind: 'anyone' };
  if (access.publicKey && authorization === undefined) {
    const key = publicKeyOf(await readBody());
    const program = key === undefined ? undefined : await callers.byPublicKey(table, key);
    if (!program) throw new ServiceError('unauthorized', NO_PUBLIC_KEY);
    if (!listsOrigin(program, origin)) throw new ServiceError('forbidden', WRONG_ORIGIN);
    return { kind: 'page', program };
  }
  const token = BEARER.exec(authorization ?? '')?.[1];
  const caller = token === undefined ? undefined : await callers.byToken(table, token);
  if (!caller) throw new ServiceError('unauthorized', NO_TOKEN);
  return caller;
}

/** A page was identified only if the route accepts a public key, and anyone only if it requires no token. */
function isAllowed<Allowed extends Access>(caller: Caller, access: Allowed): caller is CallerFor<Allowed> {
  return access === 'anyone' || caller.kind === 'page' || caller.kind === access.token;
}

function publicKeyOf(body: unknown): string | undefined {
  const hasKey = typeof body === 'object' && body !== null && 'pk' in body;
  return hasKey && typeof body.pk === 'string' ? body.pk : undefined;
}
