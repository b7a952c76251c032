import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Unavailable } from '../../../functions/kernel/errors.ts';
import type { HttpEvent } from '../../../functions/kernel/http/context.ts';
import { edgeWith } from '../../../functions/kernel/secrets/edge-secret.ts';
import { type Milliseconds, milliseconds } from '../../../functions/kernel/time.ts';
import { callStack, type StackOptions } from '../../kernel/unit/http/stack.ts';
import { httpEvent } from '../../support/samples.ts';

// A 503 is logged.
beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const BASE_URL = 'https://api.shop.example';

/** An edge whose secret has these values, newest first, with a clock that the test controls. */
function anEdge(...values: string[]) {
  const secret = { values, reads: 0, fails: false };
  let now: Milliseconds = milliseconds(0);
  const edge = edgeWith(
    BASE_URL,
    async () => {
      secret.reads += 1;
      if (secret.fails) throw new Unavailable();
      return secret.values;
    },
    () => now,
  );
  const wait = (duration: number) => {
    now = milliseconds(now + duration);
  };
  const send = (value?: string, options: StackOptions = {}, event: Partial<HttpEvent> = {}) =>
    callStack(
      httpEvent({
        ...event,
        headers: { authorization: 'Bearer good', ...(value !== undefined && { 'x-origin-verify': value }) },
        body: '{}',
      }),
      { edge, ...options },
    );
  const statusOf = async (value?: string) => (await send(value)).statusCode;
  return { edge, secret, wait, send, statusOf };
}

describe('a request that did not come through the edge', () => {
  test.each([
    ['no value', undefined],
    ['a wrong value', 'wrong'],
    ['two values', 'a, a'],
  ])('a request with %s gets 403 not_through_edge', async (_, value) => {
    const { statusCode, headers, body } = await anEdge('a').send(value);
    expect({ statusCode, headers, body: JSON.parse(body ?? '') }).toEqual({
      statusCode: 403,
      headers: expect.objectContaining({ 'x-error-code': 'not_through_edge', 'x-request-id': 'request-1' }),
      body: { error: 'The request did not come through the public address of the service. Send it there.' },
    });
  });
});

describe('a request through the edge', () => {
  test('the request is served, and its handler does not see the secret', async () => {
    const seen: HttpEvent[] = [];
    const handle: StackOptions['handle'] = (_input, _deadline, _caller, event) => {
      seen.push(event);
      return { statusCode: 204 };
    };
    expect((await anEdge('a').send('a', { handle })).statusCode).toBe(204);
    expect(seen.map(({ headers }) => headers)).toEqual([{ authorization: 'Bearer good' }]);
  });

  test('the newest and the previous value are accepted, older ones are not', async () => {
    const { statusOf } = anEdge('new', 'previous');
    expect([await statusOf('new'), await statusOf('previous'), await statusOf('older')]).toEqual([200, 200, 403]);
  });
});

describe('the secret of the edge', () => {
  test('a rotation refuses no request: an unknown value causes a read', async () => {
    const { edge, secret, wait, statusOf } = anEdge('first');
    await edge.warmUp();
    wait(60_000);
    secret.values = ['second', 'first'];
    expect([await statusOf('first'), await statusOf('second'), await statusOf('first')]).toEqual([200, 200, 200]);
    expect(secret.reads).toBe(2);
  });

  test('wrong values cause at most one read in five seconds, and missing ones none', async () => {
    const { edge, secret, wait, statusOf } = anEdge('a');
    await edge.warmUp();
    for (const value of [undefined, undefined, 'b', 'c']) await statusOf(value);
    expect(secret.reads).toBe(1);
    wait(5000);
    await statusOf(undefined);
    expect(secret.reads).toBe(1);
    for (const value of ['b', 'c', 'd']) await statusOf(value);
    expect(secret.reads).toBe(2);
    wait(4999);
    expect([await statusOf('e'), secret.reads]).toEqual([403, 2]);
  });

  test('a failure to read is not remembered: the request gets 503, and the next one is served', async () => {
    const { edge, secret, send, statusOf } = anEdge('a');
    secret.fails = true;
    await edge.warmUp();
    const { statusCode, headers } = await send('a');
    expect([statusCode, headers?.['retry-after']]).toEqual([503, '1']);
    secret.fails = false;
    expect(await statusOf('a')).toBe(200);
  });

  test('known values are accepted while the secret cannot be read', async () => {
    const { edge, secret, wait, statusOf } = anEdge('a');
    await edge.warmUp();
    wait(60_000);
    secret.fails = true;
    expect([await statusOf('a'), await statusOf('wrong')]).toEqual([200, 503]);
  });
});
