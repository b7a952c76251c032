import { metricLog } from '../log/metrics.ts';
import { parameterReader } from '../secrets/parameter-store.ts';
import { cachedSecrets } from '../secrets/secrets.ts';
import { openConnection } from '../table/dynamodb/connection.ts';
import { readParameterEnvironment, readStage, readTableEnvironment } from '../table/environment.ts';
import { trackingHandler } from './handler.ts';

const connection = openConnection(readTableEnvironment());
const secrets = cachedSecrets(parameterReader(readParameterEnvironment()), connection.clock);
const recordMetrics = metricLog(readStage(), connection.clock, (line) => process.stdout.write(line));

/** Lambda calls it for each request. */
export const handler = trackingHandler(connection, secrets, recordMetrics);

/** Resolves when the connection is warm. `functions/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = connection.warmUp();
