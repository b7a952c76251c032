import { Option } from 'commander';
import { EVENT_TYPES, type EventType } from '../../../functions/domain/event.ts';
import { parseWebhookChanges } from '../../../functions/domain/webhook.ts';
import * as verbs from '../../../functions/integrations/webhooks/webhooks.ts';
import { listProgramWebhooks } from '../../../functions/table/program-webhooks.ts';
import { type AdminCommand, type CliContext, NEXT_LINE } from '../cli.ts';
import { Failure } from '../errors.ts';
import { renderList, renderObject } from '../output.ts';
import { EVENTS_OFF } from '../secrets.ts';
import { addWebhookDeliveries, addWebhookTest } from './deliveries.ts';
import { explaining, type WebhookOptions, webhookCommand, webhookFields } from './fields.ts';
import { addWebhookReplay, addWebhookResend } from './replay.ts';
import { addWebhookEnable, addWebhookUpdate } from './update.ts';

type CreateOptions = { readonly url: string; readonly event?: readonly EventType[]; readonly includeEmail?: boolean };

const EVENT_DESCRIPTION = 'type of events to send; can be repeated (default: all of referrals except referral.clicked)';
const ONCE = 'The secret is shown only once: store it now.';
const UNREADABLE = 'The rows of these webhooks cannot be read, so they receive nothing';
const REPAIR = 'Run `webhook delete` for each, then create it again.';
const NO_WEBHOOKS = 'The program has no webhooks yet. Run `webhook create` to create one.';

/** Adds all commands for webhooks. */
export function addWebhookCommands(admin: AdminCommand, context: CliContext): void {
  const webhook = admin
    .command('webhook')
    .description('webhooks: they send the events of a program to receivers by HTTPS');
  addCreate(webhook, context);
  addList(webhook);
  addShow(webhook);
  addWebhookUpdate(webhook, context);
  addDelete(webhook, context);
  addWebhookEnable(webhook, context);
  addRotate(webhook, context);
  addWebhookTest(webhook, context);
  addWebhookDeliveries(webhook);
  addWebhookResend(webhook, context);
  addWebhookReplay(webhook, context);
}

function addCreate(webhook: AdminCommand, { serviceAccess, errors }: CliContext): void {
  webhook
    .programCommand('create', 'create a webhook; its secret is shown only once')
    .requiredOption('--url <url>', 'https address that receives the events')
    .addOption(new Option('--event <type...>', EVENT_DESCRIPTION).choices(EVENT_TYPES))
    .option('--include-email', "add the customer's email to the events")
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
      return explaining(async ({ program, table }) => {
        const { secrets, isLocal, hasEvents } = await serviceAccess(table);
        // Before the secret exists: if this fails, nobody would see it.
        const isOn = await hasEvents();
        const { webhook, secret } = await verbs.createWebhook({ table, secrets, isLocal }, program.id, fields);
        if (!isOn) errors.write(`${EVENTS_OFF}\n`);
        const shown = { ...webhookFields(webhook), secret };
        return renderObject(shown, {}, `${ONCE} Deliveries start within 30 seconds.`);
      });
    });
}

function addList(webhook: AdminCommand): void {
  webhook
    .programCommand('list', 'list the webhooks of a program, newest first, without their secrets')
    .onProgram(() => async ({ program, table }) => {
      const unreadable: string[] = [];
      const found = await listProgramWebhooks(table, program.id, (id) => unreadable.push(id));
      const none = unreadable.length === 0 ? NO_WEBHOOKS : 'No webhook of the program can be read.';
      return {
        ...renderList(found.map(webhookFields), LISTED, none),
        failure:
          unreadable.length === 0 ? undefined : new Failure(`${UNREADABLE}: ${unreadable.join(', ')}. ${REPAIR}`),
      };
    });
}

const LISTED = ['id', 'url', 'events', 'include_email', 'enabled', 'disabled_reason', 'failing_since'] as const;

function addShow(webhook: AdminCommand): void {
  webhookCommand(webhook, 'show', 'show a webhook, without its secrets').onProgram(({ id }: WebhookOptions) =>
    explaining(async ({ program, table }) =>
      renderObject(webhookFields(await verbs.requireWebhook(table, program.id, id))),
    ),
  );
}

function addDelete(webhook: AdminCommand, { serviceAccess }: CliContext): void {
  webhookCommand(webhook, 'delete', 'delete a webhook and its secrets; pending deliveries are dropped').onProgram(
    (options: WebhookOptions) =>
      explaining(async ({ program, table }) => {
        const { secrets } = await serviceAccess(table);
        const id = await verbs.deleteWebhook({ table, secrets }, program.id, options.id);
        return renderObject({ id, deleted: true }, {}, 'Deliveries stop within 30 seconds.');
      }),
  );
}

function addRotate(webhook: AdminCommand, { serviceAccess }: CliContext): void {
  webhookCommand(webhook, 'rotate', 'create a new secret for a webhook; it is shown only once')
    .remarks(
      `For 24 hours, events are signed with the new secret and the previous one. A second rotation within
that time ends the oldest secret immediately.`,
    )
    .onProgram(({ id }: WebhookOptions) =>
      explaining(async ({ program, table }) => {
        const { secrets } = await serviceAccess(table);
        const { webhook, secret } = await verbs.rotateWebhookSecret({ table, secrets }, program.id, id);
        const fields = { ...webhookFields(webhook), secret };
        return renderObject(fields, {}, `${ONCE} For 24 hours, events are also signed with the previous secret.`);
      }),
    );
}
