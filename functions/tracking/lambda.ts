import { openConnection } from '../table/connection.ts';
import { readTableEnvironment } from '../table/environment.ts';
import { trackingHandler } from './handler.ts';

const connection = openConnection(readTableEnvironment());

/** Called by Lambda for each request. */
export const handler = trackingHandler(connection);

/** Settles once the connection is warm. `functions/entry.mjs` awaits it before Lambda sends requests. */
export const ready = connection.warmUp();
