import { parseWhole } from '../../../functions/domain/numbers.ts';
import { type Delivery, type DeliveryError, isSuccess } from '../../../functions/domain/webhook.ts';
import { sender } from '../../../functions/events/send.ts';
import { testWebhook } from '../../../functions/integrations/webhooks/deliveries.ts';
import { toDelivery } from '../../../functions/integrations/webhooks/mapping.ts';
import { requireWebhook } from '../../../functions/integrations/webhooks/webhooks.ts';
import { listDeliveries } from '../../../functions/table/deliveries.ts';
import { type AdminCommand, type CliContext, decimal } from '../cli.ts';
import { Failure } from '../errors.ts';
import { renderList, renderObject } from '../output.ts';
import { explaining, NO_RESPONSE, type WebhookOptions, webhookCommand } from './fields.ts';

const COLUMNS = ['event_id', 'event', 'status', 'reason', 'attempt', 'duration_ms', 'created_at'] as const;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;

/** Adds `webhook test`. */
export function addWebhookTest(webhook: AdminCommand, { clock, serviceAccess }: CliContext): void {
  webhookCommand(webhook, 'test', 'send a signed event of the type webhook.test immediately, from this machine')
    .remarks('The exit status is 0 if the receiver responds with 2xx. Disabled webhooks can also be tested.')
    .onProgram(({ id }: WebhookOptions) =>
      explaining(async ({ program, table }) => {
        const { secrets, isLocal } = await serviceAccess(table);
        const send = sender({ clock, allowLoopback: isLocal });
        const delivery = await testWebhook({ table, secrets, send }, program.id, id);
        const { status, error } = delivery;
        const failure = isSuccess(status) ? undefined : new Failure(failureOf(status, error));
        return { ...renderObject(deliveryFields(delivery)), failure };
      }),
    );
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
      `The column status is the status of the response. Without a response, the reason is timeout (after 15
seconds), address_refused (the URL leads to an address that is not public), name_not_found,
connection_failed, tls_failed or invalid_response.`,
    )
    .onProgram((options: WebhookOptions & { readonly limit: number }) => {
      const limit = parseWhole('limit', options.limit, MAX_LIMIT);
      return explaining(async ({ program, table }) => {
        const { id } = await requireWebhook(table, program.id, options.id);
        const rows = (await listDeliveries(table, program.id, id, limit)).map(deliveryFields);
        return renderList(rows, COLUMNS, 'There were no deliveries to the webhook in the last 7 days.');
      });
    });
}

function deliveryFields(delivery: Delivery) {
  const { id, attributes } = toDelivery(delivery);
  return { id, ...attributes };
}
