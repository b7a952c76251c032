import type { SecondsRange } from '../domain/time.ts';
import type { HttpEvent } from '../http/context.ts';
import { type Paging, parsePaging, parseRange } from '../http/list.ts';
import { readQuery } from '../http/query.ts';
import { valid } from '../http/validation.ts';
import { ADVOCATES_QUERY } from './schema.ts';
import { advocatesQuery } from './validators.js';

/** Reads paging and filter of the query. Throws `InvalidField`. */
export function advocatesInput(event: HttpEvent): { paging: Paging; createdAt: SecondsRange | undefined } {
  const query = valid(readQuery(event, ADVOCATES_QUERY), advocatesQuery);
  return {
    paging: parsePaging(query),
    createdAt: parseRange('created_at', query.created_at_gt, query.created_at_lt),
  };
}
