import { readTableEnvironment } from '../table/environment.ts';
import { openTable } from '../table/table.ts';
import { warmUp } from '../table/warm-up.ts';
import { trackingHandler } from './handler.ts';

const table = openTable(readTableEnvironment());

/** Called by Lambda for each request. */
export const handler = trackingHandler(table);

/** Settles when the connection to the table is warm. `functions/entry.mjs` awaits it before Lambda sends requests. */
export const ready = warmUp(table);
