import { isUuidv7 } from '../../../functions/domain/ids.ts';
import { isEnabled, type Webhook } from '../../../functions/domain/webhook.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { findWebhook } from '../../../functions/table/webhooks.ts';
import type { AdminCommand } from '../cli.ts';
import { Failure } from '../errors.ts';

export type WebhookOptions = { readonly id: string };

/** Adds a command with the options `--program` and `--id`. */
export function webhookCommand(webhook: AdminCommand, name: string, description: string): AdminCommand {
  return webhook
    .programCommand(name, description)
    .requiredOption('--id <webhook-id>', 'id of the webhook, as shown by `webhook list`');
}

/** Returns the id in `--id`, in lower case. Throws `Failure` if no webhook can have it. */
export function parseWebhookId(id: string): string {
  const lower = id.toLowerCase();
  if (!isUuidv7(lower)) throw webhookUnknown();
  return lower;
}

/** Finds the webhook with the id in `--id`. Throws `Failure` if the program has no such webhook. */
export async function requireWebhook(table: Table, program: string, id: string): Promise<Webhook> {
  const webhook = await findWebhook(table, program, parseWebhookId(id));
  if (!webhook) throw webhookUnknown();
  return webhook;
}

/** The failure of a command whose webhook does not exist. */
export function webhookUnknown(): Failure {
  return new Failure('No webhook of the program has the id in --id. Run `webhook list` to see its webhooks.');
}

/** Renders a webhook, without its secrets. */
export function webhookFields(webhook: Webhook) {
  const { id, url, events, includeEmail } = webhook;
  return { id, url, events, include_email: includeEmail, enabled: isEnabled(webhook) };
}
