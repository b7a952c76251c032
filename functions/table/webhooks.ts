import { IdTaken } from '../domain/errors.ts';
import { boolean, oneOf, text, texts } from '../domain/parsers.ts';
import { EVENT_TYPES, type EventType } from '../domain/referral/referral-event.ts';
import type { Clock } from '../domain/time.ts';
import type { Webhook } from '../domain/webhook.ts';
import { EXISTS, NOT_EXISTS } from './dynamodb/conditions.ts';
import { type Item, required } from './dynamodb/item.ts';
import { batchGet, get, query, type Rows, type Table } from './dynamodb/table.ts';
import { TtlCache } from './dynamodb/ttl-cache.ts';
import { deleteWrite, put, transact, update } from './dynamodb/writes.ts';
import { keyOf, lastPart, parseSortKey, programWebhooks, sortKey, webhookKey } from './keys.ts';
import { INDEXES } from './schema.ts';

/** Stores a new endpoint. Succeeds if an earlier attempt, whose response was lost, stored it. Throws `IdTaken`. */
export async function createWebhook(table: Table, program: string, webhook: Webhook): Promise<void> {
  const item: Item = {
    ...webhookKey(program, webhook.id),
    owner: programWebhooks(program),
    created: sortKey(webhook.createdAt, webhook.id),
    url: webhook.url,
    events: webhook.events,
    include_email: webhook.includeEmail,
    enabled: webhook.enabled,
  };
  const failed = await put(table, item, NOT_EXISTS);
  if (failed && failed.item?.['created'] !== item['created']) throw new IdTaken();
}

/** Reads an endpoint of a program; `undefined` if it does not exist. */
export async function findWebhook(table: Table, program: string, id: string): Promise<Webhook | undefined> {
  const item = await get(table, webhookKey(program, id));
  return item && webhookOf(item);
}

/** What happens with an endpoint whose row cannot be read. By default, the error is thrown. */
export type OnUnreadable = (webhook: string, error: unknown) => void;

const throwUnreadable: OnUnreadable = (_, error) => {
  throw error;
};

/** Lists all endpoints of a program, newest first. */
export async function listWebhooks(table: Table, program: string, onUnreadable = throwUnreadable): Promise<Webhook[]> {
  const parse = (item: Item) => {
    try {
      return [webhookOf(item)];
    } catch (error) {
      onUnreadable(lastPart(keyOf(item).pk), error);
      return [];
    }
  };
  const webhooks: Webhook[] = [];
  let start: Rows['lastKey'];
  do {
    const page: Rows = await query(table, {
      IndexName: 'by_created_at',
      KeyConditionExpression: '#owner = :owner',
      ExpressionAttributeNames: { '#owner': INDEXES.by_created_at.partitionKey },
      ExpressionAttributeValues: { ':owner': programWebhooks(program) },
      ScanIndexForward: false,
      ExclusiveStartKey: start,
    });
    const items = await batchGet(table, page.items.map(keyOf));
    webhooks.push(...items.flatMap((item) => (item ? parse(item) : [])));
    start = page.lastKey;
  } while (start);
  return webhooks;
}

/** Enables or disables an endpoint. Returns false if it does not exist. */
export async function setWebhookEnabled(table: Table, program: string, id: string, enabled: boolean): Promise<boolean> {
  const change = { UpdateExpression: 'SET enabled = :enabled', ExpressionAttributeValues: { ':enabled': enabled } };
  return (await update(table, webhookKey(program, id), change, EXISTS)) === undefined;
}

/** Deletes an endpoint. Returns false if it does not exist. The table deletes the records of its deliveries in time. */
export async function deleteWebhook(table: Table, program: string, id: string): Promise<boolean> {
  const failed = await transact(table, [deleteWrite('webhook', webhookKey(program, id), EXISTS)]);
  return failed.size === 0;
}

/** Finds endpoints that are enabled. */
export interface EnabledWebhooks {
  /** Returns the enabled endpoints of a program. */
  of(program: string, onUnreadable?: OnUnreadable): Promise<readonly Webhook[]>;
  /** Returns an endpoint; `undefined` if it is disabled or does not exist. */
  find(program: string, id: string): Promise<Webhook | undefined>;
}

/**
 * Returns a finder that caches endpoints for `ttl` milliseconds, by default for at most 30 seconds, and 0 for never. It
 * does not cache that one is missing, so that a new or enabled endpoint gets what is queued for it.
 */
export function enabledWebhooks(table: Table, clock: Clock, ttl?: number): EnabledWebhooks {
  const lists = new TtlCache<readonly Webhook[]>(clock, ttl);
  const webhooks = new TtlCache<Webhook>(clock, ttl);
  return {
    of: async (program, onUnreadable) => {
      const list = () => listWebhooks(table, program, onUnreadable);
      const enabled = async () => (await list()).filter((webhook) => webhook.enabled);
      return (await lists.getOrLoad(program, enabled)) ?? [];
    },
    find: (program, id) =>
      webhooks.getOrLoad(`${program} ${id}`, async () => {
        const webhook = await findWebhook(table, program, id);
        return webhook?.enabled ? webhook : undefined;
      }),
  };
}

function webhookOf(item: Item): Webhook {
  const { id, second } = parseSortKey(required(item, 'created', text));
  return {
    id,
    url: required(item, 'url', text),
    events: required(item, 'events', eventTypes),
    includeEmail: required(item, 'include_email', boolean),
    enabled: required(item, 'enabled', boolean),
    createdAt: second,
  };
}

function eventTypes(value: unknown): EventType[] | undefined {
  return texts(value)?.flatMap((name) => oneOf(EVENT_TYPES)(name) ?? []);
}
