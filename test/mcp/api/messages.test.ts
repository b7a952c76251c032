import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { functionsOf } from '../../../bin/local/gateway.ts';
import { EARLIER_REVISION, REVISION } from '../../../functions/mcp/rules/protocol.ts';
import { NO_SECRETS, partsOf, useGateway } from '../../support/drivers.ts';
import { aToken } from '../../support/program.ts';
import { useProgram } from '../../support/use-table.ts';

const SITE = 'https://app.acme.example';
const { table, program } = await useProgram({ allowedOrigins: [SITE] });
const gateway = useGateway(functionsOf(table.connection, partsOf(NO_SECRETS)));
const token = await aToken(table, program);

/** Sends a message over HTTP, without a client between. Returns the status, the headers, and the parsed JSON if there is any. */
async function post(message: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${gateway.url()}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: text && JSON.parse(text) };
}

const _meta = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** Sends a request in the newest revision. */
const sendNewest = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
  post(
    { id: 'q-1', method, params: { ...params, _meta } },
    { 'mcp-protocol-version': REVISION, 'mcp-method': method, ...headers },
  );
const codeOf = ({ status, json }: Awaited<ReturnType<typeof post>>) => [status, json.id, json.error?.code];

describe('the messages of POST /mcp', () => {
  test.each(['', null, 2 ** 60])('the id %j is refused, because its response could not repeat it', async (id) => {
    const { status, json } = await post({ id, method: 'ping' });
    expect([status, json.error]).toEqual([400, 'id must be a text, or a whole number below 2^53']);
  });

  test('a response repeats the id of its request', async () => {
    expect((await sendNewest('tools/list')).json).toMatchObject({ jsonrpc: '2.0', id: 'q-1', result: {} });
    const { status, json } = await post({ id: 7, method: 'ping' });
    expect([status, json]).toEqual([200, { jsonrpc: '2.0', id: 7, result: {} }]);
  });

  test('an unknown method is -32601, with the status 404 only in the newest revision', async () => {
    expect(codeOf(await sendNewest('resources/list'))).toEqual([404, 'q-1', -32601]);
    expect(codeOf(await post({ id: 1, method: 'resources/list' }))).toEqual([200, 1, -32601]);
    // Each revision has methods that the other one does not.
    for (const method of ['initialize', 'ping']) expect(codeOf(await sendNewest(method))).toEqual([404, 'q-1', -32601]);
    expect(codeOf(await post({ id: 1, method: 'server/discover' }))).toEqual([200, 1, -32601]);
  });

  test('a tool is unknown with the status 400 only in the newest revision, and its arguments must be an object', async () => {
    expect(codeOf(await sendNewest('tools/call', { name: 'none' }, { 'mcp-name': 'none' }))).toEqual([
      400,
      'q-1',
      -32602,
    ]);
    const params = { name: 'getProgram', arguments: 'all' };
    expect(codeOf(await sendNewest('tools/call', params, { 'mcp-name': 'getProgram' }))).toEqual([400, 'q-1', -32602]);
    expect(codeOf(await post({ id: 1, method: 'tools/call', params: { name: 'none' } }))).toEqual([200, 1, -32602]);
    expect(codeOf(await post({ id: 1, method: 'tools/call' }))).toEqual([200, 1, -32602]);
  });

  test('a header that does not repeat the body is refused with the status 400', async () => {
    expect(codeOf(await sendNewest('tools/list', {}, { 'mcp-method': 'tools/call' }))).toEqual([400, 'q-1', -32020]);
  });

  test('a notification gets 202 without a body, whatever its method', async () => {
    for (const method of ['notifications/initialized', 'notifications/cancelled', 'tools/call']) {
      const { status, text } = await post({ method });
      expect([method, status, text]).toEqual([method, 202, '']);
    }
  });

  test('initialize returns the earlier revision without a session, whichever the client requests', async () => {
    const { headers, json } = await post({ id: 1, method: 'initialize', params: { protocolVersion: '2024-11-05' } });
    expect(json.result.protocolVersion).toBe(EARLIER_REVISION);
    expect(headers.get('mcp-session-id')).toBeNull();
  });

  test('a list may be kept for an hour by the client of its token alone, and every result in the newest revision is complete', async () => {
    const { result } = (await sendNewest('tools/list')).json;
    expect(result).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'private' });
    const { result: earlier } = (await post({ id: 1, method: 'tools/list' })).json;
    expect(Object.keys(earlier)).toEqual(['tools']);
    expect(result.tools).toEqual(earlier.tools);
  });

  test('GET returns 405 with the method that the address has', async () => {
    const response = await fetch(`${gateway.url()}/mcp`, { headers: { authorization: `Bearer ${token}` } });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('a message without a token returns 401', async () => {
    const { status, headers } = await post({ id: 1, method: 'tools/list' }, { authorization: '' });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });
});

describe('the origin of a message', () => {
  test('a name that leads to this machine is no origin of its own', async () => {
    const { port } = new URL(gateway.url());
    const url = new URL(`${gateway.url()}/mcp`);
    const headers = {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...{ host: `evil.example:${port}`, origin: `http://evil.example:${port}` },
    };
    const sent = request(url, { method: 'POST', headers });
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    const [response]: IncomingMessage[] = await once(sent, 'response');
    response?.resume();
    expect(response?.statusCode).toBe(403);
  });

  test('pages of the service itself and of allowed origins may send messages', async () => {
    for (const origin of [gateway.url(), SITE])
      expect((await post({ id: 1, method: 'ping' }, { origin })).status).toBe(200);
  });

  test.each(['https://evil.example', 'https://acme.example', `${SITE}.evil.example`, 'null', 'http://127.0.0.1'])(
    'a page of the origin %s gets 403, also for a notification',
    async (origin) => {
      for (const message of [{ id: 1, method: 'tools/list' }, { method: 'notifications/initialized' }]) {
        const { status, json } = await post(message, { origin });
        expect([status, json.error]).toEqual([403, expect.stringMatching(/^Origin is neither/)]);
      }
    },
  );
});
