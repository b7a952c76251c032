import { randomUUID } from 'node:crypto';
import type { DeliveryError } from '../../../functions/domain/webhook.ts';
import { sender } from '../../../functions/events/send.ts';
import { signingSecrets, webhookOwner } from '../../../functions/secrets/secrets.ts';
import type { AdminCommand, CliContext } from '../cli.ts';
import { Failure } from '../errors.ts';
import { requireProgram } from '../lookup.ts';
import { renderObject, withOutput } from '../output.ts';
import { requireWebhook, type WebhookOptions, withId } from './fields.ts';

/** The body of a test. It has no data, so that no receiver mistakes it for a change. */
const BODY = JSON.stringify({ type: 'webhook.test' });

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
export function addWebhookTest(webhook: AdminCommand, { clock, onTable, partsOf, output }: CliContext): void {
  withId(webhook.command('test').description('send a signed event of the type webhook.test at once, from this machine'))
    .examples(
      ['webhook test --program ID --id WEBHOOK_ID', 'webhook test --program ID --id WEBHOOK_ID --json'],
      'The exit status is 0 if the receiver responds with 2xx. A disabled webhook can be tested, too.',
    )
    .action(
      withOutput(output, (options: WebhookOptions) =>
        onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          const { id, url } = await requireWebhook(table, program.id, options.id);
          const { secrets, isLocal } = await partsOf(table);
          const keys = signingSecrets(await secrets.read(webhookOwner(program.id, id)), clock());
          if (keys.length === 0) throw new Failure('The webhook has no secret. Run `webhook rotate` to create one.');
          const event = { id: `test.${randomUUID()}`, body: BODY };
          const startedAt = clock();
          const { status, error } = await sender({ clock, allowLoopback: isLocal })(url, event, keys);
          const duration = Math.round(clock() - startedAt);
          const isReceived = status !== null && status >= 200 && status < 300;
          return {
            ...renderObject({ event_id: event.id, status, error, duration_ms: duration }),
            failure: isReceived ? undefined : new Failure(failureOf(status, error)),
          };
        }),
      ),
    );
}

function failureOf(status: number | null, error: DeliveryError | null): string {
  if (error !== null) return `No response (${error}). ${NO_RESPONSE[error]}`;
  return `The receiver responded with ${status}. It must respond with 2xx within 15 seconds, and not redirect.`;
}
