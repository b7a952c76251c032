import { describe, expect, test } from '@jest/globals';
import { signingSecrets, webhookOwner } from '../../../functions/kernel/secrets/secrets.ts';
import { milliseconds, rfc3339 } from '../../../functions/kernel/time.ts';
import type { Delivery } from '../../../functions/webhooks/rules/webhook.ts';
import { recordDelivery } from '../../../functions/webhooks/table/deliveries.ts';
import { findWebhook, listWebhooks } from '../../../functions/webhooks/table/webhooks.ts';
import { adminWith, useServiceFolder } from '../../support/admin-here.ts';
import { anAdvocate, aProgram, aReferral, newId } from '../../support/program.ts';
import { damageWebhook, failForFiveDays } from '../../support/table/webhooks.ts';
import { allItems } from '../../support/table.ts';
import { useTable } from '../../support/use-table.ts';

const table = useTable();
const folder = useServiceFolder();
/** A public address, which needs no DNS. */
const PUBLIC = 'https://1.1.1.1/hooks';
const DAY = 86_400_000;
/** A webhook that never failed. */
const HEALTHY = { disabled_reason: null, failing_since: null };

const run = (...args: readonly string[]) => adminWith({ table, parts: folder.parts }, 'webhook', ...args);

/** Runs a command that must succeed, and returns the JSON that it prints. */
async function json(...args: readonly string[]) {
  const { status, stdout, stderr } = await run(...args, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Creates a webhook, and returns its fields and the options that name it. */
async function created(program: string, ...options: readonly string[]) {
  const webhook = await json('create', '--program', program, '--url', PUBLIC, ...options);
  return { webhook, named: ['--program', program, '--id', webhook.id], owner: webhookOwner(program, webhook.id) };
}

const valuesOf = async (owner: ReturnType<typeof webhookOwner>) =>
  (await folder.parts.secrets.read(owner)).map(({ value }) => value);

describe('webhook create', () => {
  test('webhook create prints the webhook with its secret, which only the store contains', async () => {
    const { id: program } = await aProgram(table);
    const options = ['--event', 'referral.paid', '--event', 'referral.clicked', '--include-email'];
    const { webhook, owner } = await created(program, ...options);
    const { secret, ...others } = webhook;
    expect(others).toEqual({
      id: expect.any(String),
      url: PUBLIC,
      events: ['referral.clicked', 'referral.paid'],
      include_email: true,
      enabled: true,
      ...HEALTHY,
      created_at: expect.any(Number),
    });
    // Standard Webhooks: whsec_ and the base64 of 24 to 64 bytes.
    expect(Buffer.from(String(secret).replace(/^whsec_/, ''), 'base64')).toHaveLength(24);
    expect(secret).toMatch(/^whsec_/);
    expect(await valuesOf(owner)).toEqual([secret]);
    expect(JSON.stringify(await allItems(table))).not.toContain(secret);
    expect(await json('list', '--program', program)).toEqual([others]);
    expect((await run('list', '--program', program)).stdout).not.toMatch(/whsec_/);
    const { stdout } = await run('create', '--program', program, '--url', PUBLIC);
    expect(stdout).toMatch(
      /whsec_.*\n(.*\n)*The secret is shown only once: store it now\. Deliveries start within 30 seconds\.\n$/,
    );
  });

  test.each([
    ['http://shop.example/?secret', 2, '--url must be an https address'],
    ['https://10.0.0.1/?secret', 1, 'The URL leads to an address that is not public'],
  ])('webhook create refuses %s, without its path and query, and creates nothing', async (url, status, start) => {
    const { id: program } = await aProgram(table);
    const ended = await run('create', '--program', program, '--url', url);
    expect(ended).toEqual({ status, stdout: '', stderr: expect.stringContaining(start) });
    expect(ended.stderr).not.toContain('secret');
    expect(await listWebhooks(table, program)).toEqual([]);
  });
});

test('webhook list contains a webhook whose row cannot be read, and webhook delete removes it', async () => {
  const program = await aProgram(table);
  const [{ webhook }, broken] = [await created(program.id), await created(program.id)];
  const { secret: _, ...fields } = webhook;
  await damageWebhook(table, program, broken.webhook);
  const { status, stdout, stderr } = await run('list', '--program', program.id, '--json');
  expect([status, JSON.parse(stdout)]).toEqual([1, [fields]]);
  expect(stderr).toBe(
    `The rows of these webhooks cannot be read, so they receive nothing: ${broken.webhook.id}. Run \`webhook delete\` for each, then create it again.\n`,
  );
  expect(await json('delete', ...broken.named)).toEqual({ id: broken.webhook.id, deleted: true });
  expect(await json('list', '--program', program.id)).toEqual([fields]);
  expect(await valuesOf(broken.owner)).toEqual([]);
});

test('webhook rotate shows a new secret; the previous secret signs for another 24 hours', async () => {
  const { id: program } = await aProgram(table);
  const { webhook, named, owner } = await created(program);
  const rotated = await json('rotate', ...named);
  expect(rotated).toEqual({ ...webhook, secret: expect.stringMatching(/^whsec_/) });
  expect(rotated.secret).not.toBe(webhook.secret);
  const stored = await folder.parts.secrets.read(owner);
  const newest = stored[0]?.createdAt ?? 0;
  expect(signingSecrets(stored, milliseconds(newest + DAY - 1))).toEqual([rotated.secret, webhook.secret]);
  expect(signingSecrets(stored, milliseconds(newest + DAY))).toEqual([rotated.secret]);
});

test('webhook delete deletes the webhook and its secrets, and completes a deletion that was interrupted', async () => {
  const { id: program } = await aProgram(table);
  const { webhook, named, owner } = await created(program);
  const read = () => Promise.reject(new Error('interrupted'));
  const parts = { ...folder.parts, secrets: { ...folder.parts.secrets, read } };
  expect(await adminWith({ table, parts }, 'webhook', 'delete', ...named)).toMatchObject({ status: 1 });
  expect(await findWebhook(table, program, webhook.id)).toBeUndefined();
  expect(await valuesOf(owner)).toHaveLength(1);
  expect(await json('delete', ...named)).toEqual({ id: webhook.id, deleted: true });
  expect(await valuesOf(owner)).toEqual([]);
  expect(await run('delete', ...named)).toMatchObject({ status: 1, stdout: '' });
  const other = await created(program);
  expect((await run('delete', ...other.named)).stdout).toMatch(/\nDeliveries stop within 30 seconds\.\n$/);
});

test('webhook create does its work in a deployment without events, and says so', async () => {
  const { id: program } = await aProgram(table);
  const parts = { ...folder.parts, hasEvents: async () => false };
  const stderr = 'Events are off in this deployment. Deploy its stack with the context events=on.\n';
  const ended = await adminWith({ table, parts }, 'webhook', 'create', '--program', program, '--url', PUBLIC);
  expect(ended).toMatchObject({ status: 0, stderr });
  expect(await listWebhooks(table, program)).toHaveLength(1);
});

test('webhook enable enables a webhook whose receiver failed for days, as webhook list has shown', async () => {
  const { id: program } = await aProgram(table);
  const { webhook, named } = await created(program);
  const { secret: _, ...fields } = webhook;
  const since = await failForFiveDays(table, program, webhook);
  const disabled = { ...fields, enabled: false, disabled_reason: 'failing', failing_since: since };
  expect(await json('list', '--program', program)).toEqual([disabled]);
  expect((await run('list', '--program', program)).stdout).toMatch(new RegExp(` no +│ failing +│ ${rfc3339(since)} `));
  for (const _ of [1, 2]) expect(await json('enable', ...named)).toEqual(fields);
  expect((await run('enable', ...named)).stdout).toMatch(
    /\nDeliveries start within 30 seconds\. Run `webhook replay` to send earlier events\.\n$/,
  );
  expect(await json('list', '--program', program)).toEqual([fields]);
});

test('webhook deliveries lists the last attempts, newest first', async () => {
  const { id: program } = await aProgram(table);
  const { webhook, named } = await created(program);
  expect((await run('deliveries', ...named)).stdout).toBe(
    'There were no deliveries to the webhook in the last 7 days.\n',
  );
  const startedAt = milliseconds(Math.floor(table.clock() / 1000) * 1000 + 1);
  const delivery = { eventId: `${newId()}.2`, eventType: 'referral.paid', attempt: 1, durationMs: 120, startedAt };
  const deliveries: Delivery[] = [
    { ...delivery, status: 200, error: null },
    { ...delivery, status: null, error: 'timeout', attempt: 2, startedAt: milliseconds(startedAt - 5000) },
  ];
  for (const each of deliveries) await recordDelivery(table, program, webhook.id, each);
  const fields = { event_id: delivery.eventId, event: 'referral.paid', duration_ms: 120 };
  const second = (startedAt - 1) / 1000;
  const rows = [
    { ...fields, id: expect.any(String), status: 200, reason: null, attempt: 1, created_at: second },
    { ...fields, id: expect.any(String), status: null, reason: 'timeout', attempt: 2, created_at: second - 5 },
  ];
  expect(await json('deliveries', ...named)).toEqual(rows);
  expect(await json('deliveries', ...named, '--limit', '1')).toEqual(rows.slice(0, 1));
});

test('unknown webhooks, and webhooks of other programs, are reported in one sentence', async () => {
  const [{ id: program }, { id: other }] = await Promise.all([aProgram(table), aProgram(table)]);
  const { webhook } = await created(other);
  const stderr = 'No webhook of the program has the id in --id. Run `webhook list` to see its webhooks.\n';
  for (const verb of ['show', 'delete', 'enable', 'rotate', 'test', 'deliveries']) {
    for (const id of [webhook.id, '../../secret']) {
      expect(await run(verb, '--program', program, '--id', id)).toEqual({ status: 1, stdout: '', stderr });
    }
  }
  expect(await findWebhook(table, other, webhook.id)).toMatchObject({ disabledReason: null });
});

test('webhook update changes what is given, and prints the webhook as webhook show does', async () => {
  const { id: program } = await aProgram(table);
  const { webhook, named } = await created(program);
  const { secret: _, ...fields } = webhook;
  expect(await json('show', ...named)).toEqual(fields);
  const other = 'https://1.0.0.1/hooks';
  const options = ['--url', other, '--event', 'referral.paid', '--include-email', '--disabled'];
  const changed = { ...fields, url: other, events: ['referral.paid'], include_email: true };
  // A repetition changes nothing more.
  for (let count = 0; count < 2; count += 1) {
    const disabled = { ...changed, enabled: false, disabled_reason: 'merchant' };
    expect(await json('update', ...named, ...options)).toEqual(disabled);
  }
  const restored = await json('update', ...named, '--enabled', '--no-include-email');
  expect(restored).toEqual({ ...changed, include_email: false });
  expect(await json('show', ...named)).toEqual(restored);
  expect((await run('update', ...named, '--enabled')).stdout).toMatch(
    /\nThe change takes effect within 30 seconds\.\n$/,
  );
});

test('webhook resend queues one event, and reports unknown ids', async () => {
  const program = await aProgram(table);
  const { named } = await created(program.id);
  const { id } = await aReferral(table, program, await anAdvocate(table, program));
  expect(await json('resend', ...named, '--event-id', `${id}.1`)).toEqual({ queued: 1 });
  expect(await run('resend', ...named, '--event-id', `${id}.2`)).toEqual({
    status: 1,
    stdout: '',
    stderr: 'No change of the program has the id in --event-id, or its history no longer contains it.\n',
  });
});
