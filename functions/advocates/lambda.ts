import { readTableEnvironment } from '../table/environment.ts';
import { openTable } from '../table/table.ts';
import { advocatesHandler } from './handler.ts';

/** What Lambda calls. The table's connection is opened once, with the function. */
export const handler = advocatesHandler(openTable(readTableEnvironment()));
