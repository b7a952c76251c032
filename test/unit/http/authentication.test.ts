import { describe, expect, test } from '@jest/globals';
import type { HttpResult } from '../../../functions/http/context.ts';
import { httpEvent } from '../samples.ts';
import { AFFILIATE_CALLER, callStack, PROGRAM_CALLER } from './stack.ts';

const tokens = { good: PROGRAM_CALLER, affiliate: AFFILIATE_CALLER };

function withHeader(authorization: string | undefined): Promise<HttpResult> {
  const headers = authorization === undefined ? {} : { authorization };
  return callStack(httpEvent({ headers, body: '{}' }), { tokens });
}

const UNAUTHORIZED = {
  statusCode: 401,
  body: '{"error":"The access token is missing or not valid: send the header Authorization: Bearer <token>"}',
  headers: { 'www-authenticate': 'Bearer', 'x-error-code': 'unauthorized' },
};

describe('the Authorization header', () => {
  test.each(['Bearer good', 'bearer good', 'BEARER good', 'bEaReR   good'])(
    'the header %p is accepted',
    async (header) => {
      expect((await withHeader(header)).statusCode).toBe(200);
    },
  );

  test.each([
    undefined,
    '',
    'good',
    'Bearer',
    'Bearer ',
    'Bearergood',
    'Bearer bad',
    'Bearer good ',
    'Bearer good,Bearer good',
    'Bearer GOOD',
    ' Bearer good',
    'Bearer\tgood',
    'Bearer good\n',
    'Bearer __proto__',
    'Bearer göod',
  ])('the header %p returns the same 401', async (header) => {
    expect(await withHeader(header)).toMatchObject(UNAUTHORIZED);
  });

  test('a valid token of the other kind returns 403', async () => {
    const { statusCode, headers, body } = await withHeader('Bearer affiliate');
    expect(statusCode).toBe(403);
    expect(headers?.['x-error-code']).toBe('forbidden');
    expect(headers?.['www-authenticate']).toBeUndefined();
    expect(JSON.parse(body ?? '')).toEqual({ error: 'This operation requires a program token' });
  });
});
