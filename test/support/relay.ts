import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { portOf } from '../../bin/local/engine.ts';

/** What may come in a request's way: it waits until that is done, and gets the answer where one is given. */
export type Hook = (path: string) => Promise<Answer | undefined>;

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The path that stands before every path of a service behind a relay. */
const PREFIX = '/of/a/stage';

/** Something before a service that passes on its requests, under addresses with a path prefix. */
export interface Relay {
  /** Base URL of the service through the relay. */
  readonly url: string;
  close(): Promise<void>;
}

/** Makes a relay to a service. Every request of a path goes through `hook` first. */
export async function relayTo(service: string, hook: Hook): Promise<Relay> {
  const server: Server = createServer((incoming, outgoing) => {
    pass(service, hook, incoming, outgoing).catch(() => outgoing.destroy());
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

async function pass(service: string, hook: Hook, incoming: IncomingMessage, outgoing: ServerResponse) {
  const { method, url = '', headers } = incoming;
  if (!url.startsWith(PREFIX)) throw new Error('The prefix is missing.');
  const path = url.slice(PREFIX.length);
  const answer = await hook(path);
  if (answer) {
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
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
