import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import { milliseconds, systemClock } from '../../../functions/kernel/time.ts';
import { type SenderOptions, type SendResult, sender } from '../../../functions/webhooks/stream/send.ts';
import { selfSigned } from '../../support/certificate.ts';
import { closed, type Receiver, startReceiver, startSocketServer } from '../../support/events/receiver.ts';

const SECRETS = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', `whsec_${Buffer.alloc(24, 7).toString('base64')}`];
const EVENT = { id: '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6073.2', body: '{"type":"referral.paid","ü":"€"}' };

/** Milliseconds. Longer than any response takes, even on a busy machine. */
const GENEROUS = 60_000;

const post = (url: string, options: Partial<SenderOptions> = {}, secrets: readonly string[] = SECRETS.slice(0, 1)) =>
  sender({ clock: systemClock, allowLoopback: true, timeout: GENEROUS, ...options })(url, EVENT, secrets);
const failed = (error: SendResult['error']): SendResult => ({ status: null, error, retryAfter: null });

describe('requests to a receiver', () => {
  test('a request contains the body, and the headers of Standard Webhooks', async () => {
    const receiver = await startReceiver((response) => response.writeHead(204).end());
    const clock = () => milliseconds(1_780_000_000_999);
    expect(await post(`${receiver.url}?key=1`, { clock })).toEqual({ status: 204, error: null, retryAfter: null });
    const [request] = receiver.received;
    expect(request).toMatchObject({ method: 'POST', url: '/events?key=1', body: EVENT.body });
    expect(request?.headers).toEqual({
      host: `127.0.0.1:${receiver.port}`,
      connection: 'close',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(EVENT.body)),
      'user-agent': 'referral-tracking',
      'webhook-id': EVENT.id,
      'webhook-timestamp': '1780000000',
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    });
  });

  test('a request is verified with each of its secrets, and with no other', async () => {
    const receiver = await startReceiver((response) => response.end());
    await post(receiver.url, {}, SECRETS);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    for (const secret of SECRETS) expect(new Verifier(secret).verify(body, signed)).toEqual(JSON.parse(EVENT.body));
    const other = new Verifier(Buffer.alloc(24, 8).toString('base64'));
    expect(() => other.verify(body, signed)).toThrow('No matching signature');
    expect(() => new Verifier(SECRETS[0] ?? '').verify(`${body} `, signed)).toThrow('No matching signature');
  });
});

describe('responses of a receiver', () => {
  test.each([200, 299, 410, 500])('the status %i is returned', async (status) => {
    const receiver = await startReceiver((response) => response.writeHead(status).end());
    expect(await post(receiver.url)).toEqual({ status, error: null, retryAfter: null });
  });

  test.each([301, 307])('the redirect %i is not followed', async (status) => {
    const other = await startReceiver((response) => response.end());
    const receiver = await startReceiver((response) => response.writeHead(status, { location: other.url }).end());
    expect(await post(receiver.url)).toMatchObject({ status });
    expect(other.connections).toEqual([]);
  });

  test('a response may contain the time of the next attempt', async () => {
    const receiver = await startReceiver((response) => response.writeHead(429, { 'retry-after': '120' }).end());
    expect(await post(receiver.url)).toEqual({ status: 429, error: null, retryAfter: 120_000 });
    const clock = () => milliseconds(Date.UTC(1994, 10, 6, 8, 49, 7));
    const date = { 'retry-after': 'Sun, 06 Nov 1994 08:50:07 GMT' };
    const other = await startReceiver((response) => response.writeHead(503, date).end());
    expect(await post(other.url, { clock })).toEqual({ status: 503, error: null, retryAfter: 60_000 });
  });

  test('a response may have a body of any size, which is not read', async () => {
    const chunk = Buffer.alloc(64 * 1024);
    let sent = 0;
    const receiver = await startReceiver((response) => {
      response.on('error', () => undefined);
      const write = () => {
        sent += chunk.length;
        if (sent < 10_000_000 && response.write(chunk)) setImmediate(write);
        else if (sent < 10_000_000) response.once('drain', write);
        else response.end();
      };
      write();
    });
    expect(await post(receiver.url)).toMatchObject({ status: 200 });
    await closed(receiver);
    expect(sent).toBeLessThan(10_000_000);
  });
});

describe('receivers that do not respond', () => {
  test('a receiver that hangs is given up after 15 seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const { promise: connected, resolve } = Promise.withResolvers<void>();
    const { url } = await startSocketServer(() => resolve());
    const sent = sender({ clock: systemClock, allowLoopback: true })(url, EVENT, SECRETS);
    const resultAfter = (milliseconds: number) => {
      jest.advanceTimersByTime(milliseconds);
      return Promise.race([sent, nextTurn('none')]);
    };
    await connected;
    const results = [await resultAfter(14_999), await resultAfter(1)];
    jest.useRealTimers();
    expect(results).toEqual(['none', failed('timeout')]);
  });

  test.each(['SSH-2.0-OpenSSH_9.2\r\n', '\0\0\0', '<html></html>'])(
    'a receiver that does not speak HTTP is reported: %j',
    async (text) => {
      const { url } = await startSocketServer((socket) => socket.end(text));
      expect(await post(url)).toEqual(failed('invalid_response'));
    },
  );

  test('a name that is not found is reported', async () => {
    const resolve = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await post('https://a.example', { resolve })).toEqual(failed('name_not_found'));
    expect(await post('https://a.example', { resolve: async () => [] })).toEqual(failed('name_not_found'));
    expect(await post('https://a.invalid')).toEqual(failed('name_not_found'));
  });
});

describe('addresses that get no request', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver((response) => response.end());
  });
  afterEach(() => expect(receiver.connections).toEqual([]));
  const refused = failed('address_refused');

  test.each([
    ...['https://127.0.0.1', 'https://localhost', 'https://[::1]', 'https://[::ffff:127.0.0.1]', 'https://0x7f000001'],
    ...['http://93.184.216.34', 'http://10.0.0.1', 'http://[::ffff:10.0.0.1]'],
  ])('nothing is sent to %s, even by the local service', async (url) => {
    expect(await post(`${url}:${receiver.port}/`)).toEqual(refused);
  });

  // addresses.test.ts has all special ranges.
  test.each(['10.0.0.0', 'fc00::', '64:ff9b::a00:1'])(
    'nothing is sent to %s, as an address and behind a name',
    async (address) => {
      const host = address.includes(':') ? `[${address}]` : address;
      expect(await post(`https://${host}:${receiver.port}/`)).toEqual(refused);
      expect(await post(`https://a.example:${receiver.port}/`, { resolve: async () => [address] })).toEqual(refused);
    },
  );

  test('nothing is sent if only one of the addresses of a name is not public', async () => {
    for (const addresses of [
      ['93.184.216.34', '127.0.0.1'],
      ['2606:4700::1111', '127.0.0.1'],
      ['::1', '93.184.216.34'],
    ]) {
      expect(await post(`https://a.example:${receiver.port}`, { resolve: async () => addresses })).toEqual(refused);
    }
  });
});

test('nothing is sent on a connection to another address than the checked one', async () => {
  const data: Buffer[] = [];
  const server = await startSocketServer((socket) => socket.on('data', (chunk: Buffer) => data.push(chunk)));
  // Linux connects to this machine.
  const unspecified = { resolve: async () => ['0.0.0.0'], isPublic: (address: string) => address === '0.0.0.0' };
  expect(await post(`https://a.example:${server.port}`, unspecified)).toEqual(failed('address_refused'));
  await closed(server);
  expect(data).toEqual([]);
});

describe('TLS', () => {
  let receiver: Receiver;
  let ca: string;
  let key: string;
  beforeAll(async () => {
    ({ key, cert: ca } = selfSigned());
    receiver = await startReceiver((response) => response.end(), { key, cert: ca });
  });
  const here = { resolve: async () => ['127.0.0.1'], isPublic: () => true };

  test('the certificate of a receiver must be trusted, and be for the name', async () => {
    expect(await post(`https://localhost:${receiver.port}`, { ...here, ca })).toMatchObject({ status: 200 });
    const before = receiver.received.length;
    expect(await post(`https://localhost:${receiver.port}`, here)).toEqual(failed('tls_failed'));
    expect(await post(`https://a.example:${receiver.port}`, { ...here, ca })).toEqual(failed('tls_failed'));
    expect(receiver.received).toHaveLength(before);
  });

  test('the certificate is verified even if the environment disables the verification', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    const result = post(`https://localhost:${receiver.port}`, here);
    expect(await result.finally(() => delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'])).toEqual(
      failed('tls_failed'),
    );
  });

  test('the dot at the end of a name is not part of the name in TLS (RFC 6066 section 3)', async () => {
    const names: unknown[] = [];
    const named = await startReceiver(
      (response) => {
        names.push((response.socket as TLSSocket).servername);
        response.end();
      },
      { key, cert: ca },
    );
    expect(await post(`https://localhost.:${named.port}`, { ...here, ca })).toMatchObject({ status: 200 });
    expect(names).toEqual(['localhost']);
  });

  test('every address of a name is tried', async () => {
    const resolve = async () => ['::1', '127.0.0.1'];
    const result = await post(`https://localhost:${receiver.port}`, { ...here, resolve, ca });
    expect(result).toMatchObject({ status: 200 });
  });
});
