import { Option } from 'commander';
import { EVENT_TYPES, type EventType } from '../../../functions/domain/event.ts';
import { parseWebhookChanges } from '../../../functions/domain/webhook.ts';
import { updateWebhook } from '../../../functions/integrations/webhooks/webhooks.ts';
import { type AdminCommand, assertAnyOption, type CliContext, NEXT_LINE } from '../cli.ts';
import { InvalidArguments } from '../errors.ts';
import { renderObject } from '../output.ts';
import { EVENTS_OFF } from '../secrets.ts';
import { explaining, type WebhookOptions, webhookCommand, webhookFields } from './fields.ts';

/** `--no-include-email` makes its option `null`. */
type UpdateOptions = WebhookOptions & {
  readonly url?: string;
  readonly event?: readonly EventType[];
  readonly includeEmail?: true | null;
  readonly enabled?: true;
  readonly disabled?: true;
};

/** Adds `webhook update`. */
export function addWebhookUpdate(webhook: AdminCommand, { serviceAccess }: CliContext): void {
  const events = 'type of events to send; can be repeated, and replaces all earlier types';
  webhookCommand(webhook, 'update', 'change a webhook; what is not given stays')
    .option('--url <url>', 'https address that receives the events')
    .addOption(new Option('--event <type...>', events).choices(EVENT_TYPES))
    .option('--include-email', "add the customer's email to the events")
    .option('--no-include-email', "leave the customer's email out of the events")
    .option('--enabled', 'enable the webhook and forget its failures')
    .option('--disabled', 'disable the webhook: events are neither sent nor queued')
    .examples([
      'webhook update --program ID --id WEBHOOK_ID --url http://localhost:8080/',
      `webhook update --program ID --id WEBHOOK_ID ${NEXT_LINE} --event referral.paid --no-include-email --disabled --json`,
    ])
    .onProgram(({ id, url, event, includeEmail, enabled, disabled }: UpdateOptions) => {
      if (enabled && disabled) throw new InvalidArguments('Give either --enabled or --disabled.');
      const changes = {
        ...(url !== undefined && { url }),
        ...(event && { events: event }),
        ...(includeEmail !== undefined && { includeEmail: includeEmail === true }),
        ...((enabled || disabled) && { enabled: enabled === true }),
      };
      assertAnyOption(changes);
      // Whether the service is local is known only with its table.
      parseWebhookChanges(changes, true);
      return explaining(async ({ program, table }) => {
        const { isLocal } = await serviceAccess(table);
        const changed = await updateWebhook({ table, isLocal }, program.id, id, changes);
        return renderObject(webhookFields(changed), {}, 'The change takes effect within 30 seconds.');
      });
    });
}

/** Adds `webhook enable`. */
export function addWebhookEnable(webhook: AdminCommand, { serviceAccess, errors }: CliContext): void {
  const description = 'enable a webhook that was disabled because its receiver responded with 410 or failed for 5 days';
  webhookCommand(webhook, 'enable', description)
    .remarks('Events that occurred while it was disabled were not queued: run `webhook replay` to send them.')
    .onProgram(({ id }: WebhookOptions) =>
      explaining(async ({ program, table }) => {
        const { isLocal, hasEvents } = await serviceAccess(table);
        const isOn = await hasEvents();
        const changed = await updateWebhook({ table, isLocal }, program.id, id, { enabled: true });
        if (!isOn) errors.write(`${EVENTS_OFF}\n`);
        const remark = 'Deliveries start within 30 seconds. Run `webhook replay` to send earlier events.';
        return renderObject(webhookFields(changed), {}, remark);
      }),
    );
}
