import { FREE_TRACES, PRICES } from './prices.ts';

/** The resources that one call uses. `npm run bench` counts the units; sizes and durations are assumptions. */
interface Usage {
  readonly operation: string;
  readonly milliseconds: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Bytes of the response with its headers. */
  readonly bytesOut: number;
}

const MILLION = 1_000_000;
const GIGABYTE = 1_000_000_000;
/** Gigabytes of memory: `memorySize` in `lib/endpoint-function.ts`. */
const MEMORY = 0.5;
/** Bytes that CloudWatch counts for a call's line in the access log: 326 of JSON, and the 26 that it adds to each event. */
const LOG_LINE = 352;
/** Metrics that the alarms of `lib/monitoring.ts` watch. An alarm on a sum is charged for each metric in it. */
export const ALARM_METRICS = 17;

const HEADERS = 500;
const USAGES: readonly Usage[] = [
  { operation: 'click', milliseconds: 15, readUnits: 0, writeUnits: 2, bytesOut: HEADERS },
  {
    operation: 'conversion of a click',
    milliseconds: 20,
    readUnits: 2,
    writeUnits: 8,
    bytesOut: 500 + HEADERS,
  },
  {
    operation: 'conversion with sub id, `uid` and `Idempotency-Key`',
    milliseconds: 20,
    readUnits: 3,
    writeUnits: 14,
    bytesOut: 500 + HEADERS,
  },
  { operation: 'list, 50 rows', milliseconds: 15, readUnits: 2.5, writeUnits: 0, bytesOut: 14_000 + HEADERS },
  // The largest size that the script may have, compressed.
  { operation: '`gr.js`, loaded', milliseconds: 5, readUnits: 0, writeUnits: 0, bytesOut: 2250 + HEADERS },
  { operation: '`gr.js`, unchanged (304)', milliseconds: 5, readUnits: 0, writeUnits: 0, bytesOut: HEADERS },
  { operation: '`gr.js`, cached', milliseconds: 0, readUnits: 0, writeUnits: 0, bytesOut: 0 },
];

/** The two cost tables of `docs/deploy.md`, in Markdown. */
export function costTables(): string {
  const calls = table(
    ['a million calls', 'API Gateway', 'Lambda', 'DynamoDB', 'logs', 'data out', 'total'],
    USAGES.map((usage) => {
      const costs = costsOf(usage);
      // The sum of the rounded costs, so that the row adds up.
      const total = costs.reduce((sum, cost) => sum + cents(cost), 0) / 100;
      return [usage.operation, ...costs.map(dollars), `**${dollars(total)}**`];
    }),
  );
  return `${calls}\n\n${table(
    ['a month', ''],
    monthly().map(([item, cost]) => [item, dollars(cost)]),
  )}`;
}

/** Dollars for a million calls: API Gateway, Lambda, DynamoDB, logs, data out. A cached script causes no call. */
function costsOf({ milliseconds, readUnits, writeUnits, bytesOut }: Usage): number[] {
  if (bytesOut === 0) return [0, 0, 0, 0, 0];
  return [
    PRICES.apiRequest,
    PRICES.lambdaRequest + MEMORY * (milliseconds / 1000) * PRICES.lambdaGigabyteSecond,
    readUnits * PRICES.readUnit + writeUnits * PRICES.writeUnit,
    (LOG_LINE / GIGABYTE) * PRICES.logGigabyte,
    (bytesOut / GIGABYTE) * PRICES.gigabyteOut,
  ].map((cost) => cost * MILLION);
}

function monthly(): [item: string, cost: number][] {
  return [
    ['table, a gigabyte with its indexes', PRICES.storedGigabyte],
    ['point-in-time recovery of that gigabyte', PRICES.recoverableGigabyte],
    ['logs kept, a gigabyte', PRICES.keptLogGigabyte],
    [`alarms, ${ALARM_METRICS} metrics`, ALARM_METRICS * PRICES.alarmMetric],
    ["dashboard, beyond the account's first three", PRICES.dashboard],
    ['X-Ray with `tracing=on`, a million traced calls, the first 100,000 free', (MILLION - FREE_TRACES) * PRICES.trace],
  ];
}

const cents = (cost: number) => Math.round(cost * 100);
const dollars = (cost: number) => (cents(cost) / 100).toFixed(2);

/** A Markdown table with columns of equal width. */
function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
