import { secondOf } from '../../../functions/kernel/time.ts';
import { subjectOfEvent } from '../../../functions/referrals/rules/referral-event.ts';
import { testWebhook } from '../../../functions/webhooks/http/deliveries.ts';
import { toDelivery } from '../../../functions/webhooks/http/mapping.ts';
import { parsePeriod, replayAll, requireEnabled, resendEvent } from '../../../functions/webhooks/http/past-events.ts';
import { requireWebhook } from '../../../functions/webhooks/http/webhooks.ts';
import { type DeliveryError, isSuccess } from '../../../functions/webhooks/rules/webhook.ts';
import { sender } from '../../../functions/webhooks/stream/send.ts';
import { listDeliveries } from '../../../functions/webhooks/table/deliveries.ts';
import { type AdminCommand, type CliContext, NEXT_LINE, onProgram, type ProgramOptions } from '../cli.ts';
import { Failure, NO_RESPONSE, sentenceOf } from '../errors.ts';
import * as option from '../options.ts';
import { flat, renderList, renderObject, withProgress } from '../output.ts';

export type WebhookOptions = { readonly id: string };
type ReplayOptions = ProgramOptions & WebhookOptions & { readonly since: string; readonly until?: string };

const COLUMNS = ['event_id', 'event', 'status', 'reason', 'attempt', 'duration_ms', 'created_at'] as const;
const MAX_LIMIT = 10_000;
const IN_FUTURE = '--since is in the future: there are no events to send yet. Check its date and its offset from UTC.';

/** Adds a command about one webhook. */
export function webhookCommand(webhook: AdminCommand, name: string, description: string): AdminCommand {
  return webhook
    .programCommand(name, description)
    .requiredOption('--id <webhook-id>', 'id of the webhook, as shown by `webhook list`');
}

/** Adds the commands about the events that a webhook gets. */
export function addWebhookEvents(webhook: AdminCommand, context: CliContext): void {
  const { clock, serviceAccess } = context;
  webhookCommand(webhook, 'test', 'send a signed event of the type webhook.test immediately, from this machine')
    .remarks('The exit status is 0 if the receiver responds with 2xx. Disabled webhooks can also be tested.')
    .onProgram(({ id }: WebhookOptions) => async ({ program, table }) => {
      const { secrets, isLocal } = await serviceAccess(table);
      const send = sender({ clock, allowLoopback: isLocal });
      const delivery = await testWebhook({ table, secrets, send }, program.id, id);
      const { status, error } = delivery;
      const failure = isSuccess(status) ? undefined : new Failure(failureOf(status, error));
      return { ...renderObject(flat(toDelivery(delivery))), failure };
    });

  const listing = 'list the attempts to deliver events of the last 7 days, newest first';
  option
    .addLimit(webhookCommand(webhook, 'deliveries', listing), MAX_LIMIT, 'attempts')
    .remarks(
      `The column status is the status of the response. Without a response, the reason is timeout (after 15
seconds), address_refused (the URL leads to an address that is not public), name_not_found,
connection_failed, tls_failed or invalid_response.`,
    )
    .onProgram((options: WebhookOptions & { readonly limit: number }) => async ({ program, table }) => {
      const { id } = await requireWebhook(table, program.id, options.id);
      const rows = (await listDeliveries(table, program.id, id, options.limit)).map((delivery) =>
        flat(toDelivery(delivery)),
      );
      return renderList(rows, COLUMNS, 'There were no deliveries to the webhook in the last 7 days.');
    });

  webhookCommand(webhook, 'resend', 'send one event again, with its original id, whatever the webhook subscribed to')
    .requiredOption('--event-id <id>', 'id of the event, as the header webhook-id contains it')
    .remarks('The event is rebuilt from the history of the referral, which has at most 100 entries.')
    .onProgram(({ id, eventId }: WebhookOptions & { readonly eventId: string }) => {
      subjectOfEvent(eventId);
      return async ({ program, table }) => {
        const { onQueue } = await serviceAccess(table);
        await onQueue((queue) => resendEvent({ table, queue }, program.id, id, eventId));
        return renderObject({ queued: 1 });
      };
    });
  addReplay(webhook, context);
}

function failureOf(status: number | null, error: DeliveryError | null): string {
  if (error !== null) return `No response (${error}). ${NO_RESPONSE[error]}`;
  return `The receiver responded with ${status}. It must respond with 2xx within 15 seconds, and not redirect.`;
}

function addReplay(webhook: AdminCommand, context: CliContext): void {
  const { clock, serviceAccess, errors } = context;
  webhookCommand(webhook, 'replay', 'send the events of a period again, with their original ids')
    .requiredOption('--since <time>', 'time of the first events')
    .option('--until <time>', 'time of the last events (default: now)')
    .examples(
      [
        'webhook replay --program ID --id WEBHOOK_ID --since 2026-01-31T00:00:00Z',
        `webhook replay --program ID --id WEBHOOK_ID ${NEXT_LINE} --since "2026-01-31 00:00:00 +0000" --until "2026-01-31 12:00:00 +0000" --json`,
      ],
      `${option.TIME_FORMAT} Both times are
inclusive. Events are rebuilt from the histories of the referrals, which have at most 100 entries.
Receivers recognize repeated events by their ids.`,
    )
    .prints(async ({ since, until, ...options }: ReplayOptions) => {
      const setAt = parsePeriod(since, until);
      if (setAt.from > secondOf(clock())) errors.write(`${IN_FUTURE}\n`);
      let queued = 0;
      const work = (show: (value: number) => void) =>
        onProgram(context, options, async ({ program, table }) => {
          const found = await requireEnabled(table, program.id, options.id);
          const { onQueue } = await serviceAccess(table);
          await onQueue((queue) =>
            replayAll({ table, queue }, { program: program.id, webhook: found, setAt }, (count) => {
              queued += count;
              show(queued);
            }),
          );
        });
      await withProgress('{value} events queued', clock, work).catch((error: unknown) => {
        const sentence = sentenceOf(error);
        if (sentence === undefined || queued === 0) throw error;
        const count = queued === 1 ? '1 event was queued.' : `${queued} events were queued.`;
        const advice = 'Run the command again: receivers recognize repeated events by their ids.';
        throw new Failure(`${sentence} ${count} ${advice}`, { cause: error });
      });
      return renderObject({ queued });
    });
}
