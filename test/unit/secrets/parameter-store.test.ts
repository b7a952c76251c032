import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RequestRefused, Unavailable } from '../../../functions/domain/errors.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import {
  type ParameterStoreOptions,
  parameterReader,
  parameterStore,
  readQueueUrl,
} from '../../../functions/secrets/parameter-store.ts';
import { MAX_SECRETS, rotateSecret, stripeOwner, webhookOwner } from '../../../functions/secrets/secrets.ts';
import { readEndpoint } from '../../../functions/table/environment.ts';
import { NOW, PROGRAM_ID } from '../samples.ts';
import { FakeParameterStore, type StoreFault } from './fake-parameter-store.ts';

const fake = new FakeParameterStore();
let options: ParameterStoreOptions;
beforeAll(async () => {
  options = {
    region: 'eu-central-1',
    tableName: 'acme-table',
    endpoint: await fake.start(),
    limits: { connectionTimeout: 60_000, requestTimeout: 60_000, socketTimeout: 60_000 },
    credentials: async () => ({ accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'the key', sessionToken: 'the session' }),
  };
});
beforeEach(() => fake.reset());
afterAll(() => fake.stop());

const OWNER = stripeOwner(PROGRAM_ID);
const PATH = `/referral-tracking/acme-table/stripe/${PROGRAM_ID}`;
const secret = (value: string, age = 0) => ({ value, createdAt: milliseconds(NOW * 1000 - age) });
const values = async (owner = OWNER) => (await parameterReader(options).read(owner)).map(({ value }) => value);

describe('the secrets of an owner', () => {
  test('secrets are encrypted parameters, read newest first', async () => {
    const store = parameterStore(options);
    for (const [value, age] of Object.entries({ whsec_a: 2, whsec_b: 0, whsec_c: 1 })) {
      await store.add(OWNER, secret(value, age));
    }
    expect(await store.read(OWNER)).toEqual([secret('whsec_b'), secret('whsec_c', 1), secret('whsec_a', 2)]);
    expect(await values()).toEqual(['whsec_b', 'whsec_c', 'whsec_a']);
    const stored = [...fake.parameters];
    expect(new Set(stored.map(([, { Type }]) => Type))).toEqual(new Set(['SecureString']));
    // The name contains nothing of the secret.
    for (const [name] of stored) expect(name).toMatch(new RegExp(`^${PATH}/[0-9a-f]{32}$`));
    expect(fake.received.at(-1)?.input).toEqual({ Path: PATH, WithDecryption: true, MaxResults: 10 });
  });

  test('secrets belong to one owner and table', async () => {
    const store = parameterStore(options);
    const webhook = webhookOwner(PROGRAM_ID, 'w1');
    await store.add(OWNER, secret('whsec_a'));
    await store.add(webhook, secret('whsec_b'));
    await parameterStore({ ...options, tableName: 'other' }).add(OWNER, secret('whsec_c'));
    expect([await values(), await values(webhook), await values(stripeOwner('none'))]).toEqual([
      ['whsec_a'],
      ['whsec_b'],
      [],
    ]);
  });

  test('secrets become newer if they are added again', async () => {
    const store = parameterStore(options);
    await store.add(OWNER, secret('whsec_a', 9));
    await store.add(OWNER, secret('whsec_b', 5));
    await store.add(OWNER, secret('whsec_a'));
    expect(await values()).toEqual(['whsec_a', 'whsec_b']);
  });

  test('secrets are removed, ten at a time', async () => {
    const store = parameterStore(options);
    const all = Array.from({ length: 21 }, (_, index) => secret(`whsec_${index}`, index));
    for (const each of all) await store.add(OWNER, each);
    await store.remove(OWNER, all.slice(1));
    expect(await values()).toEqual(['whsec_0']);
    await store.remove(OWNER, [secret('whsec_unknown')]);
    await store.remove(OWNER, []);
    expect(await values()).toEqual(['whsec_0']);
    const deletions = fake.received.filter(({ action }) => action === 'DeleteParameters');
    expect(deletions.map(({ input }) => (input['Names'] as string[]).length)).toEqual([10, 10, 1]);
  });

  test('secrets are at most two after a rotation', async () => {
    const store = parameterStore(options);
    const counts = [];
    for (const age of [3, 2, 1]) counts.push(await rotateSecret(store, OWNER, secret(`whsec_${age}`, age)));
    expect(counts).toEqual([1, 2, MAX_SECRETS]);
    expect(await values()).toEqual(['whsec_1', 'whsec_2']);
  });
});

test('a request is signed for Parameter Store', async () => {
  await values();
  const headers = fake.received[0]?.headers;
  const signed = 'content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token;x-amz-target';
  expect(headers?.authorization).toMatch(
    new RegExp(
      `^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/\\d{8}/eu-central-1/ssm/aws4_request, SignedHeaders=${signed}, Signature=[0-9a-f]{64}$`,
    ),
  );
  expect(headers).toMatchObject({
    'content-type': 'application/x-amz-json-1.1',
    'x-amz-target': 'AmazonSSM.GetParametersByPath',
    'x-amz-security-token': 'the session',
    'x-amz-date': expect.stringMatching(/^\d{8}T\d{6}Z$/),
  });
});

const SECRET = 'whsec_that_must_stay_secret';
const stored = (Value: string): StoreFault => ({ status: 200, body: JSON.stringify({ Parameters: [{ Value }] }) });
const refusal = (name: string, status = 400): StoreFault => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.ssm#${name}`, message: SECRET }),
});
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
/** Everything of an error that could be logged: its message, its causes and their properties. */
const shown = (error: unknown) => inspect(error, { depth: null, showHidden: true });

test.each([
  ['its own variable', { AWS_ENDPOINT_URL_SSM: 'ssm', AWS_ENDPOINT_URL: 'all' }, 'ssm'],
  ['the variable for all services', { AWS_ENDPOINT_URL_SSM: '', AWS_ENDPOINT_URL: 'all' }, 'all'],
  ['no variable', { AWS_ENDPOINT_URL: '', AWS_ENDPOINT_URL_DYNAMODB: 'other' }, undefined],
  [
    'no variable if they are to be ignored',
    { AWS_ENDPOINT_URL: 'all', AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' },
    undefined,
  ],
])('the address of Parameter Store comes from %s', (_, environment, expected) =>
  expect(readEndpoint('SSM', environment)).toBe(expected),
);

test('requests are sent to the address in the environment, with its path', async () => {
  const { endpoint, ...others } = options;
  process.env['AWS_ENDPOINT_URL_SSM'] = `${endpoint}/emulated`;
  try {
    await parameterStore(others).add(OWNER, secret('whsec_a'));
    expect(await parameterReader(others).read(OWNER)).toEqual([secret('whsec_a')]);
  } finally {
    delete process.env['AWS_ENDPOINT_URL_SSM'];
  }
  expect(fake.received.map(({ path }) => path)).toEqual(['/emulated', '/emulated']);
});

describe('failures of Parameter Store', () => {
  test.each<[string, StoreFault]>([
    ['500', refusal('InternalServerError', 500)],
    ['throttling', refusal('ThrottlingException')],
    ['a connection that breaks', 'drop'],
    ['JSON that breaks off', { status: 200, body: `{"Parameters":[{"Value":"${SECRET}` }],
    ['another body', { status: 200, body: `"${SECRET}"` }],
    ['a parameter without a value', { status: 200, body: `{"Parameters":[{"Name":"${SECRET}"}]}` }],
    ['a parameter with other JSON', stored(JSON.stringify({ secret: SECRET }))],
  ])('a failure with %s is Unavailable, and contains no secret', async (_, fault) => {
    fake.next(fault);
    const error = await failureOf(values());
    expect(error).toBeInstanceOf(Unavailable);
    expect(shown(error)).not.toMatch(/whsec|the key|the session/);
  });

  test.each(['AccessDeniedException', 'ValidationException', 'UnrecognizedClientException'])(
    'a failure of permissions or input, %s, is refused, and contains no secret',
    async (name) => {
      fake.next(refusal(name));
      const error = await failureOf(parameterStore(options).add(OWNER, secret(SECRET)));
      expect(error).toBeInstanceOf(RequestRefused);
      expect(error).toMatchObject({ name, reason: name });
      expect(shown(error)).not.toMatch(/whsec|the key|the session/);
    },
  );

  test.each<StoreFault>(['hang', 'stall'])(
    'a failure of a response that does not end (%s) is Unavailable',
    async (fault) => {
      fake.next(fault);
      const limits = { connectionTimeout: 60_000, requestTimeout: 50, socketTimeout: 50 };
      const reader = parameterReader({ ...options, limits });
      expect(await failureOf(reader.read(OWNER))).toBeInstanceOf(Unavailable);
    },
  );
});

describe("the queue's URL", () => {
  test("the queue's URL is read from its parameter", async () => {
    const Value = 'https://sqs.eu-central-1.amazonaws.com/1/queue';
    fake.parameters.set('/referral-tracking/acme-table/queue-url', { Value, Type: 'String' });
    expect(await readQueueUrl(options)).toBe(Value);
  });

  test("the queue's URL is undefined if the stack has no queue", async () =>
    expect(await readQueueUrl(options)).toBeUndefined());

  test("the queue's URL is not undefined if it cannot be read", async () => {
    fake.next(refusal('AccessDeniedException'));
    expect(await failureOf(readQueueUrl(options))).toBeInstanceOf(RequestRefused);
  });
});
