import { TtlCache } from '../domain/cache.ts';
import { IdTaken } from '../domain/errors.ts';
import { boolean, number, oneOf, text, texts, wholeSeconds } from '../domain/parsers.ts';
import { EVENT_TYPES, type EventType } from '../domain/referral/referral-event.ts';
import type { Clock } from '../domain/time.ts';
import { DISABLED_REASONS, isEnabled, type Webhook } from '../domain/webhook.ts';
import { EXISTS } from './dynamodb/conditions.ts';
import { queryAllByOwner } from './dynamodb/index-pages.ts';
import { type Item, optional, required } from './dynamodb/item.ts';
import { putNew } from './dynamodb/put-new.ts';
import { get, type Table } from './dynamodb/table.ts';
import { deleteWrite, transact, update } from './dynamodb/writes.ts';
import { keyOf, lastPart, parseSortKey, programWebhooks, sortKey, webhookKey } from './keys.ts';

/** Stores a new webhook. Succeeds if an earlier attempt, whose response was lost, stored it. Throws `IdTaken`. */
export async function createWebhook(table: Table, program: string, webhook: Webhook): Promise<void> {
  const item: Item = {
    ...webhookKey(program, webhook.id),
    owner: programWebhooks(program),
    created: sortKey(webhook.createdAt, webhook.id),
    url: webhook.url,
    events: webhook.events,
    include_email: webhook.includeEmail,
    enabled: true,
  };
  if (!(await putNew(table, item))) throw new IdTaken();
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

/** Lists all webhooks of a program, newest first. */
export async function listWebhooks(table: Table, program: string, onUnreadable = throwUnreadable): Promise<Webhook[]> {
  const parse = (item: Item) => {
    try {
      return [parseWebhook(item)];
    } catch (error) {
      onUnreadable(lastPart(keyOf(item).pk), error);
      return [];
    }
  };
  return (await queryAllByOwner(table, programWebhooks(program))).flatMap(parse);
}

/**
 * Enables a webhook, whose failures are forgotten, or disables it, as its merchant wishes. Returns false if it does not
 * exist.
 */
export async function setWebhookEnabled(table: Table, program: string, id: string, enabled: boolean): Promise<boolean> {
  const change = enabled
    ? {
        UpdateExpression: 'SET enabled = :enabled, enabled_at = :now REMOVE disabled_reason, failing_since, failures',
        ExpressionAttributeValues: { ':enabled': true, ':now': table.clock() },
      }
    : {
        UpdateExpression: 'SET enabled = :enabled, disabled_reason = :reason',
        ExpressionAttributeValues: { ':enabled': false, ':reason': 'merchant' },
      };
  return (await update(table, webhookKey(program, id), change, EXISTS)) === undefined;
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
