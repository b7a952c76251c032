import { NOT_EXISTS } from '../../kernel/dynamodb/conditions.ts';
import { queryWithNew } from '../../kernel/dynamodb/index-pages.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import { keyOf, lastPart, programWebhooks, webhookKey } from '../../kernel/dynamodb/keys.ts';
import { retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { putWrite, transactOnRead } from '../../kernel/dynamodb/writes.ts';
import { IdTaken } from '../../kernel/errors.ts';
import { text } from '../../kernel/fields/parsers.ts';
import { nextVersion, readStored, type StoredProgram } from '../../program/table/program-changes.ts';
import { TooManyWebhooks } from '../rules/errors.ts';
import { MAX_WEBHOOKS, type Webhook } from '../rules/webhook.ts';
import { type OnUnreadable, parseItems, toWebhookItem } from './webhooks.ts';

/**
 * Stores a new webhook. Program and webhook are one transaction, so that simultaneous creations cannot exceed the limit.
 * Throws `ProgramNotFound`, `TooManyWebhooks`, or `IdTaken` if the webhook exists.
 */
export async function createWebhook(table: Table, program: string, webhook: Webhook): Promise<void> {
  await retryOnConflict(table, async () => {
    const before = await readStored(table, program);
    const existing = await readItems(table, before);
    if (existing.length >= MAX_WEBHOOKS) throw new TooManyWebhooks();
    const newWebhooks = [webhook.id, ...existing.map((item) => lastPart(keyOf(item).pk))];
    const outcome = await transactOnRead(table, [
      nextVersion(before, { newWebhooks }).write,
      putWrite('webhook', toWebhookItem(program, webhook), NOT_EXISTS),
    ]);
    if ('conflict' in outcome) return outcome;
    if (outcome.result.has('webhook')) throw new IdTaken();
    return outcome.result.size === 0 ? { result: undefined } : { conflict: undefined };
  });
}

/** Lists all webhooks of a program, newest first, without the lag of an index. Throws `ProgramNotFound`. */
export async function listProgramWebhooks(
  table: Table,
  program: string,
  onUnreadable?: OnUnreadable,
): Promise<Webhook[]> {
  const created = (item: Item) => required(item, 'created', text);
  const items = await readItems(table, await readStored(table, program));
  return parseItems(
    items.toSorted((one, other) => (created(one) < created(other) ? 1 : -1)),
    onUnreadable,
  );
}

/** Reads the items of a program's webhooks, also items that the index may still lack. */
function readItems(table: Table, { program, newWebhooks }: StoredProgram): Promise<Item[]> {
  const newKeys = newWebhooks.map((id) => webhookKey(program.id, id));
  return queryWithNew(table, programWebhooks(program.id), newKeys);
}
