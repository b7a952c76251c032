import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { portOf } from '../../../../bin/local/engine.ts';
import { RequestRefused, Unavailable } from '../../../../functions/kernel/errors.ts';
import {
  type ParameterStoreOptions,
  parameterReader,
  parameterStore,
  readQueueUrl,
} from '../../../../functions/kernel/secrets/parameter-store.ts';
import { stripeOwner } from '../../../../functions/kernel/secrets/secrets.ts';
import { milliseconds } from '../../../../functions/kernel/time.ts';
import { NOW, PROGRAM_ID } from '../../../support/samples.ts';
import { GENEROUS_LIMITS } from '../../../support/table.ts';

/** A request that the store received. */
interface Received {
  readonly path: string | undefined;
  readonly action: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
}

/** What happens to a request instead of its action: a response with this status and body, or something else. */
type StoreFault =
  | { readonly status: number; readonly body: string }
  | 'hang'
  | 'drop'
  /** The headers and half of the body arrive. */
  | 'stall';

/** A Parameter Store on this machine, with the actions that the service uses, and pages as short as on AWS. */
class FakeParameterStore {
  readonly received: Received[] = [];
  readonly parameters = new Map<string, { readonly Value: string; readonly Type: string }>();
  readonly #faults: StoreFault[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.#handle(request, response).catch(() => response.destroy());
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** The next requests fail in these ways. */
  next(...faults: readonly StoreFault[]): void {
    this.#faults.push(...faults);
  }

  reset(): void {
    this.received.length = 0;
    this.#faults.length = 0;
    this.parameters.clear();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const action = String(request.headers['x-amz-target']).replace('AmazonSSM.', '');
    const input = JSON.parse(await text(request));
    this.received.push({ path: request.url, action, input, headers: request.headers });
    const fault = this.#faults.shift();
    if (fault) this.#fail(fault, response);
    else this.#respond(response, action, input);
  }

  #fail(fault: StoreFault, response: ServerResponse): void {
    if (fault === 'hang') return;
    if (fault === 'drop') response.destroy();
    else if (fault === 'stall') response.writeHead(200, { 'content-length': '1000' }).write('{"Parameters":[');
    else response.writeHead(fault.status).end(fault.body);
  }

  #respond(response: ServerResponse, action: string, input: Readonly<Record<string, unknown>>): void {
    const { status, body } = this.#act(action, input);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  }

  #act(action: string, input: Readonly<Record<string, unknown>>): { status: number; body: object } {
    const name = String(input['Name']);
    switch (action) {
      case 'PutParameter':
        this.parameters.set(name, { Value: String(input['Value']), Type: String(input['Type']) });
        return { status: 200, body: { Tier: 'Standard', Version: 1 } };
      case 'GetParameter': {
        const parameter = this.parameters.get(name);
        return parameter
          ? { status: 200, body: { Parameter: { Name: name, ...parameter } } }
          : { status: 400, body: { __type: 'ParameterNotFound' } };
      }
      case 'GetParametersByPath':
        return { status: 200, body: this.#page(input) };
      case 'DeleteParameters':
        for (const each of input['Names'] as string[]) this.parameters.delete(each);
        return { status: 200, body: { DeletedParameters: input['Names'], InvalidParameters: [] } };
      default:
        return { status: 400, body: { __type: 'com.amazonaws.ssm#InvalidAction' } };
    }
  }

  #page({ Path, MaxResults, NextToken }: Readonly<Record<string, unknown>>): object {
    const all = [...this.parameters].filter(([name]) => name.slice(0, name.lastIndexOf('/')) === Path);
    const start = Number(NextToken ?? 0);
    const end = start + Number(MaxResults);
    return {
      Parameters: all.slice(start, end).map(([Name, parameter]) => ({ Name, ...parameter })),
      ...(end < all.length && { NextToken: String(end) }),
    };
  }
}

const fake = new FakeParameterStore();
let options: ParameterStoreOptions;
beforeAll(async () => {
  options = {
    region: 'eu-central-1',
    tableName: 'acme-table',
    endpoint: await fake.start(),
    limits: GENEROUS_LIMITS,
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

  test('secrets are removed, ten at a time', async () => {
    const store = parameterStore(options);
    const all = Array.from({ length: 21 }, (_, index) => secret(`whsec_${index}`, index));
    for (const each of all) await store.add(OWNER, each);
    expect(await values()).toHaveLength(21);
    await store.remove(OWNER, all.slice(1));
    expect(await values()).toEqual(['whsec_0']);
    await store.remove(OWNER, [secret('whsec_unknown')]);
    await store.remove(OWNER, []);
    expect(await values()).toEqual(['whsec_0']);
    const deletions = fake.received.filter(({ action }) => action === 'DeleteParameters');
    expect(deletions.map(({ input }) => (input['Names'] as string[]).length)).toEqual([10, 10, 1]);
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

describe('failures of Parameter Store', () => {
  test.each<[string, StoreFault]>([
    ['500', refusal('InternalServerError', 500)],
    ['a connection that breaks', 'drop'],
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
      // A store of its own: on a busy machine, the request arrives after its test, and another test's fault would end it.
      const slow = new FakeParameterStore();
      slow.next(fault);
      const limits = { connectionTimeout: 60_000, requestTimeout: 50, socketTimeout: 50 };
      const reader = parameterReader({ ...options, limits, endpoint: await slow.start() });
      const error = await failureOf(reader.read(OWNER));
      slow.stop();
      expect(error).toBeInstanceOf(Unavailable);
    },
  );
});

describe("the queue's URL", () => {
  test("the queue's URL is read from its parameter", async () => {
    const Value = 'https://sqs.eu-central-1.amazonaws.com/1/queue';
    fake.parameters.set('/referral-tracking/acme-table/queue-url', { Value, Type: 'String' });
    expect(await readQueueUrl(options)).toBe(Value);
  });
});
