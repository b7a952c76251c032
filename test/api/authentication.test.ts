import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Advocate } from '../../functions/domain/advocate.ts';
import type { Program } from '../../functions/domain/program.ts';
import { seconds } from '../../functions/domain/time.ts';
import { type OperationId, ROUTES, type Route } from '../../functions/routes.ts';
import { listTokens, revokeToken } from '../../functions/table/tokens.ts';
import { type Ask, DRIVERS } from '../support/drivers.ts';
import { anAdvocate, aProgram, aToken, now } from '../support/program.ts';
import { useTable } from '../support/use-table.ts';

const table = useTable();
let program: Program;
let advocate: Advocate;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  program = await aProgram(table);
  advocate = await anAdvocate(table, program);
  const revoked = await aToken(table, program);
  const [newest] = await listTokens(table, program.id);
  await revokeToken(table, program.id, newest?.id ?? '', now());
  Object.assign(tokens, {
    program: await aToken(table, program),
    affiliate: await aToken(table, program, advocate),
    expired: await aToken(table, program, undefined, seconds(now() - 1)),
    revoked,
  });
});

const OPERATIONS = Object.entries<Route>(ROUTES)
  .filter(([, { access }]) => access !== 'anyone')
  .map(([operation, { access }]) => ({
    operation: operation as OperationId,
    right: access === 'affiliate' ? 'affiliate' : 'program',
    wrong: access === 'affiliate' ? 'program' : 'affiliate',
  }));

const UNUSABLE: [what: string, headers: () => Record<string, string>][] = [
  ['none', () => ({})],
  ['an empty one', () => ({ authorization: '' })],
  ['another scheme', () => ({ authorization: `Basic ${tokens['program']}` })],
  ['a token without scheme', () => ({ authorization: tokens['program'] ?? '' })],
  ['two tokens', () => ({ authorization: `Bearer ${tokens['program']}, Bearer ${tokens['program']}` })],
  ['a wrong checksum', () => ({ authorization: `Bearer ${tokens['program']?.slice(0, -1)}!` })],
  ['an unknown token', () => ({ authorization: `Bearer rtp_${'0'.repeat(36)}` })],
  ['a revoked token', () => ({ authorization: `Bearer ${tokens['revoked']}` })],
  ['an expired token', () => ({ authorization: `Bearer ${tokens['expired']}` })],
];

describe.each(DRIVERS)('through %s', (_, drive) => {
  const send = drive(table);
  // A body and a query that would be refused themselves: who is not let in learns nothing of that.
  const nonsense = (operation: Ask['operation']): Pick<Ask, 'query' | 'body' | 'operation'> =>
    ROUTES[operation].method === 'POST' ? { operation, body: 'x'.repeat(20_000) } : { operation, query: 'page=0' };

  describe.each(OPERATIONS)('$operation', ({ operation, right, wrong }) => {
    // Where a page may come without a token, its body is read before it is asked who it is.
    const isRead = ROUTES[operation].access === 'program or page';
    test.each(UNUSABLE.slice(isRead ? 1 : 0))('with %s is 401, and all look alike', async (_what, headers) => {
      const { status, json, headers: answered } = await send({ ...nonsense(operation), headers: headers() });
      expect([status, answered['www-authenticate'], answered['x-error-code']]).toEqual([401, 'Bearer', 'unauthorized']);
      expect(json).toEqual({
        error: 'A valid access token is required in the header Authorization, as "Bearer <token>"',
      });
    });

    test('with a token of the wrong kind is 403', async () => {
      const { status, headers } = await send({ ...nonsense(operation), token: tokens[wrong] ?? '' });
      expect([status, headers['x-error-code']]).toEqual([403, 'forbidden']);
    });

    test('takes the scheme in any case', async () => {
      const { status } = await send({
        ...nonsense(operation),
        headers: { authorization: `bEARER  ${tokens[right]}` },
      });
      expect([400, 413]).toContain(status);
    });
  });
});
