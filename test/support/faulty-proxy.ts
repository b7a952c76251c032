import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type BrokenResponse, sendBroken } from './broken-responses.ts';
import { rethrowInThisRealm } from './realm.ts';
import { openPatiently, openWithin, type TestTable } from './table.ts';

/** What the proxy does with a request instead of passing it on. */
export type Fault =
  /** DynamoDB refuses it. */
  | { readonly answer: { readonly status: number; readonly body: object } }
  /** No answer ever comes. */
  | 'hang'
  /** The connection breaks before the request arrives. */
  | 'drop'
  /** The request arrives and is carried out; the connection breaks before its answer does. */
  | 'lose'
  /** The request is carried out, then `meanwhile` runs to its end, and only then the connection breaks. */
  | { readonly meanwhile: () => Promise<unknown> }
  /** A batch is answered for its first key only; the others are left unprocessed. */
  | 'leave unprocessed'
  /** Something between client and DynamoDB responds with a page. */
  | { readonly page: number }
  /** The request is carried out, and only a part of the response arrives. */
  | BrokenResponse;

/** An error as DynamoDB answers it. */
export function refusal(name: string, more: object = {}, status = 400): Fault {
  const __type = `com.amazonaws.dynamodb.v20120810#${name}`;
  return { answer: { status, body: { __type, message: `made by a test: ${name}`, ...more } } };
}

/** A cancelled transaction, with the codes of its items in their order. */
export const cancellation = (...codes: string[]): Fault =>
  refusal('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

/** The response to a read that finds nothing. */
const NOTHING: Fault = { answer: { status: 200, body: {} } };

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * A DynamoDB that fails when it is told to: a proxy in front of the engine of the run, or of another DynamoDB that speaks
 * plain HTTP and checks no signature of the host.
 */
export class FaultyProxy {
  /** The operations that were asked for, in their order. */
  readonly seen: string[] = [];
  /** True: reads that are not consistent find nothing, as if everything had been written a moment ago. */
  isStale = false;
  readonly #faults = new Map<string, Fault[]>();
  readonly #server = createServer((incoming, outgoing) => {
    this.#take(incoming, outgoing).catch(() => outgoing.destroy());
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

  /** Lets the next requests of an operation (`GetItem`, `TransactWriteItems`, …) fail, one for each fault. */
  next(operation: string, ...faults: readonly Fault[]): void {
    this.#faults.set(operation, [...(this.#faults.get(operation) ?? []), ...faults]);
  }

  /** Forgets what it was told and what it saw. */
  reset(): void {
    this.#faults.clear();
    this.seen.length = 0;
    this.isStale = false;
  }

  async #take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
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
    if (typeof fault === 'object' && 'answer' in fault) {
      const { status, body: error } = fault.answer;
      outgoing.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(error));
      return;
    }
    const isShort = fault === 'leave unprocessed';
    const answer = await (isShort ? this.#forwardFirst(incoming, body) : this.#forward(incoming, body));
    if (typeof fault === 'object') await fault.meanwhile();
    if (fault === 'lose' || typeof fault === 'object') incoming.socket.destroy();
    else if (fault === undefined || isShort) outgoing.writeHead(answer.status, answer.headers).end(answer.body);
    else sendBroken(fault, answer, outgoing);
  }

  #findsNothing(operation: string, body: Buffer): boolean {
    return this.isStale && /GetItem$/.test(operation) && !body.includes('"ConsistentRead":true');
  }

  #forward({ method, url = '/', headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const length = { 'content-length': body.length };
      const onward = request(new URL(url, this.#engine), { method, headers: { ...headers, ...length } });
      onward.once('error', reject).once('response', async (response: IncomingMessage) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(Buffer.from(chunk));
        resolve({
          status: response.statusCode ?? 502,
          headers: response.headers,
          body: Buffer.concat(chunks),
        });
      });
      onward.end(body);
    });
  }

  /** Forwards a BatchGetItem with the first of its keys; says of the others that they were not processed. */
  async #forwardFirst(incoming: IncomingMessage, body: Buffer): Promise<Answer> {
    const batch: { RequestItems: Record<string, { Keys: unknown[] }> } = JSON.parse(body.toString());
    const [[name, { Keys }] = ['', { Keys: [] }]] = Object.entries(batch.RequestItems);
    const [first, ...rest] = Keys;
    const short = JSON.stringify({ RequestItems: { [name]: { Keys: [first] } } });
    const answer = await this.#forward(incoming, Buffer.from(short));
    const whole: object = JSON.parse(answer.body.toString());
    const changed = JSON.stringify({ ...whole, UnprocessedKeys: { [name]: { Keys: rest } } });
    return {
      status: answer.status,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Buffer.from(changed),
    };
  }
}

/** A proxy for a test file, and the file's table seen through it. */
interface Through {
  readonly proxy: FaultyProxy;
  /** Waits as long as it takes, so that only the faults of the test fail. */
  readonly faulty: TestTable;
  /** Has the limits of a Lambda function. A busy machine may exceed them too: only for what times out at every attempt. */
  readonly limited: TestTable;
}

/** Starts a proxy in front of the DynamoDB of a table for the tests of a file. */
export function useFaultyProxy(table: TestTable): Through {
  const proxy = new FaultyProxy(process.env['DYNAMODB_ENDPOINT'] ?? '');
  let endpoint = '';
  let tables: { readonly faulty: TestTable; readonly limited: TestTable } | undefined;
  beforeAll(async () => {
    endpoint = await proxy.start();
  });
  // The SDK stops retrying when one client has met many failures: each test gets its own clients.
  beforeEach(() => {
    tables = {
      faulty: openPatiently(table.name, endpoint),
      limited: openWithin(undefined, table.name, endpoint),
    };
    for (const each of Object.values(tables)) rethrowInThisRealm(each);
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
