import { isDeepStrictEqual } from 'node:util';
import { TtlCache } from '../../kernel/cache.ts';
import { EXISTS } from '../../kernel/dynamodb/conditions.ts';
import { queryAllByOwner } from '../../kernel/dynamodb/index-pages.ts';
import { type Item, optional, required } from '../../kernel/dynamodb/item.ts';
import { keyOf, lastPart, parseSortKey, programWebhooks, sortKey, webhookKey } from '../../kernel/dynamodb/keys.ts';
import { get, retryOnConflict, type Table } from '../../kernel/dynamodb/table.ts';
import { type Condition, deleteWrite, transact, type Update, update } from '../../kernel/dynamodb/writes.ts';
import { boolean, number, oneOf, text, texts, wholeSeconds } from '../../kernel/fields/parsers.ts';
import type { Clock, Milliseconds } from '../../kernel/time.ts';
import { WebhookNotFound } from '../rules/errors.ts';
import { EVENT_TYPES, type EventType } from '../rules/event.ts';
import { changeWebhook, DISABLED_REASONS, isEnabled, type Webhook, type WebhookChanges } from '../rules/webhook.ts';

/** Builds the item of a new webhook. */
export function toWebhookItem(program: string, webhook: Webhook): Item {
  return {
    ...webhookKey(program, webhook.id),
    owner: programWebhooks(program),
    created: sortKey(webhook.createdAt, webhook.id),
    url: webhook.url,
    events: webhook.events,
    include_email: webhook.includeEmail,
    enabled: true,
  };
}

/** Reads a webhook of a program; `undefined` if it does not exist. */
export async function findWebhook(table: Table, program: string, id: string): Promise<Webhook | undefined> {
  const item = await get(table, webhookKey(program, id));
  return item && parseWebhook(item);
}

/** What happens with a webhook whose row cannot be read. By default, the error is thrown. */
export type OnUnreadable = (webhook: string, error: unknown) => void;

const throwUnreadable: OnUnreadable = (_, error) => {
  throw error;
};

/** Lists all webhooks of a program, newest first. On AWS, the index lags by well under a second. */
export async function listWebhooks(table: Table, program: string, onUnreadable?: OnUnreadable): Promise<Webhook[]> {
  return parseItems(await queryAllByOwner(table, programWebhooks(program)), onUnreadable);
}

/** Parses the items of webhooks. */
export function parseItems(items: readonly Item[], onUnreadable = throwUnreadable): Webhook[] {
  return items.flatMap((item) => {
    try {
      return [parseWebhook(item)];
    } catch (error) {
      onUnreadable(lastPart(keyOf(item).pk), error);
      return [];
    }
  });
}

/**
 * Changes fields of a webhook, as `changeWebhook` says. Parallel changes of other fields remain. A repetition changes
 * nothing more. Returns the webhook. Throws `WebhookNotFound`.
 */
export function updateWebhook(table: Table, program: string, id: string, changes: WebhookChanges): Promise<Webhook> {
  return retryOnConflict<Webhook>(table, async () => {
    const before = await findWebhook(table, program, id);
    if (!before) throw new WebhookNotFound();
    const after = changeWebhook(before, changes);
    if (changes.enabled !== true && isDeepStrictEqual(after, before)) return { result: before };
    const change = updateOf(changes, before.url !== after.url, after, table.clock());
    const failed = await update(table, webhookKey(program, id), change, sendsTo(before.url));
    return failed ? { conflict: undefined } : { result: after };
  });
}

/** Builds the update that makes a webhook `after`. Removes the attributes whose values are `null`. */
function updateOf(changes: WebhookChanges, isMoved: boolean, after: Webhook, now: Milliseconds): Update {
  const { enabled } = changes;
  const values = Object.entries({
    ...(changes.url !== undefined && { '#url': after.url }),
    ...(changes.events && { events: after.events }),
    ...(changes.includeEmail !== undefined && { include_email: after.includeEmail }),
    ...(enabled !== undefined && { enabled, disabled_reason: after.disabledReason }),
    // Attempts that started before must not disable it.
    ...((enabled || isMoved) && { enabled_at: now, failing_since: null, failures: null }),
  });
  const set = values.filter(([, value]) => value !== null);
  const removed = values.filter(([, value]) => value === null);
  return {
    UpdateExpression: [
      `SET ${set.map(([name], index) => `${name} = :new${index}`).join(', ')}`,
      ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => name).join(', ')}`] : []),
    ].join(' '),
    ExpressionAttributeValues: Object.fromEntries(set.map(([, value], index) => [`:new${index}`, value])),
  };
}

/** The condition that a webhook exists and has a URL. */
export function sendsTo(url: string): Condition {
  return {
    ConditionExpression: '#url = :url',
    ExpressionAttributeNames: { '#url': 'url' },
    ExpressionAttributeValues: { ':url': url },
  };
}

/** Deletes a webhook. Returns false if it does not exist. The table deletes the records of its deliveries in time. */
export async function deleteWebhook(table: Table, program: string, id: string): Promise<boolean> {
  const failed = await transact(table, [deleteWrite('webhook', webhookKey(program, id), EXISTS)]);
  return failed.size === 0;
}

/** Finds webhooks that are enabled. */
export interface EnabledWebhooks {
  /** Returns the enabled webhooks of a program. */
  of(program: string, onUnreadable?: OnUnreadable): Promise<readonly Webhook[]>;
  /** Returns a webhook; `undefined` if it is disabled or does not exist. */
  find(program: string, id: string): Promise<Webhook | undefined>;
}

/**
 * Returns a finder that caches webhooks for `ttl` milliseconds, by default for at most 30 seconds, and 0 for never. It
 * does not cache that one is missing, so that a new or enabled webhook gets what is queued for it.
 */
export function enabledWebhooks(table: Table, clock: Clock, ttl?: number): EnabledWebhooks {
  const lists = new TtlCache<readonly Webhook[]>(clock, ttl);
  const webhooks = new TtlCache<Webhook>(clock, ttl);
  return {
    of: async (program, onUnreadable) => {
      const list = () => listWebhooks(table, program, onUnreadable);
      const enabled = async () => (await list()).filter(isEnabled);
      return (await lists.getOrLoad(program, enabled)) ?? [];
    },
    find: (program, id) =>
      webhooks.getOrLoad(`${program} ${id}`, async () => {
        const webhook = await findWebhook(table, program, id);
        return webhook && isEnabled(webhook) ? webhook : undefined;
      }),
  };
}

/** Parses a webhook. Throws `MalformedItem`. */
export function parseWebhook(item: Item): Webhook {
  const { id, second } = parseSortKey(required(item, 'created', text));
  return {
    id,
    url: required(item, 'url', text),
    events: required(item, 'events', parseEventTypes),
    includeEmail: required(item, 'include_email', boolean),
    // A webhook without a reason was disabled when 410 was the only one.
    disabledReason: required(item, 'enabled', boolean)
      ? null
      : (optional(item, 'disabled_reason', oneOf(DISABLED_REASONS)) ?? 'gone'),
    failingSince: optional(item, 'failing_since', wholeSeconds),
    failures: optional(item, 'failures', number) ?? 0,
    createdAt: second,
  };
}

function parseEventTypes(value: unknown): EventType[] | undefined {
  return texts(value)?.flatMap((name) => oneOf(EVENT_TYPES)(name) ?? []);
}
