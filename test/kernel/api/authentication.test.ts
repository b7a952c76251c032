import { describe, expect, test } from '@jest/globals';
import type { Route } from '../../../functions/kernel/http/route.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import { listTokens, revokeToken } from '../../../functions/program/operator/tokens.ts';
import { type OperationId, ROUTES } from '../../../functions/routes.ts';
import { ALL_DRIVERS, type ApiRequest } from '../../support/drivers.ts';
import { aSession, aToken, now } from '../../support/program.ts';
import { useProgram } from '../../support/use-table.ts';

const { table, program, advocate } = await useProgram();
const revoked = await aToken(table, program);
const [newest] = await listTokens(table, program.id);
await revokeToken(table, program.id, newest?.id ?? '');
const tokens: Record<string, string> = {
  program: await aToken(table, program),
  affiliate: await aToken(table, program, advocate),
  expired: await aToken(table, program, undefined, seconds(now() - 1)),
  revoked,
};

const OPERATIONS = Object.entries<Route>(ROUTES)
  .flatMap(([operation, { access }]) =>
    typeof access === 'object' ? [{ operation: operation as OperationId, ...access }] : [],
  )
  .map(({ operation, token, publicKey }) => ({
    operation,
    right: token === 'any' ? 'affiliate' : token,
    // No kind is wrong for an operation that admits any.
    wrong: token === 'any' ? [] : [token === 'affiliate' ? 'program' : 'affiliate'],
    isBodyRead: publicKey,
  }));

const INVALID: [name: string, headers: () => Record<string, string>][] = [
  ['no header', () => ({})],
  ['an empty header', () => ({ authorization: '' })],
  ['another scheme', () => ({ authorization: `Basic ${tokens['program']}` })],
  ['a token without a scheme', () => ({ authorization: tokens['program'] ?? '' })],
  ['two tokens', () => ({ authorization: `Bearer ${tokens['program']}, Bearer ${tokens['program']}` })],
  ['a wrong checksum', () => ({ authorization: `Bearer ${tokens['program']?.slice(0, -1)}!` })],
  ['an unknown token', () => ({ authorization: `Bearer rtp_${'0'.repeat(36)}` })],
  ['a revoked token', () => ({ authorization: `Bearer ${tokens['revoked']}` })],
  ['an expired token', () => ({ authorization: `Bearer ${tokens['expired']}` })],
];

describe.each(ALL_DRIVERS)('authentication through %s', (_, connect) => {
  const send = connect(table);
  // The body and the query are also invalid, which a caller without a valid token must not learn.
  const invalid = (operation: OperationId): ApiRequest =>
    ROUTES[operation].method === 'POST' ? { operation, body: 'x'.repeat(20_000) } : { operation, query: 'page=0' };

  describe.each(OPERATIONS)('$operation', ({ operation, right, wrong, isBodyRead }) => {
    // A page may send its public key in the body instead: if there is no token, the body is read first.
    test('every request without a valid token returns the same 401', async () => {
      for (const [name, headers] of INVALID.slice(isBodyRead ? 1 : 0)) {
        const { status, json, headers: received } = await send({ ...invalid(operation), headers: headers() });
        const error = 'The access token is missing or not valid: send the header Authorization: Bearer <token>';
        const found = [name, status, received['www-authenticate'], received['x-error-code'], json];
        expect(found).toEqual([name, 401, 'Bearer', 'unauthorized', { error }]);
      }
    });

    test('a token of the wrong kind returns 403, and the right one is accepted with the scheme in any case', async () => {
      for (const kind of wrong) {
        const { status, headers } = await send({ ...invalid(operation), token: tokens[kind] ?? '' });
        expect([status, headers['x-error-code']]).toEqual([403, 'forbidden']);
      }
      // It has no secrets to remove here.
      if (operation === 'disconnectStripe') return;
      // The request may end its own session.
      const token = right === 'session' ? await aSession(table, program, advocate) : tokens[right];
      const accepted = await send({ ...invalid(operation), headers: { authorization: `bEARER  ${token}` } });
      expect([401, 403, 500, 503]).not.toContain(accepted.status);
    });
  });
});
