import { metricLog } from '../../functions/kernel/log/metrics.ts';
import { milliseconds } from '../../functions/kernel/time.ts';
import { FREE_TRACES, PRICES } from './prices.ts';

/** The resources that one call uses. `test/capacity` checks the units; sizes and durations are assumptions. */
export interface Usage {
  readonly operation: string;
  readonly milliseconds: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Secrets that are decrypted, with nothing cached. */
  readonly secrets?: number;
  /** Bytes of the response with its headers. */
  readonly bytesOut: number;
}

const MILLION = 1_000_000;
const GIGABYTE = 1_000_000_000;
/** Gigabytes of memory: `memorySize` in `lib/api/service-function.ts`. */
const MEMORY = 0.5;
/** Bytes that CloudWatch counts for a call's line in the access log: 326 of JSON, and the 26 that it adds to each event. */
const LOG_LINE = 352;
/** Bytes that CloudWatch counts for a line of metrics: the longest of a refused conversion or a delivery. */
const METRIC_LINE = 26 + largestMetricLine();
/**
 * Metrics that the alarms watch: from `lib/operations/monitoring.ts`, `lib/data/statistics.ts`, `lib/data/events.ts`, `lib/data/emails.ts` and `lib/data/stripe-events.ts`. An alarm on a
 * sum is charged for each metric in it. Emails need events.
 */
export const ALARM_METRICS = { always: 21, events: 12, emails: 10, stripe: 3, quietHours: 2, load: 6, clicks: 2 };

export const HEADERS = 500;
/** `test/capacity` measures these units. */
export const USAGES: readonly Usage[] = [
  { operation: 'click', milliseconds: 15, readUnits: 0, writeUnits: 2, bytesOut: HEADERS },
  {
    operation: 'conversion of a click',
    milliseconds: 20,
    readUnits: 2,
    writeUnits: 9,
    bytesOut: 500 + HEADERS,
  },
  {
    operation: 'conversion of a click, with all fields',
    milliseconds: 20,
    readUnits: 3,
    writeUnits: 15,
    bytesOut: 500 + HEADERS,
  },
  {
    operation: 'event of Stripe that sets `paid` and records a payment',
    milliseconds: 20,
    readUnits: 4,
    writeUnits: 18,
    secrets: 1,
    bytesOut: HEADERS,
  },
  { operation: 'list, 50 rows', milliseconds: 15, readUnits: 2.5, writeUnits: 0, bytesOut: 14_000 + HEADERS },
  // The largest size that the script may have, compressed.
  { operation: '`gr.js`, loaded', milliseconds: 5, readUnits: 0, writeUnits: 0, bytesOut: 2300 + HEADERS },
  { operation: '`gr.js`, unchanged (304)', milliseconds: 5, readUnits: 0, writeUnits: 0, bytesOut: HEADERS },
  { operation: '`gr.js`, cached', milliseconds: 0, readUnits: 0, writeUnits: 0, bytesOut: 0 },
];

/** What `deliver` uses for one event and webhook, with nothing cached. */
interface DeliveryUsage {
  readonly attempts: number;
  /** Of each attempt, with the response of the receiver. */
  readonly milliseconds: number;
  /** Calls for messages that are not due, which take about 20 ms. */
  readonly earlyCalls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Requests to the queues, except to send the first message. */
  readonly queueRequests: number;
}

/** A delivery at the first attempt: its webhook twice, its referral, and its record. It is received and deleted. */
const DELIVERED = { attempts: 1, milliseconds: 200, earlyCalls: 0, readUnits: 3, writeUnits: 1, queueRequests: 2 };
/** Ten failures of a webhook that failed ten times before: no further ones are counted. A test counts all of this. */
export const UNDELIVERED = {
  ...DELIVERED,
  attempts: 10,
  earlyCalls: 10,
  readUnits: 40,
  writeUnits: 10,
  queueRequests: 50,
};
/** The receiver does not respond within the time limit. */
const TIMED_OUT = { ...UNDELIVERED, milliseconds: 15_000 };
const EARLY_MILLISECONDS = 20;
/** Of each attempt. */
const DELIVERY_BYTES = 1000 + HEADERS;

/** What `events=on` adds to a write of a referral. Each change is published and delivered in separate calls. */
interface EventUsage {
  readonly write: string;
  /** Webhooks that subscribed to the event. */
  readonly webhooks: number;
  /** Of `publish`. */
  readonly milliseconds: number;
  /** Of `publish`, with nothing cached. Clicks are so many that webhooks and advocates are cached. */
  readonly readUnits: number;
  readonly delivery: DeliveryUsage;
  /** Secrets that each attempt decrypts. The secrets for clicks are cached. */
  readonly secrets: number;
  readonly isOnBus: boolean;
}

const SUBSCRIBERS = [
  ['no webhook', 0],
  ['1 webhook', 1],
  ['3 webhooks', 3],
] as const;
const EVENT_USAGES: readonly EventUsage[] = [
  ...SUBSCRIBERS.map(([subscribers, webhooks]) => {
    return {
      write: `click, ${subscribers}`,
      webhooks,
      milliseconds: webhooks === 0 ? 5 : 20,
      readUnits: 0,
      delivery: DELIVERED,
      secrets: 0,
      isOnBus: false,
    };
  }),
  ...[
    ...SUBSCRIBERS.map(([subscribers, webhooks]) => [subscribers, webhooks, DELIVERED] as const),
    ['1 webhook that fails', 1, UNDELIVERED] as const,
    ['1 webhook that hangs', 1, TIMED_OUT] as const,
  ].map(([subscribers, webhooks, delivery]) => {
    return {
      write: `change, ${subscribers}`,
      webhooks,
      milliseconds: 40,
      // The index of webhooks, each webhook, the referral and its advocate.
      readUnits: 0.5 + webhooks + 2,
      delivery,
      secrets: 1,
      isOnBus: true,
    };
  }),
];

/** What `mail` uses for a link to sign in, and for one to an address that nobody has. `test/capacity` checks the units. */
export const SENT_LINK = { milliseconds: 300, readUnits: 4, writeUnits: 6 };
export const UNSENT_LINK = { milliseconds: 30, readUnits: 3, writeUnits: 0 };

/** A first application of an address, whoever has it; its confirmation; its approval. `test/capacity` checks the units. */
export const APPLICATION: Usage = {
  operation: 'application',
  milliseconds: 20,
  readUnits: 4,
  writeUnits: 7,
  bytesOut: HEADERS,
};
export const CONFIRMATION: Usage = {
  operation: 'confirmation',
  milliseconds: 20,
  readUnits: 6,
  writeUnits: 10,
  bytesOut: 1500 + HEADERS,
};
export const APPROVAL: Usage = {
  operation: 'approval',
  milliseconds: 25,
  readUnits: 5.5,
  writeUnits: 13,
  bytesOut: 1000 + HEADERS,
};
/** What `mail` uses for an email that confirms an address, and for an address whose application is pending. */
export const SENT_CONFIRMATION = { milliseconds: 300, readUnits: 4, writeUnits: 6 };
export const UNSENT_CONFIRMATION = { milliseconds: 30, readUnits: 4, writeUnits: 0 };

/** Requests that poll two idle queues in a month (https://aws.amazon.com/premiumsupport/knowledge-center/sqs-high-charges/). */
const IDLE_REQUESTS = 2 * 5 * 3 * 60 * 24 * 30;

/** Times in a month that a busy environment of a function reads the secrets of one owner: once in 29 seconds. */
const SECRET_READS = Math.ceil((60 * 60 * 24 * 30) / 29);

/** The costs of calls, in Markdown. */
export function callTable(): string {
  return costTable(
    ['a million calls', 'API Gateway', 'Lambda', 'DynamoDB', 'KMS', 'logs', 'data out'],
    USAGES.map((usage) => [usage.operation, costsOf(usage)]),
  );
}

/** The costs of a month, in Markdown. */
function monthTable(): string {
  return table(
    ['costs of a month', 'dollars'],
    monthly().map(([item, cost]) => [item, dollars(cost)]),
  );
}

/** The cost tables of calls, events and months, in Markdown. */
export function costTables(): string {
  const events = costTable(
    ['a million writes, added by `events=on`', 'Lambda', 'DynamoDB', 'KMS', 'EventBridge', 'SQS', 'data out'],
    EVENT_USAGES.map((usage) => [usage.write, eventCostsOf(usage)]),
  );
  return [callTable(), events, monthTable()].join('\n\n');
}

function costTable(head: string[], rows: [name: string, costs: number[]][]): string {
  return table(
    [...head, 'total'],
    rows.map(([name, costs]) => {
      // The sum of the rounded costs, so that the row adds up.
      const total = costs.reduce((sum, cost) => sum + cents(cost), 0) / 100;
      return [name, ...costs.map(dollars), `**${dollars(total)}**`];
    }),
  );
}

/** Dollars for a million calls: API Gateway, Lambda, DynamoDB, KMS, logs, data out. A cached script causes no call. */
export function costsOf({ milliseconds, readUnits, writeUnits, secrets = 0, bytesOut }: Usage): number[] {
  if (bytesOut === 0) return [0, 0, 0, 0, 0, 0];
  return [
    PRICES.apiRequest,
    callCost(milliseconds),
    unitCost(readUnits, writeUnits),
    secrets * PRICES.keyRequest,
    (LOG_LINE / GIGABYTE) * PRICES.logGigabyte,
    (bytesOut / GIGABYTE) * PRICES.gigabyteOut,
  ].map((cost) => cost * MILLION);
}

/** Dollars for a million writes: Lambda, DynamoDB, KMS, EventBridge, SQS, data out. Lambda reads the stream for free. */
function eventCostsOf({ webhooks, milliseconds, readUnits, delivery, secrets, isOnBus }: EventUsage): number[] {
  // One request sends up to ten messages. Each is received, hidden and deleted by itself.
  const queueRequests = webhooks === 0 ? 0 : 1 + webhooks * delivery.queueRequests;
  const attempts = webhooks * delivery.attempts;
  return [
    callCost(milliseconds) +
      attempts * callCost(delivery.milliseconds) +
      webhooks * delivery.earlyCalls * callCost(EARLY_MILLISECONDS),
    unitCost(readUnits + webhooks * delivery.readUnits, webhooks * delivery.writeUnits),
    attempts * secrets * PRICES.keyRequest,
    isOnBus ? PRICES.busEvent : 0,
    queueRequests * (PRICES.queueRequest + PRICES.fairQueueRequest),
    attempts * (DELIVERY_BYTES / GIGABYTE) * PRICES.gigabyteOut,
  ].map((cost) => cost * MILLION);
}

/** Dollars that a link costs besides its request: `publish` sends a message, which `mail` receives and deletes. */
export const linkCost = ({ milliseconds, readUnits, writeUnits }: typeof SENT_LINK): number =>
  publishCost() + callCost(milliseconds) + unitCost(readUnits, writeUnits) + 3 * PRICES.queueRequest;

/** Dollars that an applicant costs who confirms an address and is approved. */
const applicantCost = (): number => {
  const requests = [APPLICATION, CONFIRMATION, APPROVAL].flatMap(costsOf).reduce((sum, cost) => sum + cost, 0);
  return requests / MILLION + 2 * PRICES.email + linkCost(SENT_CONFIRMATION) + linkCost(SENT_LINK);
};

/** Dollars that a call of `publish` costs for one write. */
export const publishCost = (): number => callCost(20);

const callCost = (milliseconds: number) =>
  PRICES.lambdaRequest + MEMORY * (milliseconds / 1000) * PRICES.lambdaGigabyteSecond;

const unitCost = (readUnits: number, writeUnits: number) => readUnits * PRICES.readUnit + writeUnits * PRICES.writeUnit;

function monthly(): [item: string, cost: number][] {
  return [
    ['table, a gigabyte with its indexes', PRICES.storedGigabyte],
    ['point-in-time recovery of that gigabyte', PRICES.recoverableGigabyte],
    ['logs kept, a gigabyte', PRICES.keptLogGigabyte],
    [`alarms, ${ALARM_METRICS.always} metrics`, ALARM_METRICS.always * PRICES.alarmMetric],
    ['metrics of clicks, conversions, refused conversions and unknown slugs', 4 * PRICES.customMetric],
    ['a million lines of these metrics in the logs', METRIC_LINE * (MILLION / GIGABYTE) * PRICES.logGigabyte],
    [`alarm of \`quietHours\`, ${ALARM_METRICS.quietHours} metrics`, ALARM_METRICS.quietHours * PRICES.alarmMetric],
    [`alarms added by \`events=on\`, ${ALARM_METRICS.events} metrics`, ALARM_METRICS.events * PRICES.alarmMetric],
    ['metrics of deliveries added by `events=on`', 2 * PRICES.customMetric],
    ['polling the two idle queues with `events=on`', IDLE_REQUESTS * PRICES.queueRequest],
    [`alarms added by \`emails=on\`, ${ALARM_METRICS.emails} metrics`, ALARM_METRICS.emails * PRICES.alarmMetric],
    ['metrics of requests over the limits, added by `emails=on`', 3 * PRICES.customMetric],
    ['polling the two idle queues with `emails=on`', IDLE_REQUESTS * PRICES.queueRequest],
    ['1,000 emails of `emails=on`', 1000 * (PRICES.email + linkCost(SENT_LINK))],
    ['1,000 applications of `emails=on`, confirmed and approved, with two emails each', 1000 * applicantCost()],
    ['secret of a webhook or of Stripe in one busy environment, at most', SECRET_READS * PRICES.keyRequest],
    [`alarms of \`loadAlarms\`, ${ALARM_METRICS.load} metrics`, ALARM_METRICS.load * PRICES.alarmMetric],
    [
      `alarms added by \`clickConcurrency\`, ${ALARM_METRICS.clicks} metrics`,
      ALARM_METRICS.clicks * PRICES.alarmMetric,
    ],
    [
      `alarms added by \`stripeEventSource\`, ${ALARM_METRICS.stripe} metrics`,
      ALARM_METRICS.stripe * PRICES.alarmMetric,
    ],
    ["dashboard, beyond the account's first three", PRICES.dashboard],
    ['X-Ray with `tracing=on`, a million traced calls, the first 100,000 free', (MILLION - FREE_TRACES) * PRICES.trace],
  ];
}

function largestMetricLine(): number {
  const sizes: number[] = [];
  const record = metricLog(
    'production-stage',
    () => milliseconds(2_000_000_000_000),
    (line) => sizes.push(Buffer.byteLength(line)),
  );
  const program = '0'.repeat(36);
  record(program, { RefusedConversions: 1, UnknownSlugs: 1 }, { reason: 'invalid_affiliate_slug' });
  record(program, { SucceededDeliveries: 10, FailedDeliveries: 10 });
  return Math.max(...sizes);
}

const cents = (cost: number) => Math.round(cost * 100);
const dollars = (cost: number) => (cents(cost) / 100).toFixed(2);

/** A Markdown table with columns of equal width. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
