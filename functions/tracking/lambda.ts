import { readTableEnvironment } from '../table/environment.ts';
import { openTable } from '../table/table.ts';
import { trackingHandler } from './handler.ts';

/** What Lambda calls. The table's connection is opened once, with the function. */
export const handler = trackingHandler(openTable(readTableEnvironment()));
