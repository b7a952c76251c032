import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { portOf } from '../../../bin/local/engine.ts';

interface Response {
  readonly status: number;
  readonly headers?: IncomingMessage['headers'];
  readonly body?: string;
}

/** What happens to a request: the connection breaks, no response arrives, or this response arrives. */
export type Hindrance = 'break' | 'hang' | Response;

/** A request that has arrived at the proxy. */
interface Seen {
  readonly query: URLSearchParams;
  /** Resolves when the browser has been sent a response. */
  readonly response: Promise<Response>;
}

/**
 * Starts the proxy through which the browsers of a test file reach every host: the server at the address that `target`
 * returns. Tests observe and hinder the requests here, the same for every engine.
 */
export function useNetwork(target: () => string) {
  const hindrances = new Map<string, Hindrance>();
  const held = new Map<string, Promise<void>>();
  const counts = new Map<string, number>();
  let waiting: ((path: string, seen: Seen) => void)[] = [];
  const server = createServer((incoming, outgoing) => {
    const { pathname, searchParams: query } = new URL(incoming.url ?? '/', target());
    counts.set(pathname, (counts.get(pathname) ?? 0) + 1);
    const response = respond(incoming, outgoing, hindrances.get(pathname));
    response.catch(() => outgoing.destroy());
    for (const resolve of waiting) resolve(pathname, { query, response });
  });
  // Browsers also call their makers, over TLS. Without a response, Firefox repeats such calls immediately.
  server.on('connect', (_, socket) => {
    // The browser may have closed the connection.
    socket.once('error', () => socket.destroy());
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });

  async function respond(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    hindrance?: Hindrance,
  ): Promise<Response> {
    if (hindrance === 'break') throw new Error('The test broke this connection.');
    // The response never comes.
    if (hindrance === 'hang') return new Promise(() => undefined);
    if (hindrance) {
      outgoing.writeHead(hindrance.status, hindrance.headers).end(hindrance.body);
      return hindrance;
    }
    const { pathname, search } = new URL(incoming.url ?? '/', target());
    await held.get(pathname);
    const { method, headers } = incoming;
    const onward = request(new URL(`${pathname}${search}`, target()), { method, headers });
    // A connection may also break after the beginning of the response.
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
    const [answer]: IncomingMessage[] = await once(onward, 'response');
    if (!answer) throw new Error('The server sent no response.');
    const { statusCode: status = 0, headers: answered } = answer;
    outgoing.writeHead(status, answered);
    answer.pipe(outgoing);
    return { status, headers: answered };
  }

  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    hindrances.clear();
    held.clear();
    counts.clear();
    waiting = [];
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    port: () => portOf(server),
    /** Hinders the requests of a path from now on, until the test ends. Without a hindrance, they arrive again. */
    hinder: (path: string, hindrance?: Hindrance) => {
      if (hindrance) hindrances.set(path, hindrance);
      else hindrances.delete(path);
    },
    /** Holds the requests of a path back, until the returned function is called. */
    hold: (path: string): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(path, promise);
      return resolve;
    },
    /** Resolves when the next request of a path arrives. */
    next: (path: string): Promise<Seen> =>
      new Promise((resolve) => {
        waiting.push((seenPath, seen) => {
          if (seenPath === path) resolve(seen);
        });
      }),
    /** Returns the number of requests of a path in this test. */
    count: (path: string): number => counts.get(path) ?? 0,
  };
}

export type Network = ReturnType<typeof useNetwork>;
