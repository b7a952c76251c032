import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { trackingHandler } from '../api/tracking.ts';
import { openConnection } from '../kernel/dynamodb/connection.ts';
import { readParameterEnvironment, readStage, readTableEnvironment } from '../kernel/environment.ts';
import { metricLog } from '../kernel/log/metrics.ts';
import { edgeOfEnvironment } from '../kernel/secrets/edge-secret.ts';
import { parameterReader } from '../kernel/secrets/parameter-store.ts';
import { cachedSecrets } from '../kernel/secrets/secrets.ts';
import type { ReadPage } from '../pages/http/static-file.ts';

const connection = openConnection(readTableEnvironment());
const edge = edgeOfEnvironment(connection.clock);
const secrets = cachedSecrets(parameterReader(readParameterEnvironment()), connection.clock);
const recordMetrics = metricLog(readStage(), connection.clock, (line) => process.stdout.write(line));
// The bundle is CommonJS, where `import.meta` is empty. `bin/build-pages.ts` writes the files beside it.
const readPage: ReadPage = (name) => readFile(join(__dirname, `${name}.json`), 'utf8');

/** Lambda calls it for each request. */
export const handler = trackingHandler(connection, secrets, readPage, { recordMetrics, edge });

/** Resolves when connection and edge are warm. `functions/lambdas/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = Promise.all([connection.warmUp(), edge?.warmUp()]);
