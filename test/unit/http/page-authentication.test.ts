import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../functions/domain/caller.ts';
import { listsOrigin } from '../../../functions/domain/program.ts';
import type { HttpEvent } from '../../../functions/http/context.ts';
import { type OperationId, ROUTES } from '../../../functions/routes.ts';
import { httpEvent, program } from '../samples.ts';
import { AFFILIATE_CALLER, callStack, PROGRAM_CALLER } from './stack.ts';

const listing = { ...program, allowedOrigins: ['https://www.acme.example', 'http://localhost:3000'] };
const ORIGIN = { origin: 'https://www.acme.example' };

/** Sends an event to a route whose handler returns the caller that the stack found. */
function callerOf(event: Partial<HttpEvent>, route: Exclude<OperationId, 'receiveStripeEvent'> = 'trackConversionV2') {
  return callStack(httpEvent(event), {
    route: ROUTES[route],
    tokens: { good: PROGRAM_CALLER, affiliate: AFFILIATE_CALLER },
    programs: { pk_1: listing },
    handle: (_input: unknown, _deadline: number, caller: Caller) => ({
      statusCode: 200,
      body: JSON.stringify(caller),
    }),
  });
}
const WITH_KEY = '{"pk":"pk_1"}';
const FORBIDDEN =
  "Origin is not one of the program's allowed origins: allow it, or report the conversion from your server";
const UNAUTHORIZED =
  'Authorization is missing, and pk is not the public key of a program: send an access token or a valid pk';

describe('routes for a program or its pages', () => {
  test('the route identifies a page by the public key in the body', async () => {
    const { statusCode, body } = await callerOf({ headers: ORIGIN, body: WITH_KEY });
    expect(statusCode).toBe(200);
    expect(JSON.parse(body ?? '')).toEqual({ kind: 'page', program: listing });
  });

  test('the route identifies a program by its token, and then ignores pk and origin', async () => {
    const headers = { authorization: 'Bearer good', origin: 'https://other.example' };
    for (const sent of [WITH_KEY, '{"pk":"pk_2"}', '{"pk":7}', '{}']) {
      const { body } = await callerOf({ headers, body: sent });
      expect(JSON.parse(body ?? '')).toEqual(PROGRAM_CALLER);
    }
  });

  test.each(['', 'Bearer', 'Bearer bad', 'Basic pk_1'])(
    'the route ignores the public key if the token %j is not valid',
    async (authorization) => {
      const response = await callerOf({ headers: { ...ORIGIN, authorization }, body: WITH_KEY });
      expect([response.statusCode, response.headers?.['www-authenticate']]).toEqual([401, 'Bearer']);
    },
  );

  test('the route rejects an affiliate token', async () => {
    const headers = { ...ORIGIN, authorization: 'Bearer affiliate' };
    expect((await callerOf({ headers, body: WITH_KEY })).statusCode).toBe(403);
  });

  test.each(['{}', '{"pk":null}', '{"pk":""}', '{"pk":1}', '{"pk":["pk_1"]}', '{"pk":"pk_2"}', '[]', '"pk_1"', 'null'])(
    'the body %s has no public key of a program: 401',
    async (body) => {
      const { statusCode, headers, body: text } = await callerOf({ headers: ORIGIN, body });
      expect([statusCode, headers?.['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(JSON.parse(text ?? '')).toEqual({ error: UNAUTHORIZED });
    },
  );

  test.each([{}, { origin: 'null' }, { origin: 'https://acme.example' }])(
    'the route rejects a page with the headers %j: 403',
    async (headers) => {
      const { statusCode, body } = await callerOf({ headers, body: WITH_KEY });
      expect([statusCode, JSON.parse(body ?? '')]).toEqual([403, { error: FORBIDDEN }]);
    },
  );
});

test.each(['trackConversionV1', 'setState'] as const)(
  'the route %s accepts no pages: pk does not replace a token',
  async (route) => {
    expect((await callerOf({ headers: ORIGIN, body: WITH_KEY }, route)).statusCode).toBe(401);
  },
);

test.each(['trackClick', 'getScript'] as const)('the route %s accepts anyone, with any token', async (route) => {
  for (const headers of [{}, { authorization: 'Bearer good' }, { authorization: 'nonsense' }]) {
    const { body } = await callerOf({ headers, body: '{}' }, route);
    expect(JSON.parse(body ?? '')).toEqual({ kind: 'anyone' });
  }
});

describe('listed origins', () => {
  test.each([
    ['https://www.acme.example', true],
    ['HTTPS://WWW.ACME.EXAMPLE', true],
    ['http://localhost:3000', true],
    ['http://localhost:3001', false],
    ['http://www.acme.example', false],
    ['https://www.acme.example:443', false],
    ['https://www.acme.example.evil.example', false],
    ['null', false],
    [undefined, false],
  ])('the origin %j is listed: %p', (origin, isListed) => {
    expect(listsOrigin(listing, origin)).toBe(isListed);
    expect(listsOrigin(program, origin)).toBe(false);
  });
});
