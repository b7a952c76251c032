import { peopleHandler } from '../api/people.ts';
import { openConnection } from '../kernel/dynamodb/connection.ts';
import { readStage, readTableEnvironment } from '../kernel/environment.ts';
import { metricLog } from '../kernel/log/metrics.ts';
import { edgeOfEnvironment } from '../kernel/secrets/edge-secret.ts';

const connection = openConnection(readTableEnvironment());
const { clock } = connection;
const edge = edgeOfEnvironment(clock);

/** Lambda calls it for each request. */
export const handler = peopleHandler(
  connection,
  metricLog(readStage(), clock, (line) => process.stdout.write(line)),
  edge,
);

/** Resolves when connection and edge are warm. `functions/lambdas/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = Promise.all([connection.warmUp(), edge?.warmUp()]);
