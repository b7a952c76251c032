import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { portOf } from '../../../bin/local/engine.ts';
import { createGateway } from '../../../bin/local/gateway.ts';
import { requestLog } from '../../../bin/local/request-log.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import type { HttpResult } from '../../../functions/http/context.ts';

const NOW = '2026-11-24T03:30:12.345Z';
const TOKEN = 'rtp_0123456789';
let lines: string[];
let errors: string[];
let result: HttpResult;
let stop: () => void;
beforeEach(() => {
  [lines, errors] = [[], []];
});
afterEach(() => stop());

/** Starts a gateway whose functions return `result`. Returns its URL. */
async function serve(isEnabled: boolean): Promise<string> {
  const output = { log: (line: string) => lines.push(line), error: (line: string) => errors.push(line) };
  const handler = async () => result;
  const functions = { tracking: handler, advocates: handler, referrals: handler, integrations: handler };
  const log = requestLog(isEnabled, () => milliseconds(Date.parse(NOW)), output);
  const server = createGateway(functions, async () => undefined, log).listen(0, '127.0.0.1');
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  await once(server, 'listening');
  return `http://127.0.0.1:${portOf(server)}`;
}

test.each([
  ['POST', '/v2/payments', 'POST /v2/payments 201'],
  ['GET', `/v2/advocates?email_eq=ana@shop.example&token=${TOKEN}`, 'GET /v2/advocates 201'],
  ['GET', '/v2/advocates/jane-doe', 'GET /v2/advocates/jane-doe 201'],
  ['GET', '/v2/advocates/ana@shop.example', 'GET /v2/advocates/… 201'],
  ['GET', '/v2/advocates/ana%40shop.example', 'GET /v2/advocates/… 201'],
  ['GET', `/v2/nothing/${TOKEN}/of`, 'GET /v2/nothing/…/of 404'],
])('the log of requests has one line for %s %s', async (method, target, expected) => {
  result = { statusCode: 201 };
  const url = await serve(true);
  await fetch(`${url}${target}`, { method, headers: { authorization: `Bearer ${TOKEN}` } });
  expect(lines).toEqual([expect.stringMatching(/ \d+ ms$/)]);
  expect(lines.join().replace(/ \d+ ms$/, '')).toBe(`${NOW} ${expected}`);
  expect(errors).toEqual([]);
});

test.each([
  [400, {}, { 'x-error-code': 'invalid_signature' }, ['400 invalid_signature']],
  [200, { ignored: 'wrong_mode' }, {}, ['wrong_mode']],
  [200, { ignored: 'stale', entry: 'id' }, {}, []],
  [200, { ignored: 'duplicate' }, {}, []],
  [200, { ignored: 'nothing_to_do' }, {}, []],
  [200, { applied: 'paid' }, {}, []],
])(
  'a response of status %d with %j to an event of Stripe with %j prints %j',
  async (statusCode, body, headers, codes) => {
    result = { statusCode, headers, body: JSON.stringify(body) };
    const url = await serve(false);
    await fetch(`${url}/v2/integrations/stripe/019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071`, { method: 'POST', body: '{}' });
    const sentence = (code: string) => `An event of Stripe changed nothing: ${code}. docs/payments.md says what to do.`;
    expect([lines, errors]).toEqual([[], codes.map(sentence)]);
  },
);
