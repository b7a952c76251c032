import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { PageRequest } from '../../../bin/local/gateway.ts';
import type { HttpEvent } from '../../../functions/http/context.ts';
import { useGateway } from '../../support/drivers.ts';

const events: HttpEvent[] = [];
beforeEach(() => {
  events.length = 0;
});
const record = async (event: HttpEvent) => {
  events.push(event);
  return { statusCode: 200 };
};
const pages = async ({ path, headers }: PageRequest) => ({
  statusCode: 201,
  body: `${headers.host} ${path}`,
});
const { url } = useGateway({ tracking: record, advocates: record, referrals: record, integrations: record }, pages);
const port = () => new URL(url()).port;

/** Sends lines as a request, unchanged. Resolves to the status and the body, or to "closed" if there is no response. */
async function send(...lines: string[]): Promise<string> {
  const socket = connect(Number(port()), '127.0.0.1');
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  let text = '';
  socket.on('data', (chunk) => {
    text += String(chunk);
  });
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  return `${head.split(' ')[1] ?? 'closed'} ${body}`.trim();
}

const get = (host: string) => send('GET /v1/advocates HTTP/1.1', `Host: ${host}`);
const BAD_REQUEST = '400 {"message":"Bad Request"}';

describe('the Host header', () => {
  test.each([
    ['localhost:3000', 'localhost:3000'],
    ['API.Example.com', 'api.example.com'],
    ['api.example.com:80', 'api.example.com'],
    ['api.example.com:', 'api.example.com'],
    ['127.0.0.1:65535', '127.0.0.1:65535'],
    ['[::1]:3000', '[::1]:3000'],
    ['under_score.test', 'under_score.test'],
    ["sub-delims!$&'()*+,;=", "sub-delims!$&'()*+,;="],
  ])('the Host header %s is part of the event', async (host, domainName) => {
    expect(await get(host)).toBe('200');
    expect(events[0]?.headers['host']).toBe(domainName);
    expect(events[0]?.requestContext.domainName).toBe(domainName);
  });

  test.each([
    'a>; rel="x", <http://evil',
    'a>',
    'a b',
    'a/b',
    'a?b',
    'a#b',
    'a\\b',
    'a"b',
    'user@a',
    'a:b',
    'a:65536',
    'a:1:2',
    '[::1',
    '[::g]',
    '::1',
    'a\tb',
    'ä',
    '%3E',
    '%zz',
    '',
    ':3000',
  ])('the Host header %j returns 400', async (host) => {
    expect(await get(host)).toBe(BAD_REQUEST);
    expect(events).toEqual([]);
  });

  test('a Host header is required once, or not at all in HTTP/1.0', async () => {
    expect(await send('GET /v1/advocates HTTP/1.1', 'Host: a', 'Host: a')).toBe(BAD_REQUEST);
    // Node's own response.
    expect(await send('GET /v1/advocates HTTP/1.1')).toMatch(/^400/);
    expect(events).toEqual([]);
    expect(await send('GET /v1/advocates HTTP/1.0')).toBe('200');
    expect(events[0]?.requestContext.domainName).toBe(`localhost:${port()}`);
  });
});

describe('request targets in absolute form', () => {
  test.each([
    'http://api.example.com:8080/v1/advocates?a=1?2&b=%20',
    'HTTP://API.example.com:8080/v1/advocates?a=1?2&b=%20',
  ])('the target %s is read as its path, and its host overrides the header', async (target) => {
    expect(await send(`GET ${target} HTTP/1.1`, 'Host: other.test')).toBe('200');
    expect(events).toMatchObject([
      {
        rawPath: '/v1/advocates',
        rawQueryString: 'a=1?2&b=%20',
        headers: { host: 'api.example.com:8080' },
        requestContext: { domainName: 'api.example.com:8080', http: { path: '/v1/advocates' } },
      },
    ]);
  });

  test('a target without a path is the root', async () => {
    expect(await send('GET http://a.test HTTP/1.1', 'Host: b.test')).toBe('201 a.test /');
    expect(await send('GET http://a.test?b HTTP/1.1', 'Host: b.test')).toBe('201 a.test /');
  });

  test.each([
    'http:///v1/advocates',
    'http://user@a.test/v1/advocates',
    'http://a:b:c/v1/advocates',
    'http://a.test:99999/v1/advocates',
    'https://a.test/v1/advocates',
    'ftp://a.test/v1/advocates',
    'http://a.test/v1/advocates#b',
  ])('the target %s returns 400', async (target) => {
    expect(await send(`GET ${target} HTTP/1.1`, 'Host: a.test')).toBe(BAD_REQUEST);
    expect(events).toEqual([]);
  });

  test('a target in absolute form does not make an invalid Host header valid', async () => {
    expect(await send('GET http://a.test/v1/advocates HTTP/1.1', 'Host: a>')).toBe(BAD_REQUEST);
  });
});

describe('request targets in other forms', () => {
  test.each([
    ['//evil.test/v1/advocates', '201 a.test //evil.test/v1/advocates'],
    ['/%zz', '201 a.test /%zz'],
    ['/v1/../v1/advocates', '201 a.test /v1/../v1/advocates'],
    ['/v1/advocates#b', BAD_REQUEST],
    ['*', BAD_REQUEST],
  ])('GET %s is not resolved, and a page gets it as it was sent', async (target, response) => {
    expect(await send(`GET ${target} HTTP/1.1`, 'Host: a.test')).toBe(response);
    expect(events).toEqual([]);
  });

  test('OPTIONS * reaches no function', async () => {
    expect(await send('OPTIONS * HTTP/1.1', 'Host: a.test')).toBe('204');
    expect(events).toEqual([]);
  });

  test('a target in authority form gets no tunnel', async () => {
    expect(await send('CONNECT a.test:443 HTTP/1.1', 'Host: a.test:443')).toBe('closed');
  });
});
