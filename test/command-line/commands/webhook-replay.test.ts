import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { portOf } from '../../../bin/local/engine.ts';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { type SecretOwner, webhookOwner } from '../../../functions/kernel/secrets/secrets.ts';
import { reassignReferral, setReferralState } from '../../../functions/referrals/table/referrals.ts';
import type { DeliveryMessage } from '../../../functions/webhooks/stream/destinations.ts';
import { parseMessage } from '../../../functions/webhooks/stream/messages.ts';
import { listDeliveries } from '../../../functions/webhooks/table/deliveries.ts';
import { findWebhook, listWebhooks, updateWebhook } from '../../../functions/webhooks/table/webhooks.ts';
import { adminWith, useServiceFolder } from '../../support/admin-here.ts';
import { useFaultyProxy } from '../../support/faulty-proxy.ts';
import { aClick, anAdvocate, aProgram, aReferral } from '../../support/program.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const folder = useServiceFolder();
const proxied = useFaultyProxy(table);
const { proxy } = proxied;
const SINCE = ['--since', '2026-01-31T00:00:00Z'];

const run = (...args: readonly string[]) => adminWith({ table, parts: folder.parts }, 'webhook', ...args);

async function aWebhook({ id: program }: Program, ...options: readonly string[]) {
  const args = ['create', '--program', program, '--url', 'https://1.1.1.1/', ...options];
  const { stdout } = await run(...args, '--json');
  const { id } = JSON.parse(stdout);
  return { id, replay: ['replay', '--program', program, '--id', id] };
}

/** The messages for a webhook in the queue of the local service, by their ids. */
function queued(webhook: string): DeliveryMessage[] {
  const file = join(folder.path, 'service.sqlite');
  if (!existsSync(file)) return [];
  using database = new DatabaseSync(file);
  const rows = database.prepare('SELECT body FROM message WHERE webhook = ?').all(webhook);
  return rows.map(({ body }) => parseMessage(String(body)));
}
const idsIn = (webhook: string) => queued(webhook).map(({ event }) => event.id);

test('webhook replay queues the events of a program again, with the same ids, for one webhook', async () => {
  const program = await aProgram(table);
  const [jane, john] = [await anAdvocate(table, program), await anAdvocate(table, program)];
  const [one, other] = [await aReferral(table, program, jane), await aReferral(table, program, john)];
  await aClick(table, program, john);
  await setReferralState(table, program.id, one.id, { state: 'paid', actor: 'merchant' });
  await reassignReferral(
    table,
    program,
    { id: other.id, email: null, uid: null },
    { slug: jane.slug, actor: 'operator' },
  );
  const [webhook, idle] = [await aWebhook(program), await aWebhook(program)];
  const { status, stdout, stderr } = await run(...webhook.replay, ...SINCE, '--json');
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '{"queued":4}\n', stderr: '' });
  const ids = [`${one.id}.1`, `${one.id}.2`, `${other.id}.1`, `${other.id}.2`];
  expect(idsIn(webhook.id).toSorted()).toEqual(ids.toSorted());
  expect(queued(webhook.id)).toEqual(
    ids.map(() => expect.objectContaining({ program: program.id, attempt: 1, advocateId: jane.id })),
  );
  // Whatever the clock of the operator's machine is.
  for (const { event, due } of queued(webhook.id)) expect(due).toBe(event.setAt * 1000);
  expect(idsIn(idle.id)).toEqual([]);
  // Messages that are pending already are not queued twice.
  await run(...webhook.replay, ...SINCE);
  expect(idsIn(webhook.id)).toHaveLength(4);
});

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

test('webhook test ends with the status 1 if the receiver redirects, without its address', async () => {
  const receive: RequestListener = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end();
  await withReceiver(receive, async ({ named }) => {
    const { status, stdout, stderr } = await run('test', ...named, '--json');
    expect({ status, json: JSON.parse(stdout), stderr }).toEqual({
      status: 1,
      json: expect.objectContaining({ status: 302, reason: null }),
      stderr: 'The receiver responded with 302. It must respond with 2xx within 15 seconds, and not redirect.\n',
    });
  });
});

test('webhook test ends with the status 1 if no receiver listens, and says what to do', async () => {
  const { id: program } = await aProgram(table);
  const { stdout } = await run('create', '--program', program, '--url', 'http://127.0.0.1:9/', '--json');
  const ended = await run('test', '--program', program, '--id', JSON.parse(stdout).id, '--json');
  const stderr = expect.stringMatching(/^No response \(connection_failed\)\. .* Start the receiver, or /);
  expect(ended).toMatchObject({ status: 1, stderr });
});

describe('webhook commands with faults', () => {
  const CREATE = ['create', '--url', 'https://1.1.1.1/', '--json', '--program'];

  test('webhook create leaves no secret if its write never arrives', async () => {
    const { id: program } = await aProgram(table);
    const owners: SecretOwner[] = [];
    const { secrets } = folder.parts;
    const add: typeof secrets.add = (owner, secret) => {
      owners.push(owner);
      return secrets.add(owner, secret);
    };
    proxy.next('TransactWriteItems', 'drop', 'drop', 'drop', 'drop', 'drop');
    const setting = { table: proxied.faulty, parts: { ...folder.parts, secrets: { ...secrets, add } } };
    expect(await adminWith(setting, 'webhook', ...CREATE, program)).toMatchObject({ status: 1, stdout: '' });
    expect(await listWebhooks(table, program)).toEqual([]);
    expect(owners).toHaveLength(1);
    for (const owner of owners) expect(await secrets.read(owner)).toEqual([]);
  });

  test('webhook delete removes the secrets if the response of the table is lost', async () => {
    const { id: program } = await aProgram(table);
    const { id } = JSON.parse((await run(...CREATE, program)).stdout);
    proxy.next('TransactWriteItems', 'lose');
    const setting = { table: proxied.faulty, parts: folder.parts };
    const ended = await adminWith(setting, 'webhook', 'delete', '--program', program, '--id', id);
    expect(ended).toMatchObject({ status: 0 });
    expect(await findWebhook(table, program, id)).toBeUndefined();
    expect(await folder.parts.secrets.read(webhookOwner(program, id))).toEqual([]);
  });
});
