import { Option } from 'commander';
import { Unavailable } from '../../../functions/domain/errors.ts';
import { uuidv7 } from '../../../functions/domain/ids.ts';
import { EVENT_TYPES, type EventType } from '../../../functions/domain/referral/referral-event.ts';
import { secondOf } from '../../../functions/domain/time.ts';
import { newWebhook } from '../../../functions/domain/webhook.ts';
import { checkAddresses } from '../../../functions/events/addresses.ts';
import { newSecret, webhookOwner } from '../../../functions/secrets/secrets.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { createWebhook, findWebhook } from '../../../functions/table/webhooks.ts';
import { type AdminCommand, type CliContext, NEXT_LINE } from '../cli.ts';
import { Failure } from '../errors.ts';
import { renderObject } from '../output.ts';
import { EVENTS_OFF } from '../secrets.ts';
import { webhookFields } from './fields.ts';

interface CreateOptions {
  readonly url: string;
  readonly event?: readonly EventType[];
  readonly includeEmail?: boolean;
}

const EVENT_DESCRIPTION = 'type of events to send; can be repeated (default: all except referral.clicked)';

/** Adds `webhook create`. */
export function addWebhookCreate(webhook: AdminCommand, { clock, random, partsOf, errors }: CliContext): void {
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
        const { secrets, isLocal, hasEvents } = await partsOf(table);
        const created = build(isLocal);
        await assertReachable(created.url, isLocal);
        // Before the secret exists: if this fails, nobody would see it.
        const isOn = await hasEvents();
        const secret = { value: newSecret(random), createdAt: now };
        // The secret comes first, so that no webhook is ever without one.
        const owner = webhookOwner(program.id, created.id);
        await secrets.add(owner, secret);
        try {
          await createWebhook(table, program.id, created);
        } catch (error) {
          // Nobody has seen the id under which it is stored. A second error would hide the first one.
          if (!(await mayExist(error, table, program.id, created.id)))
            await secrets.remove(owner, [secret]).catch(() => undefined);
          throw error;
        }
        if (!isOn) errors.write(`${EVENTS_OFF}\n`);
        return renderObject(
          { ...webhookFields(created), secret: secret.value },
          {},
          'The secret is shown only once: store it now. Deliveries start within 30 seconds.',
        );
      };
    });
}

/** True unless a webhook was certainly not stored, although `createWebhook` threw an error. */
async function mayExist(error: unknown, table: Table, program: string, id: string): Promise<boolean> {
  if (!(error instanceof Unavailable)) return false;
  try {
    return (await findWebhook(table, program, id)) !== undefined;
  } catch {
    return true;
  }
}

/** Throws `Failure` unless the addresses of a URL's host can receive events. */
async function assertReachable(url: string, isLocal: boolean): Promise<void> {
  const problem = await checkAddresses(new URL(url), isLocal);
  switch (problem) {
    case undefined:
      return;
    case 'name_not_found':
      throw new Failure(
        'The name in --url does not resolve to an address. Correct it, or create its DNS record first.',
      );
    case 'address_refused':
      throw new Failure(
        'The host in --url has an address that is not public. Use a host whose addresses are all reachable from the internet.',
      );
  }
}
