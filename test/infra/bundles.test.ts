import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { build } from 'esbuild';
import { FUNCTION_BUNDLE } from '../../bin/service/function-bundle.ts';
import type { FunctionName } from '../../functions/kernel/http/route.ts';
import { PAGE_FILES } from '../../functions/pages/http/static-file.ts';
import {
  API_NAMES,
  bundleFunctions,
  EXTENSION_NAMES,
  type ExtensionName,
  type ResponseEvents,
  responseEvents,
  startFresh,
} from '../support/bundles.ts';
import { extensionEvents, startDestinations } from '../support/extensions.ts';
import { startTlsProxy, type TlsProxy } from '../support/tls-proxy.ts';
import { useTable } from '../support/use-table.ts';

/** The largest bundles in bytes. A part of the SDK that is not used exceeds them. */
const LARGEST_BUNDLES: Record<FunctionName | ExtensionName, number> = {
  tracking: 271_500,
  advocates: 287_000,
  // With the tools of assistants: 20,000 of text, and 30,000 of reads that other functions serve to others.
  referrals: 315_000,
  integrations: 259_000,
  // Without the list of disposable domains, which has 170,000.
  people: 236_600 + 171_500,
  publish: 167_500,
  'publish-emails': 175_500,
  deliver: 181_500,
  mail: 199_000,
  stripe: 216_000,
  statistics: 153_000,
};
/** The expected responses to the events of `responseEvents`: one referral or advocate, or a page of the list. */
const RESPONSES: Record<FunctionName, { readonly status: number; readonly rows: number }> = {
  tracking: { status: 201, rows: 1 },
  advocates: { status: 200, rows: 1 },
  referrals: { status: 200, rows: 25 },
  integrations: { status: 200, rows: 1 },
  people: { status: 200, rows: 1 },
};
const ROLE = {
  AWS_ACCESS_KEY_ID: 'ASIAEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 's3cret',
  AWS_SESSION_TOKEN: 't0ken',
};

// Outside of the project, so that a bundle cannot find a missing package in node_modules.
const outdir = mkdtempSync(path.join(tmpdir(), 'cdk-bundles-'));
let bundles: ReturnType<typeof bundleFunctions>;
const table = useTable();
let dynamodb: TlsProxy;
let events: ResponseEvents;
let runs: Record<FunctionName, Awaited<ReturnType<typeof runAll>>>;

beforeAll(async () => {
  bundles = bundleFunctions(outdir);
  events = await responseEvents(table);
  dynamodb = await startTlsProxy(String(process.env['DYNAMODB_ENDPOINT']));
  runs = {
    tracking: await runAll('tracking'),
    advocates: await runAll('advocates'),
    referrals: await runAll('referrals'),
    integrations: await runAll('integrations'),
    people: await runAll('people'),
  };
});
afterAll(async () => {
  await dynamodb.stop();
  rmSync(outdir, { recursive: true });
});

/** The environment of a function in Lambda, with DynamoDB behind a proxy. */
const environmentAt = (credentials: Readonly<Record<string, string>>) => ({
  TABLE_NAME: table.name,
  // Only functions that record metrics read it.
  STAGE: 'dev',
  AWS_REGION: 'eu-central-1',
  // Only `integrations` reads it.
  QUEUE_URL: 'https://sqs.eu-central-1.amazonaws.com/123456789012/deliveries',
  AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
  NODE_EXTRA_CA_CERTS: dynamodb.certificateFile,
  ...credentials,
});

const operations = ({ seen }: Pick<TlsProxy, 'seen'>) => seen.map(({ operation }) => operation);

/** Loads the file that Lambda loads. Calls the function if there is an event. The result includes its requests. */
async function run(
  name: FunctionName,
  event?: APIGatewayProxyEventV2,
  credentials: Readonly<Record<string, string>> = ROLE,
) {
  const { folder, handler } = bundles[name];
  const file = path.join(folder, handler.replace(/\.handler$/, '.mjs'));
  dynamodb.seen.length = 0;
  const started = await startFresh(file, event, environmentAt(credentials));
  return { ...started, seen: [...dynamodb.seen] };
}

async function runAll(name: FunctionName) {
  const event = events[name]();
  return {
    loaded: await run(name),
    authenticated: await run(name, event),
    withoutCredentials: await run(name, event, {}),
  };
}

describe.each([...API_NAMES, ...EXTENSION_NAMES])('the bundle of %s', (name) => {
  test('the bundle is one small CommonJS file without a credential chain or event streams', () => {
    const { folder, handler } = bundles[name];
    const pages = name === 'tracking' ? PAGE_FILES.map((page) => `${page}.json`) : [];
    expect(readdirSync(folder).sort()).toEqual(['entry.mjs', 'index.js', ...pages].sort());
    expect(handler).toBe('entry.handler');
    expect(statSync(path.join(folder, 'index.js')).size).toBeLessThanOrEqual(LARGEST_BUNDLES[name]);
    const text = readFileSync(path.join(folder, 'index.js'), 'utf8');
    expect(text.match(/AWS_CONTAINER_CREDENTIALS|AssumeRoleWithWebIdentity|EventStreamCodec/g)).toBeNull();
  });
});

test('only people contains the list of disposable domains', () => {
  const containing = [...API_NAMES, ...EXTENSION_NAMES].filter((name) =>
    readFileSync(path.join(bundles[name].folder, 'index.js'), 'utf8').includes('mailinator.com'),
  );
  expect(containing).toEqual(['people']);
});

test('a build fails if the SDK no longer has a module that it replaces', async () => {
  const building = build({ ...FUNCTION_BUNDLE, stdin: { contents: 'export {}' }, write: false, logLevel: 'silent' });
  await expect(building).rejects.toThrow('The SDK no longer has @aws-sdk/endpoint-cache/dist-es/EndpointCache.js');
});

describe.each(API_NAMES)('the bundle of %s', (name) => {
  test('the function reads the table over TLS for an authenticated request', () => {
    const { response, stderr } = runs[name].authenticated;
    expect(stderr).toBe('');
    const { status, rows } = RESPONSES[name];
    expect(response?.statusCode).toBe(status);
    expect([JSON.parse(response?.body ?? '').data].flat()).toHaveLength(rows);
  });

  test('the function opens the connection that the first request uses', () => {
    const { loaded, authenticated } = runs[name];
    expect(new Set(operations(loaded))).toEqual(new Set(['GetItem']));
    // The warm-up and the token. On a busy machine each may take several tries, with a connection of its own.
    const reads = authenticated.seen.filter(({ operation }) => operation === 'GetItem');
    expect(new Set(reads.map(({ connection }) => connection)).size).toBeLessThan(reads.length);
  });

  test('the function signs requests with the credentials and the region of its environment', () => {
    const [request] = runs[name].loaded.seen;
    expect(request?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=ASIAEXAMPLE\/\d{8}\/eu-central-1\/dynamodb\/aws4_request, /,
    );
    expect(request?.headers['x-amz-security-token']).toBe('t0ken');
  });

  test('the function starts without credentials, and a request logs the name of the error', () => {
    const { response, stderr, seen } = runs[name].withoutCredentials;
    expect(seen).toEqual([]);
    expect(response?.statusCode).toBe(500);
    expect(stderr).toContain('MissingCredentials');
  });
});

test('a position in the log of a bundle leads to the source', () => {
  const { stderr } = runs.tracking.withoutCredentials;
  const [, position = ''] = /index\.js:(\d+:\d+)/.exec(stderr) ?? [];
  const command = ['run', '--silent', 'locate', 'lambdas/tracking.ts', position];
  const { stdout } = spawnSync('npm', command, { encoding: 'utf8' });
  expect(stdout).toMatch(/^functions\/kernel\/environment\.ts:\d+:\d+\n$/);
});

test('the bundle recognizes a conversion that the table already has', async () => {
  const event = events.tracking();
  const first = await run('tracking', event);
  const second = await run('tracking', event);
  expect(first.response?.statusCode).toBe(201);
  expect({ status: second.response?.statusCode, stderr: second.stderr }).toEqual({ status: 409, stderr: '' });
});

describe('outside of the API', () => {
  let destinations: Awaited<ReturnType<typeof startDestinations>>;
  let changes: Awaited<ReturnType<typeof extensionEvents>>;
  beforeAll(async () => {
    destinations = await startDestinations();
    changes = await extensionEvents(table);
  });
  beforeEach(() => {
    destinations.seen.length = 0;
    dynamodb.seen.length = 0;
  });
  afterAll(() => {
    destinations.stop();
  });

  /** Loads the file that Lambda loads, and calls the function. */
  function call(name: ExtensionName) {
    const { folder, handler } = bundles[name];
    return startFresh<unknown>(path.join(folder, handler.replace(/\.handler$/, '.mjs')), changes[name](), {
      ...environmentAt(ROLE),
      ...destinations.environment,
    });
  }

  const signedFor = (service: string) =>
    expect.stringMatching(new RegExp(`Credential=ASIAEXAMPLE/\\d{8}/eu-central-1/${service}/`));

  test('publish sends a change to the bus and to the queue', async () => {
    const { response, stderr } = await call('publish');
    expect({ response, stderr }).toEqual({ response: { batchItemFailures: [] }, stderr: '' });
    // On a busy machine a request may be repeated.
    expect(new Set(destinations.seen.map(({ target }) => target)).size).toBe(2);
    expect(destinations.seen).toEqual(
      expect.arrayContaining([
        { target: 'AWSEvents.PutEvents', authorization: signedFor('events') },
        { target: 'AmazonSQS.SendMessageBatch', authorization: signedFor('sqs') },
      ]),
    );
  });

  test('publish with emails queues the email to a new member', async () => {
    const { response, stderr } = await call('publish-emails');
    expect({ response, stderr }).toEqual({ response: { batchItemFailures: [] }, stderr: '' });
    expect(destinations.seen).toEqual([{ target: 'AmazonSQS.SendMessageBatch', authorization: signedFor('sqs') }]);
  });

  test('mail sends an email with SES', async () => {
    const { response, stderr } = await call('mail');
    expect({ response, stderr }).toEqual({ response: { batchItemFailures: [] }, stderr: '' });
    expect(destinations.seen).toEqual([{ target: '/v2/email/outbound-emails', authorization: signedFor('ses') }]);
  });

  test('deliver hides a message that is not due', async () => {
    const { response, stderr } = await call('deliver');
    expect({ response, stderr }).toEqual({ response: { batchItemFailures: [{ itemIdentifier: '1' }] }, stderr: '' });
    expect(destinations.seen).toEqual([
      { target: 'AmazonSQS.ChangeMessageVisibility', authorization: signedFor('sqs') },
    ]);
  });

  test('stripe reads the program', async () => {
    const { response, stderr } = await call('stripe');
    expect({ response, stderr }).toEqual({ response: { ignored: 'unreadable' }, stderr: '' });
  });

  test('statistics counts a change', async () => {
    const { response, stderr } = await call('statistics');
    expect({ response, stderr }).toEqual({ response: { state: {} }, stderr: '' });
    expect(operations(dynamodb)).toContain('TransactWriteItems');
  });
});
