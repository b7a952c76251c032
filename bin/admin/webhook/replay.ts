import { InvalidField } from '../../../functions/domain/errors.ts';
import * as time from '../../../functions/domain/time.ts';
import { isEnabled, type Webhook } from '../../../functions/domain/webhook.ts';
import type { DeliveryMessage, Queue } from '../../../functions/events/destinations.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { pastEvents } from '../../../functions/table/operator/past-events.ts';
import { type AdminCommand, type CliContext, NEXT_LINE, type ProgramOptions, requireProgram } from '../cli.ts';
import { Failure } from '../errors.ts';
import { renderObject, withProgress } from '../output.ts';
import { TIME_FORMAT } from '../time-range.ts';
import { requireWebhook, type WebhookOptions, webhookCommand } from './fields.ts';

type ReplayOptions = ProgramOptions & WebhookOptions & { readonly since: string; readonly until?: string };

const MAX_ATTEMPTS = 5;
/** The longest pause before another attempt, in milliseconds. */
const PAUSE = 1000;
/** Messages in one request to the queue. */
const BATCH = 100;

const IN_FUTURE = '--since is in the future: there are no events to send yet. Check its date and its offset from UTC.';

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
      const setAt = parseTimes(since, until);
      if (setAt.from > time.secondOf(clock())) errors.write(`${IN_FUTURE}\n`);
      let queued = 0;
      const work = (show: (value: number) => void) =>
        onTable(async (table) => {
          const program = await requireProgram(options.program, table);
          const found = await requireWebhook(table, program.id, options.id);
          if (!isEnabled(found)) throw new Failure('The webhook is disabled. Run `webhook enable`, then replay again.');
          const { onQueue } = await serviceAccess(table);
          await onQueue(async (queue) => {
            for await (const messages of pastMessages(table, program.id, found, setAt)) {
              await enqueue(table, queue, messages);
              queued += messages.length;
              show(queued);
            }
          });
        });
      await withProgress('{value} events queued', clock, work).catch((error: unknown) => {
        if (queued === 0 || !(error instanceof Failure)) throw error;
        const count = queued === 1 ? '1 event was queued.' : `${queued} events were queued.`;
        const advice = 'Run the command again: receivers recognize repeated events by their ids.';
        throw new Failure(`${error.message} ${count} ${advice}`, { cause: error });
      });
      return renderObject({ queued });
    });
}

/** Parses the two times, both inclusive: a missed event would be worse than a repeated one. Throws `InvalidField`. */
function parseTimes(since: string, until: string | undefined): time.SecondsRange {
  const from = parseTime('since', since);
  const to = until === undefined ? undefined : parseTime('until', until);
  if (to && to.second < from.second) throw new InvalidField('until', 'must not be earlier than --since');
  const shifted = (second: number) => ({ second, hasFraction: false });
  return time.rangeBetween(shifted(from.second - 1), to && shifted(to.second + 1));
}

function parseTime(option: string, text: string): time.Moment {
  const moment = time.parseMoment(text);
  if (moment) return moment;
  throw new InvalidField(option, 'must be a time such as 2026-01-31 00:00:00 +0000 or 2026-01-31T00:00:00Z');
}

/** Rebuilds the events of a webhook, in batches for the queue. */
async function* pastMessages(table: Table, program: string, webhook: Webhook, setAt: time.SecondsRange) {
  for await (const events of pastEvents(table, program, webhook.events, setAt)) {
    for (let start = 0; start < events.length; start += BATCH) {
      yield events.slice(start, start + BATCH).map((past) => {
        // In the past, as in `publish`: the clock of this machine may be wrong.
        const due = time.milliseconds(past.event.setAt * 1000);
        return { program, webhook: webhook.id, ...past, attempt: 1, due };
      });
    }
  }
}

/** Adds messages to the queue. Repeats messages that the queue does not accept. Throws `Failure`. */
async function enqueue(table: Table, queue: Queue, messages: readonly DeliveryMessage[]): Promise<void> {
  let pending = messages;
  for (let attempt = 1; pending.length > 0; attempt += 1) {
    const failed = await queue.send(pending.map((message) => ({ message, delay: 0 })));
    pending = pending.filter((_, index) => failed.has(index));
    if (pending.length === 0) return;
    if (attempt === MAX_ATTEMPTS) throw new Failure('The queue does not accept the events. Try again later.');
    await table.backOff(PAUSE);
  }
}
