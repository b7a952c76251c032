import * as crypto from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { portOf } from '../../../../bin/local/engine.ts';
import { RequestRefused, Unavailable } from '../../../../functions/kernel/errors.ts';
import { milliseconds } from '../../../../functions/kernel/time.ts';
import { GENEROUS_LIMITS } from '../../../support/table.ts';

// Counts the comparisons. The original function makes them.
const compare = jest.fn(crypto.timingSafeEqual);
jest.unstable_mockModule('node:crypto', () => ({ ...crypto, timingSafeEqual: compare }));
const { edgeWith, secretReader } = await import('../../../../functions/kernel/secrets/edge-secret.ts');

const ARN = 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:edge-a1b2c3';
const stored = (value: unknown) => ({ status: 200, body: { SecretString: JSON.stringify(value) } });
const NONE = { status: 400, body: { __type: 'ResourceNotFoundException' } };

/** What Secrets Manager responds to a request for each version. */
let versions: Record<string, { readonly status: number; readonly body: object }>;
const received: { readonly input: Record<string, unknown>; readonly headers: IncomingMessage['headers'] }[] = [];
const server = createServer(async (request, response) => {
  const input = JSON.parse(await text(request));
  received.push({ input, headers: request.headers });
  const { status, body } = versions[input.VersionStage] ?? NONE;
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
});
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received.length = 0;
  versions = { AWSCURRENT: stored({ v2: 'new' }), AWSPREVIOUS: stored({ v1: 'old' }) };
});

const read = () =>
  secretReader(ARN, {
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    limits: GENEROUS_LIMITS,
    credentials: async () => ({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'the key' }),
  })();

test('the values of the current and the previous version are read, by requests that are signed', async () => {
  expect(await read()).toEqual(['new', 'old']);
  // Another test may have failed while its second request was under way.
  const stages = new Set(received.map(({ input }) => `${input['SecretId']} ${input['VersionStage']}`));
  expect(stages).toEqual(new Set([`${ARN} AWSCURRENT`, `${ARN} AWSPREVIOUS`]));
  for (const { headers } of received) {
    expect(headers['x-amz-target']).toBe('secretsmanager.GetSecretValue');
    expect(headers.authorization).toMatch(
      /Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/secretsmanager\/aws4_request, /,
    );
  }
});

test('before the first rotation there is only one value', async () => {
  versions['AWSPREVIOUS'] = NONE;
  expect(await read()).toEqual(['new']);
});

test.each([
  ['is missing', NONE, RequestRefused],
  ['may not be read', { status: 400, body: { __type: 'AccessDeniedException' } }, RequestRefused],
  ['is not JSON', { status: 200, body: { SecretString: 'new' } }, Unavailable],
  ['has a value that is no text', stored({ v2: 2 }), Unavailable],
])('a current version that %s is an error', async (_, response, type) => {
  versions['AWSCURRENT'] = response;
  await expect(read()).rejects.toThrow(type);
});

test('a value is compared in constant time, with both values, whichever is equal', async () => {
  const edge = edgeWith('https://api.shop.example', read, () => milliseconds(0));
  await edge.warmUp();
  for (const [value, isValid] of [
    ['new', true],
    ['old', true],
    ['wrong value of another length', false],
  ] as const) {
    compare.mockClear();
    expect(await edge.hasSent(value)).toBe(isValid);
    // A wrong value is compared again with what was read last.
    expect(compare).toHaveBeenCalledTimes(isValid ? 2 : 4);
    for (const [sent, known] of compare.mock.calls) expect([sent.byteLength, known.byteLength]).toEqual([32, 32]);
  }
});
