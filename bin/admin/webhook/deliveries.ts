import { randomUUID } from 'node:crypto';
import { parseWhole } from '../../../functions/domain/numbers.ts';
import { secondOf } from '../../../functions/domain/time.ts';
import type { Delivery, DeliveryError } from '../../../functions/domain/webhook.ts';
import { sender } from '../../../functions/events/send.ts';
import { signingSecrets, webhookOwner } from '../../../functions/secrets/secrets.ts';
import { listDeliveries } from '../../../functions/table/deliveries.ts';
import { type AdminCommand, type CliContext, decimal } from '../cli.ts';
import { Failure } from '../errors.ts';
import { renderList, renderObject } from '../output.ts';
import { requireWebhook, type WebhookOptions, webhookCommand } from './fields.ts';

/** The body of a test. It has no data, so that no receiver mistakes it for a change. */
const BODY = JSON.stringify({ type: 'webhook.test' });

const COLUMNS = ['event_id', 'type', 'status', 'error', 'attempt', 'duration_ms', 'started_at'] as const;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;

/** What each error means, as docs/webhooks.md has it, and what to do. */
export const NO_RESPONSE: Readonly<Record<DeliveryError, string>> = {
  timeout: 'No response within 15 seconds. Let the receiver respond first and work afterwards.',
  name_not_found: 'The name of the URL does not resolve. Create its DNS record, or a webhook with another URL.',
  address_refused:
    'The URL leads to an address that is not public. Create a webhook with a URL that leads to public addresses only.',
  connection_failed:
    'No server listens, or a firewall refuses the connection. Start the receiver, or allow the connection.',
  tls_failed:
    'The certificate is not valid: expired, for another name, or without its intermediate certificates. Install a valid one.',
  invalid_response:
    "Something other than an HTTP response arrived, or the connection was closed before one. Read the receiver's log.",
};

/** Adds `webhook test`. */
export function addWebhookTest(webhook: AdminCommand, { clock, serviceAccess }: CliContext): void {
  webhookCommand(webhook, 'test', 'send a signed event of the type webhook.test immediately, from this machine')
    .remarks('The exit status is 0 if the receiver responds with 2xx. Disabled webhooks can also be tested.')
    .onProgram((options: WebhookOptions) => async ({ program, table }) => {
      const { id, url } = await requireWebhook(table, program.id, options.id);
      const { secrets, isLocal } = await serviceAccess(table);
      const keys = signingSecrets(await secrets.read(webhookOwner(program.id, id)), clock());
      if (keys.length === 0) throw new Failure('The webhook has no secret. Run `webhook rotate` to create one.');
      const event = { id: `test.${randomUUID()}`, body: BODY };
      const startedAt = clock();
      const { status, error } = await sender({ clock, allowLoopback: isLocal })(url, event, keys);
      const fields = { event_id: event.id, status, error, duration_ms: Math.round(clock() - startedAt) };
      const isReceived = status !== null && status >= 200 && status < 300;
      return { ...renderObject(fields), failure: isReceived ? undefined : new Failure(failureOf(status, error)) };
    });
}

function failureOf(status: number | null, error: DeliveryError | null): string {
  if (error !== null) return `No response (${error}). ${NO_RESPONSE[error]}`;
  return `The receiver responded with ${status}. It must respond with 2xx within 15 seconds, and not redirect.`;
}

/** Adds `webhook deliveries`. */
export function addWebhookDeliveries(webhook: AdminCommand): void {
  webhookCommand(webhook, 'deliveries', 'list the attempts to deliver events of the last 7 days, newest first')
    .option('--limit <number>', `number of attempts, 1 to ${MAX_LIMIT}`, decimal, DEFAULT_LIMIT)
    .remarks(
      `The column status is the status of the response. Without a response, the error is timeout (after 15
seconds), address_refused (the URL leads to an address that is not public), name_not_found,
connection_failed, tls_failed or invalid_response.`,
    )
    .onProgram((options: WebhookOptions & { readonly limit: number }) => {
      const limit = parseWhole('limit', options.limit, MAX_LIMIT);
      return async ({ program, table }) => {
        const { id } = await requireWebhook(table, program.id, options.id);
        const rows = (await listDeliveries(table, program.id, id, limit)).map(deliveryFields);
        return renderList(rows, COLUMNS, 'There were no deliveries to the webhook in the last 7 days.');
      };
    });
}

function deliveryFields({ eventId, eventType, durationMs, startedAt, ...delivery }: Delivery) {
  const { status, error, attempt } = delivery;
  const started_at = secondOf(startedAt);
  return { event_id: eventId, type: eventType, status, error, attempt, duration_ms: durationMs, started_at };
}
