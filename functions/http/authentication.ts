import { type Caller, isCallerOf } from '../domain/caller.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Milliseconds } from '../domain/time.ts';
import { learned, type Middleware } from './call.ts';

// RFC 9110 section 11.1: the scheme in any case; RFC 6750 section 2.1: one or more spaces, then the token.
const BEARER = /^bearer +([!-~]+)$/i;

/** Learns the caller from `Authorization: Bearer <token>`: 401 for any token that is not live, 403 for one of another kind. */
export function authentication(
  kind: Caller['kind'],
  authenticate: (token: string, deadline: Milliseconds) => Promise<Caller | undefined>,
): Middleware {
  return {
    before: async ({ event, context }) => {
      const [, token] = BEARER.exec(event.headers['authorization'] ?? '') ?? [];
      const caller = token === undefined ? undefined : await authenticate(token, learned(context.deadline));
      if (!caller) {
        throw new ServiceError(
          'unauthorized',
          'A valid access token is required in the header Authorization, as "Bearer <token>"',
        );
      }
      if (!isCallerOf(caller, kind)) {
        throw new ServiceError('forbidden', `This operation takes the token of ${TOKEN_OWNER[kind]}`);
      }
      context.caller = caller;
    },
  };
}

const TOKEN_OWNER: Record<Caller['kind'], string> = { program: 'a program', affiliate: 'an affiliate' };
