import type { Webhook } from '../../../functions/domain/webhook.ts';
import { newSecret, rotateSecret, webhookOwner } from '../../../functions/secrets/secrets.ts';
import { deleteWebhook, findWebhook, listWebhooks, setWebhookEnabled } from '../../../functions/table/webhooks.ts';
import type { AdminCommand, CliContext } from '../cli.ts';
import { Failure } from '../errors.ts';
import { renderList, renderObject } from '../output.ts';
import { EVENTS_OFF } from '../secrets.ts';
import { addWebhookCreate } from './create.ts';
import { addWebhookDeliveries, addWebhookTest } from './deliveries.ts';
import {
  parseWebhookId,
  requireWebhook,
  type WebhookOptions,
  webhookCommand,
  webhookFields,
  webhookUnknown,
} from './fields.ts';
import { addWebhookReplay } from './replay.ts';

const NO_WEBHOOKS = 'The program has no webhooks yet. Run `webhook create` to create one.';

/** Adds all commands for webhooks. */
export function addWebhookCommands(admin: AdminCommand, context: CliContext): void {
  const webhook = admin
    .command('webhook')
    .description('webhooks: they send the events of a program to receivers by HTTPS')
    .examples(['webhook list --program ID', 'webhook create --help']);
  addWebhookCreate(webhook, context);
  addList(webhook);
  addDelete(webhook, context);
  addEnable(webhook, context);
  addRotate(webhook, context);
  addWebhookTest(webhook, context);
  addWebhookDeliveries(webhook);
  addWebhookReplay(webhook, context);
}

function addList(webhook: AdminCommand): void {
  webhook
    .programCommand('list', 'list the webhooks of a program, newest first, without their secrets')
    .onProgram(() => async ({ program, table }) => {
      const unreadable: string[] = [];
      const webhooks = await listWebhooks(table, program.id, (id) => unreadable.push(id));
      const none = unreadable.length === 0 ? NO_WEBHOOKS : 'No webhook of the program can be read.';
      return {
        ...renderList(webhooks.map(listedFields), LISTED, none),
        failure: unreadable.length === 0 ? undefined : new Failure(unreadableSentence(unreadable)),
      };
    });
}

/** Columns of the list. */
const LISTED = ['id', 'url', 'events', 'include_email', 'enabled', 'disabled_reason', 'failing_since'] as const;

function listedFields(webhook: Webhook) {
  const { disabledReason, failingSince } = webhook;
  return { ...webhookFields(webhook), disabled_reason: disabledReason, failing_since: failingSince };
}

function unreadableSentence(ids: readonly string[]): string {
  return `The rows of these webhooks cannot be read, so they receive nothing: ${ids.join(', ')}. Run \`webhook delete\` for each, then create it again.`;
}

function addDelete(webhook: AdminCommand, { partsOf }: CliContext): void {
  webhookCommand(webhook, 'delete', 'delete a webhook and its secrets; pending deliveries are dropped').onProgram(
    (options: WebhookOptions) =>
      async ({ program, table }) => {
        const id = parseWebhookId(options.id);
        const { secrets } = await partsOf(table);
        const owner = webhookOwner(program.id, id);
        // An earlier run may have been interrupted after it deleted the webhook: its secrets are still there.
        const isDeleted = await deleteWebhook(table, program.id, id);
        const found = await secrets.read(owner);
        if (!isDeleted && found.length === 0) throw webhookUnknown();
        await secrets.remove(owner, found);
        return renderObject({ id, deleted: true }, {}, 'Deliveries stop within 30 seconds.');
      },
  );
}

function addEnable(webhook: AdminCommand, { partsOf, errors }: CliContext): void {
  const description = 'enable a webhook that was disabled because its receiver responded with 410 or failed for 5 days';
  webhookCommand(webhook, 'enable', description)
    .remarks('Events that occurred while it was disabled were not queued: run `webhook replay` to send them.')
    .onProgram(({ id }: WebhookOptions) => async ({ program, table }) => {
      const found = await requireWebhook(table, program.id, id);
      const { hasEvents } = await partsOf(table);
      const isOn = await hasEvents();
      const isEnabled = await setWebhookEnabled(table, program.id, found.id, true);
      if (!isEnabled) throw webhookUnknown();
      if (!isOn) errors.write(`${EVENTS_OFF}\n`);
      return renderObject(
        webhookFields({ ...found, disabledReason: null }),
        {},
        'Deliveries start within 30 seconds. Run `webhook replay` to send earlier events.',
      );
    });
}

function addRotate(webhook: AdminCommand, { clock, random, partsOf }: CliContext): void {
  webhookCommand(webhook, 'rotate', 'create a new secret for a webhook; it is shown only once')
    .remarks(
      `For 24 hours, events are signed with the new secret and the previous one. A second rotation within
that time ends the oldest secret immediately.`,
    )
    .onProgram(({ id }: WebhookOptions) => async ({ program, table }) => {
      const found = await requireWebhook(table, program.id, id);
      const { secrets } = await partsOf(table);
      const owner = webhookOwner(program.id, found.id);
      const secret = { value: newSecret(random), createdAt: clock() };
      await rotateSecret(secrets, owner, secret);
      // No secret may remain without its webhook, which another command may have deleted.
      if (!(await findWebhook(table, program.id, found.id))) {
        await secrets.remove(owner, [secret]);
        throw webhookUnknown();
      }
      return renderObject(
        { ...webhookFields(found), secret: secret.value },
        {},
        'The secret is shown only once: store it now. For 24 hours, events are also signed with the previous secret.',
      );
    });
}
