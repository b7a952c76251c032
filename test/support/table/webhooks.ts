import type { Program } from '../../../functions/domain/program.ts';
import { newWebhook, type Webhook } from '../../../functions/domain/webhook.ts';
import type { Table } from '../../../functions/table/dynamodb/table.ts';
import { createWebhook } from '../../../functions/table/webhooks.ts';
import { newId, now } from '../program.ts';

/** Stores a new endpoint, by default for all types but clicks. */
export async function aWebhook(table: Table, program: Program, changes: Partial<Webhook> = {}): Promise<Webhook> {
  const fields = { url: 'https://receiver.example/events', events: [], includeEmail: false };
  const webhook = { ...newWebhook(fields, newId(), now(), true), ...changes };
  await createWebhook(table, program.id, webhook);
  return webhook;
}
