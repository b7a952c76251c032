import { parseWhole } from '../../../functions/domain/program.ts';
import type { Delivery, Webhook } from '../../../functions/domain/webhook.ts';
import { webhookOwner } from '../../../functions/secrets/secrets.ts';
import { listDeliveries } from '../../../functions/table/deliveries.ts';
import { deleteWebhook, listWebhooks, setWebhookEnabled } from '../../../functions/table/webhooks.ts';
import { type AdminCommand, type CliContext, decimal, PROGRAM, type ProgramOptions } from '../cli.ts';
import { Failure } from '../errors.ts';
import { requireProgram } from '../lookup.ts';
import { renderList, renderObject, withOutput } from '../output.ts';
import { EVENTS_OFF } from '../secrets.ts';
import { addWebhookCreate } from './create.ts';
import {
  parseWebhookId,
  requireWebhook,
  type WebhookOptions,
  webhookFields,
  webhookUnknown,
  withId,
} from './fields.ts';
import { addWebhookReplay } from './replay.ts';
import { addWebhookRotate } from './rotate.ts';
import { addWebhookTest } from './test-event.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;
const NO_WEBHOOKS = 'The program has no webhooks yet. Run `webhook create` to create one.';

/** Adds all commands for webhooks. */
export function addWebhookCommands(admin: AdminCommand, context: CliContext): void {
  const webhook = admin
    .command('webhook')
    .description('webhooks: endpoints of a program that receive its events by HTTPS')
    .examples(['webhook list --program ID', 'webhook create --help']);
  addWebhookCreate(webhook, context);
  addList(webhook, context);
  addDelete(webhook, context);
  addEnable(webhook, context);
  addWebhookRotate(webhook, context);
  addWebhookTest(webhook, context);
  addDeliveries(webhook, context);
  addWebhookReplay(webhook, context);
}

function addList(webhook: AdminCommand, { onTable, output }: CliContext): void {
  webhook
    .command('list')
    .description('list the webhooks of a program, newest first, without their secrets')
    .requiredOption(...PROGRAM)
    .examples(['webhook list --program ID', 'webhook list --program ID --json'])
    .action(
      withOutput(output, (options: ProgramOptions) =>
        onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          const unreadable: string[] = [];
          const webhooks = await listWebhooks(table, program.id, (id) => unreadable.push(id));
          const none = unreadable.length === 0 ? NO_WEBHOOKS : 'No webhook of the program can be read.';
          return {
            ...renderList(webhooks.map(listedFields), LISTED, none),
            failure: unreadable.length === 0 ? undefined : new Failure(unreadableSentence(unreadable)),
          };
        }),
      ),
    );
}

/** Columns of the list. */
const LISTED = ['id', 'url', 'events', 'include_email', 'enabled', 'disabled_reason', 'failing_since'] as const;

function listedFields(webhook: Webhook) {
  const { disabledReason, failingSince } = webhook;
  return { ...webhookFields(webhook), disabled_reason: disabledReason, failing_since: failingSince };
}

function unreadableSentence(ids: readonly string[]): string {
  return `The rows of these webhooks cannot be read, so they receive nothing: ${ids.join(', ')}. Run \`webhook delete\` for each, then create it again.`;
}

function addDelete(webhook: AdminCommand, { onTable, partsOf, output }: CliContext): void {
  withId(webhook.command('delete').description('delete a webhook and its secrets; pending deliveries are dropped'))
    .examples(['webhook delete --program ID --id WEBHOOK_ID'])
    .action(
      withOutput(output, (options: WebhookOptions) =>
        onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          const id = parseWebhookId(options.id);
          const { secrets } = await partsOf(table);
          const owner = webhookOwner(program.id, id);
          // An earlier run may have been interrupted after it deleted the endpoint: its secrets are still there.
          const isDeleted = await deleteWebhook(table, program.id, id);
          const found = await secrets.read(owner);
          if (!isDeleted && found.length === 0) throw webhookUnknown();
          await secrets.remove(owner, found);
          return renderObject({ id, deleted: true }, {}, 'Deliveries stop within 30 seconds.');
        }),
      ),
    );
}

function addEnable(webhook: AdminCommand, { onTable, partsOf, output, errors }: CliContext): void {
  withId(
    webhook
      .command('enable')
      .description('enable a webhook that was disabled because its receiver responded with 410 or failed for 5 days'),
  )
    .examples(
      ['webhook enable --program ID --id WEBHOOK_ID'],
      'Events that occurred in the meantime were not queued: run `webhook replay` to send them.',
    )
    .action(
      withOutput(output, (options: WebhookOptions) =>
        onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          const found = await requireWebhook(table, program.id, options.id);
          const { hasEvents } = await partsOf(table);
          const isOn = await hasEvents();
          const isEnabled = await setWebhookEnabled(table, program.id, found.id, true);
          if (!isEnabled) throw webhookUnknown();
          if (!isOn) errors.write(`${EVENTS_OFF}\n`);
          return renderObject(
            webhookFields({ ...found, disabledReason: null }),
            {},
            'Deliveries start within 30 seconds. Run `webhook replay` to send earlier events.',
          );
        }),
      ),
    );
}

function addDeliveries(webhook: AdminCommand, { onTable, output }: CliContext): void {
  withId(
    webhook.command('deliveries').description('list the attempts to deliver events of the last 7 days, newest first'),
  )
    .option('--limit <number>', `number of attempts, 1 to ${MAX_LIMIT}`, decimal, DEFAULT_LIMIT)
    .examples(
      ['webhook deliveries --program ID --id WEBHOOK_ID', 'webhook deliveries --program ID --id WEBHOOK_ID --json'],
      `The status is that of the response. If there was none, the error is timeout (after 15 seconds),
address_refused (the URL leads to an address that is not public), name_not_found,
connection_failed, tls_failed or invalid_response.`,
    )
    .action(
      withOutput(output, (options: WebhookOptions & { readonly limit: number }) => {
        const limit = parseWhole('limit', options.limit, MAX_LIMIT);
        return onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          const { id } = await requireWebhook(table, program.id, options.id);
          const deliveries = await listDeliveries(table, program.id, id, limit);
          return renderList(
            deliveries.map(deliveryFields),
            ['event_id', 'type', 'status', 'error', 'attempt', 'duration_ms', 'started_at'],
            'There were no deliveries to the webhook in the last 7 days.',
          );
        });
      }),
    );
}

function deliveryFields({ eventId, eventType, status, error, attempt, durationMs, startedAt }: Delivery) {
  return {
    event_id: eventId,
    type: eventType,
    status,
    error,
    attempt,
    duration_ms: durationMs,
    started_at: Math.floor(startedAt / 1000),
  };
}
