import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { afterEach } from '@jest/globals';
import { portOf } from '../../bin/local/engine.ts';

/** Runs before a request is forwarded. If it returns a response, the relay sends that one instead. */
type Hook = (path: string) => Promise<HookResponse | undefined>;

/** The response that a hook sends. */
export interface HookResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The relay's prefix of all paths, like a stage of API Gateway. */
const PREFIX = '/of/a/stage';

/** A proxy in front of a service, whose URLs have a path prefix. */
interface Relay {
  /** Base URL of the service through the relay. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a relay to a service. `hook` gets the path of every request first. */
export async function relayTo(service: string, hook: Hook): Promise<Relay> {
  const server: Server = createServer((incoming, outgoing) => {
    forward(service, hook, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}${PREFIX}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a function that starts a relay to a service until the end of the test, and returns the relay's base URL. */
export function useRelays(service: () => string): (hook: Hook) => Promise<string> {
  const relays: Relay[] = [];
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.close()));
  });
  return async (hook) => {
    const relay = await relayTo(service(), hook);
    relays.push(relay);
    return relay.url;
  };
}

async function forward(service: string, hook: Hook, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method, url = '', headers } = incoming;
  if (!url.startsWith(PREFIX)) throw new Error('The prefix is missing.');
  const path = url.slice(PREFIX.length);
  const instead = await hook(path);
  if (instead) {
    outgoing.writeHead(instead.status, instead.headers).end(instead.body);
    return;
  }
  const onward = request(new URL(path, service), { method, headers });
  onward.once('error', () => outgoing.destroy());
  onward.once('response', (response: IncomingMessage) => {
    outgoing.writeHead(response.statusCode ?? 0, response.headers);
    response.pipe(outgoing);
  });
  incoming.pipe(onward);
}
