import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Options, referralTracking } from '../../client/src/client.ts';
import { failureOf } from '../support/client/client-calls.ts';

// Node 20 collects abort signals that only other signals refer to, and then they never abort.
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

let server: Server;
let collecting: NodeJS.Timeout;
beforeEach(() => {
  collecting = setInterval(collectGarbage, 10);
});
afterEach(() => {
  clearInterval(collecting);
  server.closeAllConnections();
  server.close();
});

/** A client of a server, with the `fetch` of the Node that runs the tests. */
async function clientOf(listener: RequestListener, options: Partial<Options> = {}) {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return referralTracking({ baseUrl: `http://127.0.0.1:${port}`, ...options });
}

const SILENT: readonly [string, RequestListener][] = [
  ['no response', () => undefined],
  ['half a response', (_, response) => void response.writeHead(200).write('{"data"')],
];

test.each(SILENT)('a request that gets %s ends with its timeout although garbage is collected', async (_, listener) => {
  const client = await clientOf(listener, { timeout: 200 });
  expect(await failureOf(client.GET('/v1/advocates'))).toMatchObject({
    status: 0,
    message: 'No complete response arrived. The request timed out after 200 ms.',
  });
});

test.each(SILENT)('a request that gets %s ends with its signal although garbage is collected', async (_, listener) => {
  const client = await clientOf(listener);
  const reason = new Error('The page was left');
  const abort = new AbortController();
  const call = client.GET('/v1/advocates', { signal: abort.signal });
  setTimeout(() => abort.abort(reason), 200);
  expect(await failureOf(call)).toBe(reason);
});
