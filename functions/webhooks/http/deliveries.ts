import { randomUUID } from 'node:crypto';
import { Unavailable } from '../../kernel/errors.ts';
import { signingSecrets, webhookOwner } from '../../kernel/secrets/secrets.ts';
import type { Delivery } from '../rules/webhook.ts';
import type { On } from './parts.ts';
import { requireWebhook } from './webhooks.ts';

/** The type of a test. */
const TEST = 'webhook.test';
/** The body of a test. It has no data, so that no receiver mistakes it for a change. */
const BODY = JSON.stringify({ type: TEST });

/**
 * The store has no secret of a webhook: it lags behind the creation, or lost the secrets. `rotateWebhookSecret` creates
 * a new one.
 */
export class SecretMissing extends Unavailable {}

/**
 * Sends a signed event of the type `webhook.test`, also if the webhook is disabled. It is neither recorded nor counted.
 * Returns its delivery. Throws `WebhookNotFound` or `SecretMissing`.
 */
export async function testWebhook(
  { table, secrets, send }: On<'secrets' | 'send'>,
  program: string,
  webhook: string,
): Promise<Delivery> {
  const { id, url } = await requireWebhook(table, program, webhook);
  const { clock } = table;
  const keys = signingSecrets(await secrets.read(webhookOwner(program, id)), clock());
  if (keys.length === 0) throw new SecretMissing();
  const event = { id: `test.${randomUUID()}`, body: BODY };
  const startedAt = clock();
  const { status, error } = await send(url, event, keys);
  const durationMs = Math.round(clock() - startedAt);
  return { eventId: event.id, eventType: TEST, status, error, attempt: 1, durationMs, startedAt };
}
