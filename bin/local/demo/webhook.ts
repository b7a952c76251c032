import { createHash } from 'node:crypto';
import { timeOfUuidv7, uuidv7 } from '../../../functions/domain/ids.ts';
import { EVENT_TYPES } from '../../../functions/domain/referral/referral-event.ts';
import { secondOf } from '../../../functions/domain/time.ts';
import { isEnabled, newWebhook } from '../../../functions/domain/webhook.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { createWebhook, deleteWebhook, findWebhook } from '../../../functions/table/webhooks.ts';

/** The path at which the shop receives events. */
export const RECEIVER_PATH = '/demo/webhook';

/** Returns the id of the shop's webhook. It is always the same, so that its secret and pending events stay its own. */
export function webhookIdOf(programId: string): string {
  const bytes = (count: number) => createHash('sha256').update(`${programId} endpoint`).digest().subarray(0, count);
  return uuidv7(timeOfUuidv7(programId), bytes);
}

/**
 * Creates the shop's webhook for all events, clicks too, or replaces it if it is disabled or the service has had
 * another port before: events that are pending then go to the new address.
 */
export async function prepareWebhook(table: Table, programId: string, baseUrl: string): Promise<void> {
  const fields = { url: `${baseUrl}${RECEIVER_PATH}`, events: EVENT_TYPES, includeEmail: true };
  const webhook = newWebhook(fields, webhookIdOf(programId), secondOf(table.clock()), true);
  const stored = await findWebhook(table, programId, webhook.id);
  if (stored && isEnabled(stored) && stored.url === webhook.url) return;
  if (stored) await deleteWebhook(table, programId, webhook.id);
  await createWebhook(table, programId, webhook);
}
