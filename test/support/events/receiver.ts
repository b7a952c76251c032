import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { afterAll } from '@jest/globals';
import { portOf } from '../../../bin/local/engine.ts';

/** A request as it arrived. */
interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on this machine. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  /** All requests up to now, oldest first. */
  readonly received: Received[];
  /** Connections that were opened. */
  readonly connections: Socket[];
}

/** Started servers. They stop after the tests of the file that imports this one. */
const started: { readonly server: Server; readonly connections: Socket[] }[] = [];
afterAll(async () => {
  for (const { server, connections } of started) {
    for (const socket of connections) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

type Respond = (response: ServerResponse, request: Received) => void;

/** Starts a receiver over HTTP, or over TLS with a key and a certificate. */
export async function startReceiver(
  respond: Respond,
  tls?: { readonly key: string; readonly cert: string },
): Promise<Receiver> {
  const received: Received[] = [];
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const { method, url, headers } = incoming;
    const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
    received.push(request);
    respond(outgoing, request);
  };
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  const { port, connections } = await listen(server);
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}/events`, port, received, connections };
}

/** Starts a server that does not have to speak HTTP. */
export async function startSocketServer(connected: (socket: Socket) => void): Promise<Receiver> {
  const { port, connections } = await listen(createSocketServer(connected));
  return { url: `http://127.0.0.1:${port}/events`, port, received: [], connections };
}

/** Resolves when all connections are closed, with or without an error. */
export async function closed({ connections }: Receiver): Promise<void> {
  const closings = connections.map((socket) => {
    socket.resume();
    return socket.closed || new Promise<void>((resolve) => socket.once('close', () => resolve()));
  });
  await Promise.all(closings);
}

async function listen(server: Server): Promise<{ readonly port: number; readonly connections: Socket[] }> {
  const connections: Socket[] = [];
  server.on('connection', (socket) => {
    connections.push(socket);
    // A sender that goes away is what some tests are about.
    socket.on('error', () => socket.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  started.push({ server, connections });
  return { port: portOf(server), connections };
}
