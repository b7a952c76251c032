import { randomUUID } from 'node:crypto';
import { sender } from '../../../functions/events/send.ts';
import { signingSecrets, webhookSecrets } from '../../../functions/secrets/secrets.ts';
import type { AdminCommand, CliContext } from '../cli.ts';
import { Failure } from '../errors.ts';
import { requireProgram } from '../lookup.ts';
import { renderObject, withOutput } from '../output.ts';
import { requireWebhook, type WebhookOptions, withId } from './fields.ts';

/** The body of a test. It has no data, so that no receiver mistakes it for a change. */
const BODY = JSON.stringify({ type: 'webhook.test' });

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
          const keys = signingSecrets(await secrets.read(webhookSecrets(program.id, id)), clock());
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

function failureOf(status: number | null, error: string | null): string {
  if (status === null)
    return `The receiver did not respond (${error}). Run \`webhook deliveries --help\` to see what that means.`;
  return `The receiver responded with ${status}. It must respond with 2xx within 15 seconds, and not redirect.`;
}
