import { referralsHandler } from '../api/referrals.ts';
import { openConnection } from '../kernel/dynamodb/connection.ts';
import { readHasEvents, readTableEnvironment } from '../kernel/environment.ts';
import { edgeOfEnvironment } from '../kernel/secrets/edge-secret.ts';

const connection = openConnection(readTableEnvironment());
const edge = edgeOfEnvironment(connection.clock);

/** Lambda calls it for each request. */
export const handler = referralsHandler(connection, { edge, hasEvents: readHasEvents() });

/** Resolves when connection and edge are warm. `functions/lambdas/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = Promise.all([connection.warmUp(), edge?.warmUp()]);
