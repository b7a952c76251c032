import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { portOf } from '../../../bin/local/engine.ts';
import { listen } from '../../../bin/local/gateway.ts';

const agent = new Agent({ keepAlive: true });
const held: ServerResponse[] = [];
/** A server that holds back its responses until the test sends them. */
const server = createServer((_, response) => {
  held.push(response);
});
afterEach(() => {
  held.length = 0;
  server.closeAllConnections();
  server.close();
});

const sendRequest = () => {
  const outgoing = request({ host: '127.0.0.1', port: portOf(server), agent });
  const responded = once(outgoing, 'response') as Promise<[IncomingMessage]>;
  outgoing.end();
  return responded;
};

test('the server closes even if a browser holds an unused connection', async () => {
  const close = await listen(server, 0);
  const accepted = once(server, 'connection');
  const connection = connect(portOf(server), '127.0.0.1');
  await accepted;
  const hungUp = once(connection, 'close');
  await close();
  await hungUp;
  expect(server.listening).toBe(false);
});

test('the server completes a pending request, then closes its connection, although the caller would reuse it', async () => {
  const close = await listen(server, 0);
  const received = once(server, 'request');
  const responded = sendRequest();
  await received;
  const closed = close();
  held[0]?.end('all of it');
  const [response] = await responded;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  expect(String(Buffer.concat(chunks))).toBe('all of it');
  await closed;
  expect(server.listening).toBe(false);
});
