import { newSecret, rotateSecret, webhookOwner } from '../../../functions/secrets/secrets.ts';
import { findWebhook } from '../../../functions/table/webhooks.ts';
import type { AdminCommand, CliContext } from '../cli.ts';
import { requireProgram } from '../lookup.ts';
import { renderObject, withOutput } from '../output.ts';
import { requireWebhook, type WebhookOptions, webhookFields, webhookUnknown, withId } from './fields.ts';

/** Adds `webhook rotate`. */
export function addWebhookRotate(webhook: AdminCommand, { clock, random, onTable, partsOf, output }: CliContext): void {
  withId(webhook.command('rotate').description('create a new secret for a webhook; it is shown only once'))
    .examples(
      ['webhook rotate --program ID --id WEBHOOK_ID'],
      `For 24 hours, events are signed with the new secret and the previous one. A second rotation in that
time ends the older of the two at once.`,
    )
    .action(
      withOutput(output, (options: WebhookOptions) =>
        onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          const found = await requireWebhook(table, program.id, options.id);
          const { secrets } = await partsOf(table);
          const owner = webhookOwner(program.id, found.id);
          const secret = { value: newSecret(random), createdAt: clock() };
          await rotateSecret(secrets, owner, secret);
          // Deleted meanwhile: no secret remains without its endpoint.
          if (!(await findWebhook(table, program.id, found.id))) {
            await secrets.remove(owner, [secret]);
            throw webhookUnknown();
          }
          return renderObject(
            { ...webhookFields(found), secret: secret.value },
            {},
            'The secret is shown only once: store it now. For 24 hours, events are also signed with the previous secret.',
          );
        }),
      ),
    );
}
