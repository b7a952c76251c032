import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runAdmin } from '../../support/admin.ts';
import { VerifyingReceiver } from '../../support/events/event-service.ts';
import { end, killRemaining, start } from '../../support/start.ts';

const SECRET = 'whsec_5WbX5kEWLlfzsGNjH64I8lOOqUB6e8FH';

const receiver = new VerifyingReceiver();
let environment: { readonly DATA_DIR: string };
beforeAll(async () => {
  environment = { DATA_DIR: await mkdtemp(join(tmpdir(), 'commands-')) };
});
afterAll(async () => {
  receiver.close();
  await killRemaining();
  await rm(environment.DATA_DIR, { recursive: true });
});

/** Runs a command in a process of its own, which finds the service by its folder. Returns the JSON that it prints. */
async function admin(command: string, input = '') {
  const args = [...command.split(' '), '--json'];
  const { status, stdout, stderr } = await runAdmin(args, environment, { watch: (child) => child.stdin?.end(input) });
  expect({ command, status, stderr }).toEqual({ command, status: 0, stderr: '' });
  return JSON.parse(stdout);
}

const idsOf = () => receiver.received.map(({ id }) => id).filter((id) => !id.startsWith('test.'));

test('the commands for webhooks and Stripe work with a running npm start', async () => {
  const [service, url] = await Promise.all([start({ ...environment, DEMO: 'off' }), receiver.listen()]);
  const { id } = await admin('program create --name Acme --site-url https://acme.example --commission-percentage 20');
  const { slug } = await admin(`advocate create --program ${id} --email jane@example.com`);
  const webhook = await admin(`webhook create --program ${id} --url ${url}`);
  receiver.secret = webhook.secret;
  const named = `--program ${id} --id ${webhook.id}`;
  expect(await admin(`webhook test ${named}`)).toMatchObject({ status: 204, reason: null });

  const connected = await admin(`stripe connect --program ${id} --secret -`, `${SECRET}\n`);
  const endpoint = `${service.url}/v2/integrations/stripe/${id}`;
  expect(connected).toEqual({ id, url: endpoint, secrets: 1, on_refund: 'ignore' });
  const grId = `${slug}_01900000-0000-7000-8000-000000000000`;
  const checkout = `stripe simulate --program ${id} --event checkout.session.completed --email jim@shop.example`;
  expect(await admin(`${checkout} --gr-id ${grId}`)).toMatchObject({ status: 200, body: { applied: 'paid' } });
  const referral = await admin(`referral show --program ${id} --email jim@shop.example`);
  const events = [`${referral.id}.1`, `${referral.id}.2`];
  for (const event of events) await receiver.waitFor(event);
  expect(idsOf().toSorted()).toEqual(events);

  expect(await admin(`webhook replay ${named} --since 2026-01-01T00:00:00Z`)).toEqual({ queued: 2 });
  for (const event of events) await receiver.waitFor(event, 2);
  expect(idsOf().toSorted()).toEqual([...events, ...events].toSorted());
  const delivered = events.map((event_id) => expect.objectContaining({ event_id, status: 204, attempt: 1 }));
  expect(await admin(`webhook deliveries ${named}`)).toEqual(expect.arrayContaining(delivered));
  expect(await admin(`stripe disconnect --program ${id}`)).toEqual({ ...connected, secrets: 0 });
  expect(await admin(`webhook delete ${named}`)).toEqual({ id: webhook.id, deleted: true });
  expect(receiver.faults).toEqual([]);
  await end(service, 'SIGTERM');
});
