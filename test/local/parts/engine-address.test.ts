import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { BLOCKED_PORTS, freeEngineAddress } from '../../../bin/local/engine.ts';

/** Of the block reserved for documentation: no machine has it (RFC 5737). */
const NOWHERE = '192.0.2.1';

test("each port of the engine is blocked by the Fetch standard, and so by Node's own fetch", async () => {
  for (const port of BLOCKED_PORTS) {
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ cause: { message: 'bad port' } });
  }
});

test('each engine gets another address of this machine', async () => {
  const addresses = await Promise.all([freeEngineAddress(), freeEngineAddress(), freeEngineAddress()]);
  for (const { host, port } of addresses) {
    expect(host).toMatch(/^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/);
    expect(BLOCKED_PORTS).toContain(port);
  }
  if (process.platform === 'linux') expect(new Set(addresses.map(({ host }) => host)).size).toBe(3);
});

test('a system without the random address gets 127.0.0.1', async () => {
  const { host, port } = await freeEngineAddress([NOWHERE, '127.0.0.1']);
  expect([host, BLOCKED_PORTS.includes(port)]).toEqual(['127.0.0.1', true]);
});

test('a port that is taken is left out', async () => {
  const host = `127.1.${process.pid % 256}.77`;
  const left = await freeEngineAddress([host]);
  await using servers = new AsyncDisposableStack();
  for (const port of BLOCKED_PORTS.filter((each) => each !== left.port)) {
    // Another server of this machine may have it already.
    await once(servers.use(createServer()).listen(port, host), 'listening').catch(() => undefined);
  }
  expect(await freeEngineAddress([host])).toEqual(left);
});

test('the error names the ports if none is free', async () => {
  await expect(freeEngineAddress([NOWHERE])).rejects.toThrow(
    /^The embedded DynamoDB engine has no free port\. .* Free one of them: 1719, .*10080\.$/,
  );
});
