import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Program } from '../../../functions/kernel/accounts/rules/program.ts';
import { webhookKey } from '../../../functions/kernel/dynamodb/keys.ts';
import type { Table } from '../../../functions/kernel/dynamodb/table.ts';
import { DAY, milliseconds, secondOf } from '../../../functions/kernel/time.ts';
import { newWebhook, type Webhook } from '../../../functions/webhooks/rules/webhook.ts';
import { countAttempt } from '../../../functions/webhooks/table/attempts.ts';
import { createWebhook } from '../../../functions/webhooks/table/program-webhooks.ts';
import { newId, now } from '../program.ts';
import { atTime, type TestTable } from '../table.ts';

/** Stores a new webhook, by default for all types but clicks. */
export async function aWebhook(table: Table, program: Program, changes: Partial<Webhook> = {}): Promise<Webhook> {
  const fields = { url: 'https://receiver.example/events', includeEmail: false };
  const webhook = { ...newWebhook(fields, newId(), now(), true), ...changes };
  await createWebhook(table, program.id, webhook);
  return webhook;
}

/** Lets all deliveries to a webhook fail for five days, until it is disabled. Returns the time of the first failure. */
export async function failForFiveDays(table: TestTable, program: string, { id, url }: Pick<Webhook, 'id' | 'url'>) {
  const startedAt = table.clock();
  const fail = (after: number) => {
    const later = atTime(table, () => milliseconds(startedAt + after));
    return countAttempt(later, program, id, { status: 500, startedAt, url });
  };
  for (let count = 0; count < 9; count += 1) await fail(count);
  const { disabledFor } = await fail(5 * DAY * 1000);
  if (disabledFor !== 'failing') throw new Error('The webhook was not disabled.');
  return secondOf(startedAt);
}

/** Removes an attribute of a webhook's row, which cannot be read from then on. */
export async function damageWebhook(table: TestTable, program: Program, { id }: Pick<Webhook, 'id'>): Promise<void> {
  const UpdateExpression = 'REMOVE include_email';
  await table.client.send(
    new UpdateCommand({ TableName: table.name, Key: webhookKey(program.id, id), UpdateExpression }),
  );
}
