import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { portOf } from '../../../bin/local/engine.ts';
import { webhookOwner } from '../../../functions/secrets/secrets.ts';
import { listDeliveries } from '../../../functions/table/deliveries.ts';
import { updateWebhook } from '../../../functions/table/webhooks.ts';
import { adminWith, useServiceFolder } from '../../support/admin-here.ts';
import { aProgram } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const folder = useServiceFolder();
const run = (...args: readonly string[]) => adminWith({ table, parts: folder.parts }, 'webhook', ...args);

/** Creates a webhook at a receiver on this machine, and runs `work` with its secret and the options that name it. */
async function withReceiver(
  receive: RequestListener,
  work: (webhook: { secret: string; named: string[]; program: string; id: string; port: number }) => Promise<void>,
): Promise<void> {
  await using server = createServer(receive).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  const { id: program } = await aProgram(table);
  const url = `http://127.0.0.1:${port}/hooks?token=hidden`;
  const { stdout } = await run('create', '--program', program, '--url', url, '--json');
  const { id, secret } = JSON.parse(stdout);
  await work({ secret, named: ['--program', program, '--id', id], program, id, port });
}

test('webhook test sends a signed event immediately, and prints the status of the response', async () => {
  const received: { id: string; body: string; isSigned: boolean }[] = [];
  let verifier: Webhook | undefined;
  const receive: RequestListener = async (request, response) => {
    const body = await text(request);
    const headers = Object.fromEntries(
      ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(request.headers[name])]),
    );
    // Throws if the signature is not valid.
    const isSigned = verifier?.verify(body, headers) !== undefined;
    received.push({ id: headers['webhook-id'] ?? '', body, isSigned });
    response.writeHead(204).end();
  };
  await withReceiver(receive, async ({ secret, named, program, id }) => {
    verifier = new Webhook(secret);
    const { status, stdout, stderr } = await run('test', ...named, '--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const printed = JSON.parse(stdout);
    const event_id = expect.stringMatching(/^test\.[\da-f-]{36}$/);
    expect(printed).toMatchObject({ event_id, event: 'webhook.test', status: 204, reason: null, attempt: 1 });
    expect(received).toEqual([{ id: printed.event_id, body: '{"type":"webhook.test"}', isSigned: true }]);
    // Nothing is recorded, because it was not the delivery of an event.
    expect(await listDeliveries(table, program, id, 10)).toEqual([]);

    await updateWebhook(table, program, id, { enabled: false });
    await run('rotate', ...named);
    expect((await run('test', ...named)).status).toBe(0);
    expect(received).toHaveLength(2);
  });
});

test.each([400, 302, 500])('webhook test ends with the status 1 if the receiver responds with %d', async (code) => {
  const receive: RequestListener = (_, response) => void response.writeHead(code, { location: '/elsewhere' }).end();
  await withReceiver(receive, async ({ named }) => {
    const { status, stdout, stderr } = await run('test', ...named, '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ status: code, reason: null });
    expect(stderr).toBe(
      `The receiver responded with ${code}. It must respond with 2xx within 15 seconds, and not redirect.\n`,
    );
  });
});

test('webhook test reports a receiver that does not respond, without the address', async () => {
  await withReceiver(
    (request) => request.socket.destroy(),
    async ({ named }) => {
      const { status, stdout, stderr } = await run('test', ...named, '--json');
      expect(status).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ status: null, reason: 'invalid_response' });
      expect(stderr).toMatch(/^No response \(invalid_response\)\. Something other than an HTTP response arrived/);
      expect(stderr).not.toContain('hidden');
    },
  );
});

test('webhook test sends nothing without a secret, or to this machine from elsewhere than npm start', async () => {
  let requests = 0;
  const receive: RequestListener = (_, response) => {
    requests += 1;
    response.end();
  };
  await withReceiver(receive, async ({ named, program, id }) => {
    const onAws = { ...folder.parts, isLocal: false };
    const refused = await adminWith({ table, parts: onAws }, 'webhook', 'test', ...named);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/^No response \(address_refused\)\. /) });
    const owner = webhookOwner(program, id);
    await folder.parts.secrets.remove(owner, await folder.parts.secrets.read(owner));
    const { status, stderr } = await run('test', ...named);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'The webhook has no secret. Run `webhook rotate` to create one.\n',
    });
  });
  expect(requests).toBe(0);
});
