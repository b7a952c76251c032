import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portOf } from '../../bin/local/engine.ts';
import { selfSigned } from './certificate.ts';

/** A request as it arrived at the proxy. */
interface SeenRequest {
  /** For example `GetItem`. */
  readonly operation: string;
  readonly headers: IncomingMessage['headers'];
  /** The client's port, which is the same for all requests of one connection. */
  readonly connection: number | undefined;
}

/** DynamoDB over TLS: a proxy that terminates TLS in front of the engine, which supports plain HTTP only. */
export interface TlsProxy {
  readonly url: string;
  /** File with the proxy's certificate, for `NODE_EXTRA_CA_CERTS` of a client. */
  readonly certificateFile: string;
  /** All requests up to now, oldest first. */
  readonly seen: SeenRequest[];
  stop(): Promise<void>;
}

/** Starts a proxy with its own certificate. Without an endpoint it accepts requests and never responds. */
export async function startTlsProxy(endpoint: string | undefined): Promise<TlsProxy> {
  const { key, cert } = selfSigned();
  const folder = mkdtempSync(join(tmpdir(), 'tls-proxy-'));
  const certificateFile = join(folder, 'certificate.pem');
  writeFileSync(certificateFile, cert);
  const seen: SeenRequest[] = [];
  const agent = new Agent({ keepAlive: true });
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    const operation = String(incoming.headers['x-amz-target']).replace(/^.*\./, '');
    seen.push({ operation, headers: incoming.headers, connection: incoming.socket.remotePort });
    if (endpoint !== undefined) forward(new URL(incoming.url ?? '/', endpoint), agent, incoming, outgoing);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `https://localhost:${portOf(server)}`,
    certificateFile,
    seen,
    stop: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true });
    },
  };
}

function forward(url: URL, agent: Agent, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, headers } = incoming;
  const onward = request(url, { method, headers, agent });
  onward.once('error', () => outgoing.destroy());
  onward.once('response', (response: IncomingMessage) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(outgoing);
  });
  incoming.pipe(onward);
}
