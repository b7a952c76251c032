import { EventNotFound, TooManyWebhooks, WebhookDisabled, WebhookNotFound } from '../../../functions/domain/errors.ts';
import type { DeliveryError, Webhook } from '../../../functions/domain/webhook.ts';
import { SecretMissing } from '../../../functions/integrations/webhooks/deliveries.ts';
import { webhookAttributes } from '../../../functions/integrations/webhooks/mapping.ts';
import { QueueBusy } from '../../../functions/integrations/webhooks/past-events.ts';
import { UnusableUrl } from '../../../functions/integrations/webhooks/webhooks.ts';
import type { AdminCommand, ProgramWork } from '../cli.ts';
import { Failure } from '../errors.ts';

export type WebhookOptions = { readonly id: string };

/** What each error means, and what to do. */
export const NO_RESPONSE: Readonly<Record<DeliveryError, string>> = {
  timeout: 'No response within 15 seconds. Let the receiver respond first and work afterwards.',
  name_not_found: 'The name of the URL does not resolve. Create its DNS record, or use another URL.',
  address_refused: 'The URL leads to an address that is not public. Use a URL that leads to public addresses only.',
  connection_failed:
    'No server listens, or a firewall refuses the connection. Start the receiver, or allow the connection.',
  tls_failed:
    'The certificate is not valid: expired, for another name, or without its intermediate certificates. Install a valid one.',
  invalid_response:
    "Something other than an HTTP response arrived, or the connection was closed before one. Read the receiver's log.",
};

/** Adds a command with the options `--program` and `--id`. */
export function webhookCommand(webhook: AdminCommand, name: string, description: string): AdminCommand {
  return webhook
    .programCommand(name, description)
    .requiredOption('--id <webhook-id>', 'id of the webhook, as shown by `webhook list`');
}

/** Explains the errors that the verbs of webhooks throw. */
export function explaining(work: ProgramWork): ProgramWork {
  return (on) =>
    work(on).catch((error: unknown) => {
      const sentence = sentenceOf(error);
      throw sentence === undefined ? error : new Failure(sentence, { cause: error });
    });
}

/** Returns what is wrong and what to do; `undefined` for errors that any command can have. */
export function sentenceOf(error: unknown): string | undefined {
  if (error instanceof WebhookNotFound) {
    return 'No webhook of the program has the id in --id. Run `webhook list` to see its webhooks.';
  }
  if (error instanceof WebhookDisabled) {
    return 'The webhook is disabled. Run `webhook enable`, then send the events again.';
  }
  if (error instanceof EventNotFound) {
    return 'No change of the program has the id in --event-id, or its history no longer contains it.';
  }
  if (error instanceof TooManyWebhooks) return error.message;
  if (error instanceof UnusableUrl) return NO_RESPONSE[error.problem];
  if (error instanceof SecretMissing) return 'The webhook has no secret. Run `webhook rotate` to create one.';
  if (error instanceof QueueBusy) return 'The queue does not accept the events. Try again later.';
  return undefined;
}

/** Renders a webhook, without its secrets. */
export function webhookFields(webhook: Webhook) {
  return { id: webhook.id, ...webhookAttributes(webhook) };
}
