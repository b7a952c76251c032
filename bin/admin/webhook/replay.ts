import { subjectOfEvent } from '../../../functions/domain/referral/referral-event.ts';
import { secondOf } from '../../../functions/domain/time.ts';
import {
  parsePeriod,
  replayAll,
  requireEnabled,
  resendEvent,
} from '../../../functions/integrations/webhooks/past-events.ts';
import { type AdminCommand, type CliContext, NEXT_LINE, type ProgramOptions, requireProgram } from '../cli.ts';
import { Failure } from '../errors.ts';
import { renderObject, withProgress } from '../output.ts';
import { TIME_FORMAT } from '../time-range.ts';
import { explaining, sentenceOf, type WebhookOptions, webhookCommand } from './fields.ts';

type ReplayOptions = ProgramOptions & WebhookOptions & { readonly since: string; readonly until?: string };

const IN_FUTURE = '--since is in the future: there are no events to send yet. Check its date and its offset from UTC.';

/** Adds `webhook resend`. */
export function addWebhookResend(webhook: AdminCommand, { serviceAccess }: CliContext): void {
  webhookCommand(webhook, 'resend', 'send one event again, with its original id, whatever the webhook subscribed to')
    .requiredOption('--event-id <id>', 'id of the event, as the header webhook-id contains it')
    .remarks('The event is rebuilt from the history of the referral, which has at most 100 entries.')
    .onProgram(({ id, eventId }: WebhookOptions & { readonly eventId: string }) => {
      subjectOfEvent(eventId);
      return explaining(async ({ program, table }) => {
        const { onQueue } = await serviceAccess(table);
        await onQueue((queue) => resendEvent({ table, queue }, program.id, id, eventId));
        return renderObject({ queued: 1 });
      });
    });
}

/** Adds `webhook replay`. */
export function addWebhookReplay(webhook: AdminCommand, { clock, onTable, serviceAccess, errors }: CliContext): void {
  webhookCommand(webhook, 'replay', 'send the events of a period again, with their original ids')
    .requiredOption('--since <time>', 'time of the first events')
    .option('--until <time>', 'time of the last events (default: now)')
    .examples(
      [
        'webhook replay --program ID --id WEBHOOK_ID --since 2026-01-31T00:00:00Z',
        `webhook replay --program ID --id WEBHOOK_ID ${NEXT_LINE} --since "2026-01-31 00:00:00 +0000" --until "2026-01-31 12:00:00 +0000" --json`,
      ],
      `${TIME_FORMAT} Both times are
inclusive. Events are rebuilt from the histories of the referrals, which have at most 100 entries.
Receivers recognize repeated events by their ids.`,
    )
    .prints(async ({ since, until, ...options }: ReplayOptions) => {
      const setAt = parsePeriod(since, until);
      if (setAt.from > secondOf(clock())) errors.write(`${IN_FUTURE}\n`);
      let queued = 0;
      const work = (show: (value: number) => void) =>
        onTable(async (table) => {
          const program = await requireProgram(options.program, table);
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
        const sentence = error instanceof Failure ? error.message : sentenceOf(error);
        if (sentence === undefined) throw error;
        if (queued === 0) throw new Failure(sentence, { cause: error });
        const count = queued === 1 ? '1 event was queued.' : `${queued} events were queued.`;
        const advice = 'Run the command again: receivers recognize repeated events by their ids.';
        throw new Failure(`${sentence} ${count} ${advice}`, { cause: error });
      });
      return renderObject({ queued });
    });
}
