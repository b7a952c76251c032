import { openConnection } from '../table/dynamodb/connection.ts';
import { readTableEnvironment } from '../table/environment.ts';
import { referralsHandler } from './handler.ts';

const connection = openConnection(readTableEnvironment());

/** Lambda calls it for each request. */
export const handler = referralsHandler(connection);

/** Resolves when the connection is warm. `functions/entry.mjs` awaits it in Lambda's initialization phase. */
export const ready = connection.warmUp();
