import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { openTable, openWithin, type TestTable } from './table.ts';

/** A way in which a request fails. */
export type Fault =
  /** The proxy sends this response; the request never reaches DynamoDB. */
  | { readonly response: { readonly status: number; readonly body: object } }
  /** No response ever arrives. */
  | 'hang'
  /** The connection breaks before the request arrives. */
  | 'drop'
  /** The request is executed. The connection breaks before its response arrives. */
  | 'lose'
  /** The request is executed. The connection breaks after `meanwhile` has run. */
  | { readonly meanwhile: () => Promise<unknown> }
  /** Only the first key of a batch is read; the others are returned as unprocessed. */
  | 'leave unprocessed'
  /** Something between client and DynamoDB responds with a web page and this status. */
  | { readonly page: number }
  /** The response breaks. */
  | BrokenResponse;

/** An error response of DynamoDB. */
export function refusal(name: string, more: object = {}, status = 400): Fault {
  const __type = `com.amazonaws.dynamodb.v20120810#${name}`;
  return { response: { status, body: { __type, message: `made by a test: ${name}`, ...more } } };
}

/** A cancelled transaction, with one cancellation code for each item in order. */
export const cancellation = (...codes: string[]): Fault =>
  refusal('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

/** The response to a read that finds nothing. */
const NOTHING: Fault = { response: { status: 200, body: {} } };

/**
 * A DynamoDB that fails on demand: a proxy in front of the engine under test, or of any DynamoDB that accepts plain HTTP
 * and does not verify the signed host header.
 */
export class FaultyProxy {
  /** The operations requested so far, in order. */
  readonly seen: string[] = [];
  /** If true, eventually consistent reads find nothing, as if every item had just been written. */
  isStale = false;
  /** The header `Date` of the responses that it forwards; by default the engine's, or this machine's time. */
  date: string | undefined;
  readonly #faults = new Map<string, Fault[]>();
  readonly #server = createServer((incoming, outgoing) => {
    this.#handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  readonly #engine: string;

  constructor(engine: string) {
    this.#engine = engine;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    const address = this.#server.address();
    if (typeof address !== 'object' || !address) throw new Error('The proxy has no port.');
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Makes the next requests of an operation (`GetItem`, `TransactWriteItems`, …) fail, one per fault. */
  next(operation: string, ...faults: readonly Fault[]): void {
    this.#faults.set(operation, [...(this.#faults.get(operation) ?? []), ...faults]);
  }

  /** Removes the remaining faults and the recorded operations. */
  reset(): void {
    this.#faults.clear();
    this.seen.length = 0;
    this.isStale = false;
    this.date = undefined;
  }

  async #handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks);
    const operation = String(incoming.headers['x-amz-target']).replace(/^.*\./, '');
    this.seen.push(operation);
    const fault = this.#findsNothing(operation, body) ? NOTHING : this.#faults.get(operation)?.shift();
    if (fault === 'hang') return;
    if (fault === 'drop') {
      incoming.socket.destroy();
      return;
    }
    if (typeof fault === 'object' && 'page' in fault) {
      outgoing.writeHead(fault.page, { 'content-type': 'text/html' }).end('<html>made by a test</html>');
      return;
    }
    if (typeof fault === 'object' && 'response' in fault) {
      const { status, body: error } = fault.response;
      outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(error));
      return;
    }
    const isShort = fault === 'leave unprocessed';
    const response = await (isShort ? this.#forwardFirst(incoming, body) : this.#forward(incoming, body));
    if (typeof fault === 'object') await fault.meanwhile();
    if (fault === 'lose' || typeof fault === 'object') incoming.socket.destroy();
    else if (fault === undefined || isShort) outgoing.writeHead(response.status, response.headers).end(response.body);
    else sendBroken(fault, response, outgoing);
  }

  #findsNothing(operation: string, body: Buffer): boolean {
    return this.isStale && /GetItem$/.test(operation) && !body.includes('"ConsistentRead":true');
  }

  #forward({ method, url = '/', headers }: IncomingMessage, body: Buffer): Promise<WholeResponse> {
    return new Promise((resolve, reject) => {
      const length = { 'content-length': body.length };
      const onward = request(new URL(url, this.#engine), { method, headers: { ...headers, ...length } });
      onward.once('error', reject).once('response', async (response: IncomingMessage) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(Buffer.from(chunk));
        const { statusCode: status = 502, headers: received } = response;
        const dated = { ...received, ...(this.date !== undefined && { date: this.date }) };
        resolve({ status, headers: dated, body: Buffer.concat(chunks) });
      });
      onward.end(body);
    });
  }

  /** Forwards a BatchGetItem with its first key only, and returns the other keys as unprocessed. */
  async #forwardFirst(incoming: IncomingMessage, body: Buffer): Promise<WholeResponse> {
    const batch: { RequestItems: Record<string, { Keys: unknown[] }> } = JSON.parse(body.toString());
    const [[name, { Keys }] = ['', { Keys: [] }]] = Object.entries(batch.RequestItems);
    const [first, ...others] = Keys;
    const short = JSON.stringify({ RequestItems: { [name]: { Keys: [first] } } });
    const response = await this.#forward(incoming, Buffer.from(short));
    const complete: object = JSON.parse(response.body.toString());
    const changed = JSON.stringify({ ...complete, UnprocessedKeys: { [name]: { Keys: others } } });
    return {
      status: response.status,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Buffer.from(changed),
    };
  }
}

/** A proxy for a test file, and clients that reach the file's table through it. */
interface ProxiedTables {
  readonly proxy: FaultyProxy;
  /** Has no time limit, so that requests fail only by the test's faults, and no pauses before the SDK's retries. */
  readonly faulty: TestTable;
  /** Has the time limits of a Lambda function. A busy machine may exceed them: use it only if all requests time out. */
  readonly limited: TestTable;
}

/** Starts a proxy in front of a table's DynamoDB for all tests of a file. */
export function useFaultyProxy(table: TestTable): ProxiedTables {
  const proxy = new FaultyProxy(process.env['DYNAMODB_ENDPOINT'] ?? '');
  let endpoint = '';
  let tables: { readonly faulty: TestTable; readonly limited: TestTable } | undefined;
  beforeAll(async () => {
    endpoint = await proxy.start();
  });
  // The SDK stops retrying after many failures of one client, so each test gets its own clients.
  beforeEach(async () => {
    tables = {
      faulty: openTable(table.name, endpoint),
      limited: openWithin(undefined, table.name, endpoint),
    };
    for (const each of Object.values(tables)) rethrowInThisRealm(each);
    await retryImmediately(tables.faulty);
  });
  afterEach(() => {
    for (const { client } of Object.values(tables ?? {})) client.destroy();
    proxy.reset();
  });
  afterAll(() => proxy.stop());
  const started = () => {
    if (!tables) throw new Error('The proxy has not started.');
    return tables;
  };
  return {
    proxy,
    get faulty() {
      return started().faulty;
    },
    get limited() {
      return started().limited;
    },
  };
}

/** Removes the pauses between the SDK's retries, which take up to three seconds. */
async function retryImmediately({ client }: TestTable): Promise<void> {
  const retryBackoffStrategy = { setDelayBase: () => undefined, computeNextBackoffDelay: () => 0 };
  Object.assign(await client.config.retryStrategy(), { retryBackoffStrategy });
}

/** How a response breaks. */
type BrokenResponse =
  /** The request is executed. The headers and half of the body arrive, then nothing more. */
  | 'stall'
  /** The request is executed. Half of the body arrives, then the connection breaks. */
  | 'break off'
  /** The request is executed. Half of the body arrives, with the content-length of this half. */
  | 'truncate'
  /** The bytes of a header keep arriving and never end. */
  | 'trickle headers'
  /** The bytes of a body keep arriving and never end. */
  | 'trickle body';

/** A response as DynamoDB sent it. */
interface WholeResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Milliseconds between two bytes: much shorter than the client's timeouts. */
const TRICKLE = 50;

/** Sends as much of a response as the fault lets through. */
function sendBroken(how: BrokenResponse, whole: WholeResponse, outgoing: ServerResponse): void {
  const { status, headers, body } = whole;
  const half = body.subarray(0, body.length / 2);
  switch (how) {
    case 'stall':
      outgoing.writeHead(status, headers).write(half);
      return;
    case 'break off':
      outgoing.writeHead(status, headers).write(half, () => outgoing.destroy());
      return;
    case 'truncate':
      outgoing.writeHead(status, { ...headers, 'content-length': half.length }).end(half);
      return;
    case 'trickle headers':
      trickle(outgoing, 'HTTP/1.1 200 OK\r\nx-endless: ', 'x');
      return;
    case 'trickle body':
      trickle(outgoing, 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n{', ' ');
      return;
  }
}

function trickle({ socket }: ServerResponse, start: string, byte: string): void {
  if (!socket) return;
  socket.write(start);
  const timer = setInterval(() => socket.write(byte), TRICKLE);
  socket.once('close', () => clearInterval(timer));
}

/**
 * Makes the client of a table throw Node's errors as in production. jest runs each test file in a separate realm, where
 * errors created by Node are not `instanceof Error`, and the SDK wraps such values in another error.
 */
export function rethrowInThisRealm({ client }: TestTable): void {
  client.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        if (error instanceof Error || !isErrorLike(error)) throw error;
        throw Object.assign(new Error(error.message), { ...error, name: error.name });
      }),
    { step: 'deserialize', priority: 'low' },
  );
}

function isErrorLike(value: unknown): value is Error {
  return typeof value === 'object' && value !== null && 'name' in value && 'message' in value;
}
