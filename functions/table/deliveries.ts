import { number, oneOf, text } from '../domain/parsers.ts';
import { DAY, type Milliseconds, milliseconds } from '../domain/time.ts';
import { DELIVERY_ERRORS, type Delivery } from '../domain/webhook.ts';
import { type Item, optional, required, withoutNulls } from './dynamodb/item.ts';
import { putNew } from './dynamodb/put-new.ts';
import { queryPages, type Table } from './dynamodb/table.ts';
import { AFTER_DELIVERIES, deliveryKey, firstDeliveryKey, webhookKey } from './keys.ts';

/** How long deliveries are kept, in seconds (docs/contract.md, Events). */
const KEPT = 7 * DAY;

/**
 * Records an attempt to deliver an event. Returns false if an attempt to deliver it at the same millisecond is already
 * recorded: a duplicate of the same message, or this very write, whose response was lost.
 */
export async function recordDelivery(
  table: Table,
  program: string,
  webhook: string,
  delivery: Delivery,
): Promise<boolean> {
  const item: Item = {
    ...deliveryKey(program, webhook, delivery.startedAt, delivery.eventId),
    ...withoutNulls({
      event_id: delivery.eventId,
      event_type: delivery.eventType,
      status: delivery.status,
      error: delivery.error,
      attempt: delivery.attempt,
      duration_ms: delivery.durationMs,
      started_at: delivery.startedAt,
    }),
    expires_at: Math.floor(delivery.startedAt / 1000) + KEPT,
  };
  return putNew(table, item);
}

/** Lists the last deliveries of a webhook, newest first: at most `limit`, and none older than 7 days. */
export async function listDeliveries(
  table: Table,
  program: string,
  webhook: string,
  limit: number,
): Promise<Delivery[]> {
  const input = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': webhookKey(program, webhook).pk,
      // The table deletes expired items within days.
      ':from': firstDeliveryKey(milliseconds(table.clock() - KEPT * 1000)),
      ':to': AFTER_DELIVERIES,
    },
    ConsistentRead: true,
    ScanIndexForward: false,
  };
  const deliveries: Delivery[] = [];
  for await (const { items } of queryPages(table, input, () => limit - deliveries.length)) {
    deliveries.push(...items.map(parseDelivery));
    if (deliveries.length >= limit) break;
  }
  return deliveries;
}

function parseDelivery(item: Item): Delivery {
  return {
    eventId: required(item, 'event_id', text),
    eventType: required(item, 'event_type', text),
    status: optional(item, 'status', number),
    error: optional(item, 'error', oneOf(DELIVERY_ERRORS)),
    attempt: required(item, 'attempt', number),
    durationMs: required(item, 'duration_ms', number),
    startedAt: required(item, 'started_at', parseMilliseconds),
  };
}

function parseMilliseconds(value: unknown): Milliseconds | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? milliseconds(value) : undefined;
}
