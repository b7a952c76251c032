import { Option } from 'commander';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { uuidv7 } from '../../../functions/domain/ids.ts';
import { EVENT_TYPES, type EventType } from '../../../functions/domain/referral/referral-event.ts';
import { secondOf } from '../../../functions/domain/time.ts';
import { newWebhook, type Webhook } from '../../../functions/domain/webhook.ts';
import { checkAddresses } from '../../../functions/events/addresses.ts';
import { newSecret, rotateSecret, webhookOwner } from '../../../functions/secrets/secrets.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import * as webhooks from '../../../functions/table/webhooks.ts';
import { type AdminCommand, type CliContext, NEXT_LINE } from '../cli.ts';
import { Failure } from '../errors.ts';
import { renderList, renderObject } from '../output.ts';
import { EVENTS_OFF } from '../secrets.ts';
import { addWebhookDeliveries, addWebhookTest, NO_RESPONSE } from './deliveries.ts';
import {
  parseWebhookId,
  requireWebhook,
  type WebhookOptions,
  webhookCommand,
  webhookFields,
  webhookUnknown,
} from './fields.ts';
import { addWebhookReplay } from './replay.ts';

type CreateOptions = { readonly url: string; readonly event?: readonly EventType[]; readonly includeEmail?: boolean };

const EVENT_DESCRIPTION = 'type of events to send; can be repeated (default: all except referral.clicked)';
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
  addDelete(webhook, context);
  addEnable(webhook, context);
  addRotate(webhook, context);
  addWebhookTest(webhook, context);
  addWebhookDeliveries(webhook);
  addWebhookReplay(webhook, context);
}

function addCreate(webhook: AdminCommand, { clock, random, serviceAccess, errors }: CliContext): void {
  webhook
    .programCommand('create', 'create a webhook; its secret is shown only once')
    .requiredOption('--url <url>', 'https address that receives the events')
    .addOption(new Option('--event <type...>', EVENT_DESCRIPTION).choices(EVENT_TYPES))
    .option('--include-email', "add the customer's email to the events")
    .examples(
      [
        'webhook create --program ID --url https://shop.example/webhooks',
        `webhook create --program ID --url https://shop.example/webhooks ${NEXT_LINE} --event referral.paid --event referral.churned --json`,
      ],
      `Receivers verify events with the secret, as Standard Webhooks describes. The address must be public.
The local service (npm start) also accepts http addresses of this machine.`,
    )
    .onProgram(({ url, event: events = [], includeEmail = false }: CreateOptions) => {
      const now = clock();
      const build = (isLocal: boolean) =>
        newWebhook({ url, events, includeEmail }, uuidv7(now, random), secondOf(now), isLocal);
      // Whether the service is local is known only with its table.
      build(true);
      return async ({ program, table }) => {
        const { secrets, isLocal, hasEvents } = await serviceAccess(table);
        const created = build(isLocal);
        const problem = await checkAddresses(new URL(created.url), isLocal);
        if (problem !== undefined) throw new Failure(NO_RESPONSE[problem]);
        // Before the secret exists: if this fails, nobody would see it.
        const isOn = await hasEvents();
        const secret = { value: newSecret(random), createdAt: now };
        // The secret comes first, so that no webhook is ever without one.
        const owner = webhookOwner(program.id, created.id);
        await secrets.add(owner, secret);
        try {
          await webhooks.createWebhook(table, program.id, created);
        } catch (error) {
          // Nobody has seen the id under which it is stored. A second error would hide the first one.
          const isUnseen = !(await mayExist(error, table, program.id, created.id));
          if (isUnseen) await secrets.remove(owner, [secret]).catch(() => undefined);
          throw error;
        }
        if (!isOn) errors.write(`${EVENTS_OFF}\n`);
        const fields = { ...webhookFields(created), secret: secret.value };
        return renderObject(fields, {}, `${ONCE} Deliveries start within 30 seconds.`);
      };
    });
}

/** True unless the webhook was certainly not stored. */
async function mayExist(error: unknown, table: Table, program: string, id: string): Promise<boolean> {
  if (!(error instanceof Unavailable)) return false;
  try {
    return (await webhooks.findWebhook(table, program, id)) !== undefined;
  } catch {
    return true;
  }
}

function addList(webhook: AdminCommand): void {
  webhook
    .programCommand('list', 'list the webhooks of a program, newest first, without their secrets')
    .onProgram(() => async ({ program, table }) => {
      const unreadable: string[] = [];
      const found = await webhooks.listWebhooks(table, program.id, (id) => unreadable.push(id));
      const none = unreadable.length === 0 ? NO_WEBHOOKS : 'No webhook of the program can be read.';
      return {
        ...renderList(found.map(listedFields), LISTED, none),
        failure:
          unreadable.length === 0 ? undefined : new Failure(`${UNREADABLE}: ${unreadable.join(', ')}. ${REPAIR}`),
      };
    });
}

const LISTED = ['id', 'url', 'events', 'include_email', 'enabled', 'disabled_reason', 'failing_since'] as const;

function listedFields(webhook: Webhook) {
  const { disabledReason, failingSince } = webhook;
  return { ...webhookFields(webhook), disabled_reason: disabledReason, failing_since: failingSince };
}

function addDelete(webhook: AdminCommand, { serviceAccess }: CliContext): void {
  webhookCommand(webhook, 'delete', 'delete a webhook and its secrets; pending deliveries are dropped').onProgram(
    (options: WebhookOptions) =>
      async ({ program, table }) => {
        const id = parseWebhookId(options.id);
        const { secrets } = await serviceAccess(table);
        const owner = webhookOwner(program.id, id);
        // An earlier run may have been interrupted after it deleted the webhook: its secrets are still there.
        const isDeleted = await webhooks.deleteWebhook(table, program.id, id);
        const found = await secrets.read(owner);
        if (!isDeleted && found.length === 0) throw webhookUnknown();
        await secrets.remove(owner, found);
        return renderObject({ id, deleted: true }, {}, 'Deliveries stop within 30 seconds.');
      },
  );
}

function addEnable(webhook: AdminCommand, { serviceAccess, errors }: CliContext): void {
  const description = 'enable a webhook that was disabled because its receiver responded with 410 or failed for 5 days';
  webhookCommand(webhook, 'enable', description)
    .remarks('Events that occurred while it was disabled were not queued: run `webhook replay` to send them.')
    .onProgram(({ id }: WebhookOptions) => async ({ program, table }) => {
      const found = await requireWebhook(table, program.id, id);
      const { hasEvents } = await serviceAccess(table);
      const isOn = await hasEvents();
      const isEnabled = await webhooks.setWebhookEnabled(table, program.id, found.id, true);
      if (!isEnabled) throw webhookUnknown();
      if (!isOn) errors.write(`${EVENTS_OFF}\n`);
      const fields = webhookFields({ ...found, disabledReason: null });
      return renderObject(
        fields,
        {},
        'Deliveries start within 30 seconds. Run `webhook replay` to send earlier events.',
      );
    });
}

function addRotate(webhook: AdminCommand, { clock, random, serviceAccess }: CliContext): void {
  webhookCommand(webhook, 'rotate', 'create a new secret for a webhook; it is shown only once')
    .remarks(
      `For 24 hours, events are signed with the new secret and the previous one. A second rotation within
that time ends the oldest secret immediately.`,
    )
    .onProgram(({ id }: WebhookOptions) => async ({ program, table }) => {
      const found = await requireWebhook(table, program.id, id);
      const { secrets } = await serviceAccess(table);
      const owner = webhookOwner(program.id, found.id);
      const secret = { value: newSecret(random), createdAt: clock() };
      await rotateSecret(secrets, owner, secret);
      // No secret may remain without its webhook, which another command may have deleted.
      if (!(await webhooks.findWebhook(table, program.id, found.id))) {
        await secrets.remove(owner, [secret]);
        throw webhookUnknown();
      }
      const fields = { ...webhookFields(found), secret: secret.value };
      return renderObject(fields, {}, `${ONCE} For 24 hours, events are also signed with the previous secret.`);
    });
}
