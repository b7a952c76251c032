import { Option } from 'commander';
import { toWebhook } from '../../../functions/webhooks/http/mapping.ts';
import * as verbs from '../../../functions/webhooks/http/webhooks.ts';
import { EVENT_TYPES, type EventType } from '../../../functions/webhooks/rules/event.ts';
import { parseWebhookChanges } from '../../../functions/webhooks/rules/webhook.ts';
import { listProgramWebhooks } from '../../../functions/webhooks/table/program-webhooks.ts';
import { type AdminCommand, type CliContext, NEXT_LINE } from '../cli.ts';
import { Failure, InvalidArguments } from '../errors.ts';
import * as option from '../options.ts';
import { flat, renderList, renderObject } from '../output.ts';
import { EVENTS_OFF } from '../secrets.ts';
import { addWebhookEvents, type WebhookOptions, webhookCommand } from './events.ts';

type CreateOptions = { readonly url: string; readonly event?: readonly EventType[]; readonly includeEmail?: boolean };
/** `--no-include-email` makes its option `null`. */
type UpdateOptions = WebhookOptions & {
  readonly url?: string;
  readonly event?: readonly EventType[];
  readonly includeEmail?: true | null;
  readonly enabled?: true;
  readonly disabled?: true;
};

const URL_OPTION = ['--url <url>', 'https address that receives the events'] as const;
const INCLUDE_EMAIL = ['--include-email', "add the customer's email to the events"] as const;
const EVENT_DESCRIPTION = 'type of events to send; can be repeated (default: all of referrals except referral.clicked)';
const NEW_EVENTS = 'type of events to send; can be repeated, and replaces all earlier types';
const ONCE = 'The secret is shown only once: store it now.';
const UNREADABLE = 'The rows of these webhooks cannot be read, so they receive nothing';
const REPAIR = 'Run `webhook delete` for each, then create it again.';
const NO_WEBHOOKS = 'The program has no webhooks yet. Run `webhook create` to create one.';
const LISTED = ['id', 'url', 'events', 'include_email', 'enabled', 'disabled_reason', 'failing_since'] as const;

export function addWebhookCommands(admin: AdminCommand, context: CliContext): void {
  const { serviceAccess, errors } = context;
  const webhook = admin
    .command('webhook')
    .description('webhooks: they send the events of a program to receivers by HTTPS');
  addCreate(webhook, context);

  webhook
    .programCommand('list', 'list the webhooks of a program, newest first, without their secrets')
    .onProgram(() => async ({ program, table }) => {
      const unreadable: string[] = [];
      const found = await listProgramWebhooks(table, program.id, (id) => unreadable.push(id));
      const rows = found.map((each) => flat(toWebhook(each)));
      if (unreadable.length === 0) return renderList(rows, LISTED, NO_WEBHOOKS);
      const failure = new Failure(`${UNREADABLE}: ${unreadable.join(', ')}. ${REPAIR}`);
      return { ...renderList(rows, LISTED, 'No webhook of the program can be read.'), failure };
    });

  webhookCommand(webhook, 'show', 'show a webhook, without its secrets').onProgram(
    ({ id }: WebhookOptions) =>
      async ({ program, table }) =>
        renderObject(flat(toWebhook(await verbs.requireWebhook(table, program.id, id)))),
  );

  addUpdate(webhook, context);

  webhookCommand(webhook, 'delete', 'delete a webhook and its secrets; pending deliveries are dropped').onProgram(
    (options: WebhookOptions) =>
      async ({ program, table }) => {
        const { secrets } = await serviceAccess(table);
        const id = await verbs.deleteWebhook({ table, secrets }, program.id, options.id);
        return renderObject({ id, deleted: true }, {}, 'Deliveries stop within 30 seconds.');
      },
  );

  const enabling = 'enable a webhook that was disabled because its receiver responded with 410 or failed for 5 days';
  webhookCommand(webhook, 'enable', enabling)
    .remarks('Events that occurred while it was disabled were not queued: run `webhook replay` to send them.')
    .onProgram(({ id }: WebhookOptions) => async ({ program, table }) => {
      const { isLocal, hasEvents } = await serviceAccess(table);
      const isOn = await hasEvents();
      const changed = await verbs.updateWebhook({ table, isLocal }, program.id, id, { enabled: true });
      if (!isOn) errors.write(`${EVENTS_OFF}\n`);
      const remark = 'Deliveries start within 30 seconds. Run `webhook replay` to send earlier events.';
      return renderObject(flat(toWebhook(changed)), {}, remark);
    });

  webhookCommand(webhook, 'rotate', 'create a new secret for a webhook; it is shown only once')
    .remarks(
      `For 24 hours, events are signed with the new secret and the previous one. A second rotation within
that time ends the oldest secret immediately.`,
    )
    .onProgram(({ id }: WebhookOptions) => async ({ program, table }) => {
      const { secrets } = await serviceAccess(table);
      const { webhook, secret } = await verbs.rotateWebhookSecret({ table, secrets }, program.id, id);
      const fields = { ...flat(toWebhook(webhook)), secret };
      return renderObject(fields, {}, `${ONCE} For 24 hours, events are also signed with the previous secret.`);
    });

  addWebhookEvents(webhook, context);
}

function addCreate(webhook: AdminCommand, { serviceAccess, errors }: CliContext): void {
  webhook
    .programCommand('create', 'create a webhook; its secret is shown only once')
    .requiredOption(...URL_OPTION)
    .addOption(new Option('--event <type...>', EVENT_DESCRIPTION).choices(EVENT_TYPES))
    .option(...INCLUDE_EMAIL)
    .examples(
      [
        'webhook create --program ID --url http://localhost:8080/',
        `webhook create --program ID --url http://localhost:8080/ ${NEXT_LINE} --event referral.paid --event referral.churned --json`,
      ],
      `Receivers verify events with the secret, as Standard Webhooks describes. Only the local service
(npm start) accepts http addresses of this machine; on AWS, the address must be public and https. A
program has at most 20 webhooks.`,
    )
    .onProgram(({ url, event: events, includeEmail = false }: CreateOptions) => {
      const fields = { url, events, includeEmail };
      // Whether the service is local is known only with its table.
      parseWebhookChanges({ url }, true);
      return async ({ program, table }) => {
        const { secrets, isLocal, hasEvents } = await serviceAccess(table);
        // Before the secret exists: if this fails, nobody would see it.
        const isOn = await hasEvents();
        const { webhook, secret } = await verbs.createWebhook({ table, secrets, isLocal }, program.id, fields);
        if (!isOn) errors.write(`${EVENTS_OFF}\n`);
        const shown = { ...flat(toWebhook(webhook)), secret };
        return renderObject(shown, {}, `${ONCE} Deliveries start within 30 seconds.`);
      };
    });
}

function addUpdate(webhook: AdminCommand, { serviceAccess }: CliContext): void {
  webhookCommand(webhook, 'update', 'change a webhook; what is not given stays')
    .option(...URL_OPTION)
    .addOption(new Option('--event <type...>', NEW_EVENTS).choices(EVENT_TYPES))
    .option(...INCLUDE_EMAIL)
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
      option.assertAny(changes);
      // Whether the service is local is known only with its table.
      parseWebhookChanges(changes, true);
      return async ({ program, table }) => {
        const { isLocal } = await serviceAccess(table);
        const changed = await verbs.updateWebhook({ table, isLocal }, program.id, id, changes);
        return renderObject(flat(toWebhook(changed)), {}, 'The change takes effect within 30 seconds.');
      };
    });
}
