import { type Callers, isCallerOf, type TokenCaller } from '../domain/caller.ts';
import { ServiceError } from '../domain/errors.ts';
import { listsOrigin } from '../domain/program.ts';
import type { Access } from '../routes.ts';
import { type HttpEvent, learned, type Middleware } from './context.ts';

// RFC 9110 section 11.1: the scheme in any case; RFC 6750 section 2.1: one or more spaces, then the token.
const BEARER = /^bearer +([!-~]+)$/i;

/**
 * Learns the caller from `Authorization: Bearer <token>`: 401 for any token that is not live, 403 for one of another
 * kind. A page has no token: who it is, `pageAuthentication` learns from the body.
 */
export function authentication<Table>(access: Access, callers: Callers<Table>): Middleware<unknown, Table> {
  return {
    before: async ({ event, context }) => {
      if (access === 'anyone') {
        context.caller = { kind: 'anyone' };
        return;
      }
      if (access === 'program or page' && event.headers['authorization'] === undefined) return;
      const kind = access === 'affiliate' ? access : 'program';
      const token = tokenOf(event);
      const caller = token === undefined ? undefined : await callers.byToken(learned(context.table), token);
      if (!caller) {
        throw new ServiceError(
          'unauthorized',
          'A valid access token is required in the header Authorization, as "Bearer <token>"',
        );
      }
      if (!isCallerOf(caller, [kind])) {
        throw new ServiceError('forbidden', `This operation takes the token of ${TOKEN_OWNER[kind]}`);
      }
      context.caller = caller;
    },
  };
}

/**
 * Learns the page that calls from `pk` in the body where no token was sent: 401 for no or an unknown public key, 403 for
 * a page of an origin that the program does not list.
 */
export function pageAuthentication<Table>(callers: Callers<Table>): Middleware<unknown, Table> {
  return {
    before: async ({ event, context }) => {
      if (context.caller) return;
      const publicKey = publicKeyOf(context.json);
      const program =
        publicKey === undefined ? undefined : await callers.byPublicKey(learned(context.table), publicKey);
      if (!program) {
        throw new ServiceError(
          'unauthorized',
          'A valid access token is required in the header Authorization, or the public key of a program in pk',
        );
      }
      if (!listsOrigin(program, event.headers['origin'])) {
        throw new ServiceError('forbidden', 'pk stands for a token only on pages of origins that the program lists');
      }
      context.caller = { kind: 'page', program };
    },
  };
}

function tokenOf({ headers }: HttpEvent): string | undefined {
  return BEARER.exec(headers['authorization'] ?? '')?.[1];
}

function publicKeyOf(json: unknown): string | undefined {
  const isThere = typeof json === 'object' && json !== null && 'pk' in json;
  return isThere && typeof json.pk === 'string' ? json.pk : undefined;
}

const TOKEN_OWNER: Record<TokenCaller['kind'], string> = { program: 'a program', affiliate: 'an affiliate' };
