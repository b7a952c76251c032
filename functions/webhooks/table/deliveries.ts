import { type Item, optional, required, withoutNulls } from '../../kernel/dynamodb/item.ts';
import {
  AFTER_DELIVERIES,
  deliveryKey,
  deliveryPosition,
  deliverySortKey,
  firstDeliveryKey,
  isDeliveryPosition,
  justBefore,
  webhookKey,
} from '../../kernel/dynamodb/keys.ts';
import { putNew } from '../../kernel/dynamodb/put-new.ts';
import { SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { type Query, queryPages, type Table } from '../../kernel/dynamodb/table.ts';
import { InvalidCursor } from '../../kernel/errors.ts';
import { number, oneOf, text } from '../../kernel/fields/parsers.ts';
import { DAY, type Milliseconds, milliseconds } from '../../kernel/time.ts';
import { DELIVERY_ERRORS, type Delivery, isSuccess } from '../rules/webhook.ts';

/** How long deliveries are kept, in seconds (docs/contract/events.md). */
const KEPT = 7 * DAY;
/** The largest number of rows that a page with a filter reads. */
const MAX_FILTERED = 2000;

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
  const deliveries: Delivery[] = [];
  const input = deliveriesQuery(table, program, webhook);
  if (!input) return deliveries;
  for await (const { items } of queryPages(table, input, () => limit - deliveries.length)) {
    deliveries.push(...items.map(parseDelivery));
    if (deliveries.length >= limit) break;
  }
  return deliveries;
}

/** A page of the deliveries of a webhook. */
interface DeliveriesPage {
  /** The position of the delivery that precedes the page; `undefined` for the first page. */
  readonly after: string | undefined;
  readonly size: number;
  /** Only deliveries that succeeded, or only others; `undefined` for all. */
  readonly succeeded: boolean | undefined;
}

/**
 * Reads a page of the deliveries of a webhook, newest first, and none older than 7 days. `next` is the position after
 * which the next page starts. With `succeeded`, a page reads at most 2,000 rows: it can be short or empty although more
 * deliveries follow. Throws `InvalidCursor`.
 */
export async function readDeliveries(
  table: Table,
  program: string,
  webhook: string,
  { after, size, succeeded }: DeliveriesPage,
): Promise<{ readonly deliveries: readonly Delivery[]; readonly next: string | undefined }> {
  if (after !== undefined && !isDeliveryPosition(after)) throw new InvalidCursor();
  const query = deliveriesQuery(table, program, webhook, after);
  if (!query) return { deliveries: [], next: undefined };
  const positionOf = (key: Item | undefined) => key && deliveryPosition(required(key, SORT_KEY, text));
  // One more row than requested shows whether more rows follow.
  const wanted = size + 1;
  const rows: Item[] = [];
  let left = succeeded === undefined ? wanted : MAX_FILTERED;
  let lastKey: Item | undefined;
  for await (const page of queryPages(table, query, () => left)) {
    rows.push(
      ...page.items.filter((item) => succeeded === undefined || isSuccess(parseDelivery(item).status) === succeeded),
    );
    lastKey = page.lastKey;
    left -= page.count;
    if (rows.length >= wanted || left <= 0) break;
  }
  const deliveries = rows.slice(0, size);
  const next = positionOf(rows.length > size ? deliveries.at(-1) : lastKey);
  return { deliveries: deliveries.map(parseDelivery), next };
}

/** Builds the query of the deliveries after a position; `undefined` if they are older than 7 days. */
function deliveriesQuery(table: Table, program: string, webhook: string, after?: string): Query | undefined {
  // The table deletes expired items within days.
  const from = firstDeliveryKey(milliseconds(table.clock() - KEPT * 1000));
  const to = after === undefined ? AFTER_DELIVERIES : justBefore(deliverySortKey(after));
  if (from > to) return undefined;
  return {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': webhookKey(program, webhook).pk,
      ':from': from,
      ':to': to,
    },
    ConsistentRead: true,
    ScanIndexForward: false,
  };
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
