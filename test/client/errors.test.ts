import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, jest, test } from '@jest/globals';
import { ReferralTrackingError, referralTracking } from '../../client/src/client.ts';
import {
  aClient,
  failureOf,
  GR_ID,
  json,
  lost,
  type Outcome,
  silence,
  TOKEN,
  unavailable,
} from '../support/client/client-calls.ts';

// Node 20 collects abort signals that only other signals refer to, and then they never abort.
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Lets a client request a server, with the `fetch` of the Node that runs the tests, while garbage is collected. */
async function failureOfServer(listener: RequestListener, timeout: number, signal?: AbortSignal) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  const collecting = setInterval(collectGarbage, 10);
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = referralTracking({ baseUrl: `http://127.0.0.1:${port}`, timeout });
    return await failureOf(client.GET('/v1/advocates', { ...(signal && { signal }) }));
  } finally {
    clearInterval(collecting);
    server.closeAllConnections();
    server.close();
  }
}

const SILENT: readonly [string, RequestListener][] = [
  ['no response', () => undefined],
  ['half a response', (_, response) => void response.writeHead(200).write('{"data"')],
];

test.each(SILENT)('a request that gets %s ends with its timeout although garbage is collected', async (_, listener) => {
  expect(await failureOfServer(listener, 200)).toMatchObject({
    name: 'ReferralTrackingError',
    status: 0,
    code: null,
    requestId: null,
    retryAfter: null,
    message: 'No complete response arrived. The request timed out after 200 ms.',
  });
});

test.each(SILENT)('a request that gets %s ends with its signal although garbage is collected', async (_, listener) => {
  const reason = new Error('The page was left');
  const abort = new AbortController();
  setTimeout(() => abort.abort(reason), 200);
  expect(await failureOfServer(listener, 30_000, abort.signal)).toBe(reason);
});

test.each<[string, Outcome[]]>([
  ['succeeds', []],
  ['fails', [json(404, { error: 'No' })]],
])('a request that %s leaves no timer, which would keep the process alive', async (_, outcomes) => {
  const timers = jest.spyOn(globalThis, 'setTimeout');
  const clear = jest.spyOn(globalThis, 'clearTimeout');
  await failureOf(aClient(outcomes).client.GET('/v1/advocates'));
  expect(timers).toHaveBeenCalledTimes(1);
  expect(clear).toHaveBeenCalledWith(timers.mock.results[0]?.value as NodeJS.Timeout);
  jest.restoreAllMocks();
});

describe('aborted requests', () => {
  const reason = new Error('The page was left');

  test('the reason of an abort before the request is thrown', async () => {
    const { client } = aClient([silence]);
    expect(await failureOf(client.GET('/v1/advocates', { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  test('the reason of an abort during the request is thrown, and the request is not repeated', async () => {
    const abort = new AbortController();
    const { client, requests } = aClient([
      (request) => {
        const response = silence(request);
        abort.abort(reason);
        return response;
      },
    ]);
    expect(await failureOf(client.GET('/v1/advocates', { signal: abort.signal }))).toBe(reason);
    expect(requests).toHaveLength(1);
  });

  test('the reason of an abort during the pause before a retry is thrown', async () => {
    const abort = new AbortController();
    const { setTimeout } = globalThis;
    const [limit, pause] = [30_000, 29_000];
    const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation((callback, delay = 0) => {
      if (delay >= pause && delay < limit) queueMicrotask(() => abort.abort(reason));
      return setTimeout(callback, delay);
    });
    const clear = jest.spyOn(globalThis, 'clearTimeout');
    const { client, requests } = aClient([unavailable({ 'retry-after': String(pause / 1000) })], {
      timeout: limit,
      pause: undefined as never,
    });
    expect(await failureOf(client.GET('/v1/advocates', { signal: abort.signal }))).toBe(reason);
    expect(requests).toHaveLength(1);
    expect(timers).toHaveBeenCalledTimes(2);
    for (const { value } of timers.mock.results) expect(clear).toHaveBeenCalledWith(value as NodeJS.Timeout);
    jest.restoreAllMocks();
  });
});

describe('errors', () => {
  test.each<[string, Outcome, string]>([
    ["has API Gateway's sentence", json(404, { message: 'Not Found' }), 'Not Found'],
    [
      'is thrown for a page with status 200',
      new Response('<h1>Hotel Wi-Fi</h1>'),
      "The response with status 200 is not the service's. Check baseUrl.",
    ],
    [
      'is thrown for a page with status 502',
      new Response('<h1>Bad Gateway</h1>', { status: 502 }),
      "The response with status 502 is not the service's. Check baseUrl.",
    ],
  ])('an error %s', async (_, outcome, message) => {
    const { client } = aClient([outcome]);
    expect(await failureOf(client.GET('/v1/advocates'))).toMatchObject({ name: 'ReferralTrackingError', message });
  });

  test('an error names the cause of a failed connection', async () => {
    const { client } = aClient([lost(), lost(), lost(), lost()]);
    expect(await failureOf(client.GET('/v1/advocates'))).toMatchObject({
      status: 0,
      message: 'No complete response arrived. fetch failed ECONNRESET',
    });
  });

  test.each<[string, Outcome]>([
    ['a response that repeats it', json(401, { error: `Unknown token ${TOKEN}` })],
    [
      'a fetch that repeats it',
      async (request) => {
        const header = String(request.headers.get('authorization'));
        throw new TypeError(`Invalid header ${header}`, { cause: new Error(header) });
      },
    ],
  ])('an error does not contain the token after %s', async (_, outcome) => {
    const { client } = aClient([outcome, outcome, outcome, outcome]);
    const error = await failureOf(client.GET('/v1/advocates'));
    expect(error).toBeInstanceOf(ReferralTrackingError);
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(TOKEN);
  });
});

test.each(['', 'rtp_one\nrtp_two', 'rtp_ümlaut', 'rtp_a b'])(
  'the token %j is refused without being repeated',
  (token) => {
    expect(() => aClient([], { token })).toThrow(new TypeError('token is not valid. Set it to a token.'));
  },
);

test.each([0, -1, Number.NaN, 2 ** 31, Infinity])('the timeout %d is refused', (timeout) => {
  expect(() => aClient([], { timeout })).toThrow('timeout must be above 0 and below 2^31 milliseconds.');
});

test.each(['', 'localhost', '/api'])('the base URL %j is refused', (baseUrl) => {
  expect(() => aClient([], { baseUrl })).toThrow(
    'baseUrl must start with https:// and contain the address of the service.',
  );
});

test('without a token, no authorization is sent', async () => {
  const { client, requests } = aClient([], { token: undefined });
  await client.POST('/v2/tracking/click', { body: { pk: 'pk_1', gr_id: GR_ID } });
  expect(requests[0]?.headers.has('authorization')).toBe(false);
});
