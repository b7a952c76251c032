import { edgeOfEnvironment } from '../secrets/edge-secret.ts';
import { openConnection } from '../table/dynamodb/connection.ts';
import { readTableEnvironment } from '../table/environment.ts';
import { referralsHandler } from './handler.ts';

const connection = openConnection(readTableEnvironment());
const edge = edgeOfEnvironment(connection.clock);

/** Lambda calls it for each request. */
export const handler = referralsHandler(connection, edge);

/** Resolves when connection and edge are warm. `functions/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = Promise.all([connection.warmUp(), edge?.warmUp()]);
