import { openConnection } from '../kernel/dynamodb/connection.ts';
import { readStage, readTableEnvironment } from '../kernel/environment.ts';
import { metricLog } from '../kernel/log/metrics.ts';
import { statisticsHandler } from '../statistics/stream/count.ts';

/** Limit of each request to the table in milliseconds, and of all attempts at one that conflicts. */
const LIMIT = 10_000;

const connection = openConnection(readTableEnvironment());
const write = (line: string) => process.stdout.write(line);

/** Lambda calls it for each batch of the table's stream. */
export const handler = statisticsHandler({
  table: connection.withLimit(LIMIT),
  recordMetrics: metricLog(readStage(), connection.clock, write),
});

/** Resolves when the connection is warm. `functions/lambdas/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = connection.warmUp();
