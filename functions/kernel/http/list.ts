import { createHash } from 'node:crypto';
import { InvalidCursor, InvalidField } from '../errors.ts';
import { type Moment, parseMoment, rangeBetween, type SecondsRange } from '../time.ts';
import type { HttpEvent, HttpResult } from './context.ts';
import { json, linkTo } from './response.ts';
import { LIST_PARAMETERS } from './schema.ts';

/** The requested page of a list. */
export interface Paging {
  readonly page: number;
  readonly perPage: number;
  /** If given, it replaces `page`. */
  readonly cursor: string | undefined;
  /** The query of the next page without its cursor: `per_page` and the filters. */
  readonly nextQuery: readonly [string, string][];
}

/** Parses the paging parameters of a valid query. Throws `InvalidField` if both `page` and `cursor` are given. */
export function parsePaging(query: {
  readonly page?: number;
  readonly per_page?: number;
  readonly cursor?: string;
  readonly [filter: string]: unknown;
}): Paging {
  const { page, cursor, ...others } = query;
  if (page !== undefined && cursor !== undefined) throw new InvalidField('cursor', 'replaces page: send only one');
  return {
    page: page ?? LIST_PARAMETERS.page.default,
    perPage: query.per_page ?? LIST_PARAMETERS.per_page.default,
    cursor,
    nextQuery: Object.entries(others).map(([name, value]) => [name, String(value)]),
  };
}

/**
 * Parses the filters `<name>_gt` and `<name>_lt`, or filters with other endings. Returns `undefined` if both are
 * absent. Throws `InvalidField`.
 */
export function parseRange(
  name: string,
  after: string | undefined,
  before: string | undefined,
  [gt, lt] = ['gt', 'lt'],
): SecondsRange | undefined {
  if (after === undefined && before === undefined) return undefined;
  return rangeBetween(parseBound(`${name}_${gt}`, after), parseBound(`${name}_${lt}`, before));
}

function parseBound(parameter: string, text: string | undefined): Moment | undefined {
  const moment = text === undefined ? undefined : parseMoment(text);
  if (moment || text === undefined) return moment;
  throw new InvalidField(parameter, 'must be a time such as 2026-01-31 00:00:00 +0000 or 2026-01-31T00:00:00Z');
}

// Page number, fingerprint of the list, and sort key of the row that precedes the page.
const CURSOR = /^([1-9]\d{0,9})\.([\w-]{22})\.(.+)$/;

/**
 * Returns the page number and the start of the page: a number of rows to skip, or the sort key of the previous row.
 * `list` identifies list, filters and owner. Throws `InvalidCursor` if the cursor was issued for another list, other
 * filters or another owner.
 */
export function startOf(paging: Paging, list: unknown): { page: number; start: { skip: number } | { after: string } } {
  if (paging.cursor === undefined) {
    return { page: paging.page, start: { skip: (paging.page - 1) * paging.perPage } };
  }
  const cursor = Buffer.from(paging.cursor, 'base64url');
  const [, page, fingerprint, after] = CURSOR.exec(cursor.toString()) ?? [];
  // Node ignores characters outside base64url. Only the canonical encoding is accepted.
  const isCanonical = cursor.toString('base64url') === paging.cursor;
  if (after === undefined || fingerprint !== fingerprintOf(list) || !isCanonical) throw new InvalidCursor();
  return { page: Number(page), start: { after } };
}

/** Returns the page number and the position of the previous row for a list without page numbers, as `startOf` does. */
export function cursorOf(paging: Paging, list: unknown): { page: number; after: string | undefined } {
  const { page, start } = startOf(paging, list);
  return { page, after: 'after' in start ? start.after : undefined };
}

/** Returns the response of a list. `more` is added to `meta`. With `next`, its `Link` header (RFC 8288) contains the URL of the next page. */
export function listResponse(
  event: HttpEvent,
  paging: Paging,
  list: unknown,
  { page, next, data, more = {} }: { page: number; next: string | undefined; data: readonly unknown[]; more?: object },
): HttpResult {
  const meta = { pagination: { page, per_page: paging.perPage, has_more: next !== undefined }, ...more };
  if (next === undefined) return json(200, { data, meta });
  const cursor = cursorAfter(list, page, next);
  const query = new URLSearchParams([...paging.nextQuery, ['cursor', cursor]]);
  return json(200, { data, meta }, { link: linkTo(event, 'next', event.rawPath, query.toString()) });
}

/** Returns the response of a list whose request has a body: with `next`, `meta.cursor` contains the cursor of the next page. */
export function searchResponse(
  paging: Paging,
  list: unknown,
  { page, next, data }: { page: number; next: string | undefined; data: readonly unknown[] },
): HttpResult {
  const pagination = { page, per_page: paging.perPage, has_more: next !== undefined };
  const cursor = next === undefined ? null : cursorAfter(list, page, next);
  return json(200, { data, meta: { pagination, cursor } });
}

function cursorAfter(list: unknown, page: number, next: string): string {
  return Buffer.from(`${page + 1}.${fingerprintOf(list)}.${next}`).toString('base64url');
}

function fingerprintOf(list: unknown): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 22);
}
