import { createHash } from 'node:crypto';
import { InvalidCursor, InvalidField } from '../domain/errors.ts';
import { type Moment, parseMoment, rangeBetween, type SecondsRange } from '../domain/time.ts';
import type { HttpEvent, HttpResult } from './context.ts';
import { json, linkTo } from './response.ts';
import { LIST_PARAMETERS } from './schema.ts';

/** The requested page of a list. */
export interface Paging {
  readonly page: number;
  readonly perPage: number;
  /** Replaces `page`. */
  readonly cursor: string | undefined;
  /** The rest of the query, which the next page keeps. */
  readonly rest: readonly [string, string][];
}

/** Reads the paging of a valid query. Throws `InvalidField` if both `page` and `cursor` are given. */
export function parsePaging(query: {
  readonly page?: number;
  readonly per_page?: number;
  readonly cursor?: string;
  readonly [filter: string]: unknown;
}): Paging {
  const { page, cursor, ...rest } = query;
  if (page !== undefined && cursor !== undefined) throw new InvalidField('cursor', 'replaces page: send only one');
  return {
    page: page ?? LIST_PARAMETERS.page.default,
    perPage: query.per_page ?? LIST_PARAMETERS.per_page.default,
    cursor,
    rest: Object.entries(rest).map(([name, value]) => [name, String(value)]),
  };
}

/** Reads the filters `<name>_gt` and `<name>_lt`; `undefined` if both are absent. Throws `InvalidField`. */
export function parseRange(
  name: 'created_at' | 'state_set_at',
  after: string | undefined,
  before: string | undefined,
): SecondsRange | undefined {
  if (after === undefined && before === undefined) return undefined;
  return rangeBetween(parseBound(`${name}_gt`, after), parseBound(`${name}_lt`, before));
}

function parseBound(parameter: string, text: string | undefined): Moment | undefined {
  const moment = text === undefined ? undefined : parseMoment(text);
  if (moment || text === undefined) return moment;
  throw new InvalidField(parameter, 'must be a time such as 2026-01-31 00:00:00 +0000 or 2026-01-31T00:00:00Z');
}

// The page's number, the fingerprint of its list, and the row after which it starts.
const CURSOR = /^([1-9]\d{0,9})\.([\w-]{22})\.(.+)$/;

/**
 * Where to begin reading. `list` identifies the list with its filters and its owner: a cursor issued for another one
 * throws `InvalidField`.
 */
export function startOf(paging: Paging, list: unknown): { page: number; start: { skip: number } | { after: string } } {
  if (paging.cursor === undefined) {
    return { page: paging.page, start: { skip: (paging.page - 1) * paging.perPage } };
  }
  const cursor = Buffer.from(paging.cursor, 'base64url');
  const [, page, fingerprint, after] = CURSOR.exec(cursor.toString()) ?? [];
  // Node ignores characters outside base64url: only its own spelling is accepted.
  const isWhole = cursor.toString('base64url') === paging.cursor;
  if (after === undefined || fingerprint !== fingerprintOf(list) || !isWhole) throw new InvalidCursor();
  return { page: Number(page), start: { after } };
}

/** Returns a page of a list, with the URL of the next one in the `Link` header (RFC 8288) if there is one. */
export function listResponse(
  event: HttpEvent,
  paging: Paging,
  list: unknown,
  { page, next, data }: { page: number; next: string | undefined; data: readonly unknown[] },
): HttpResult {
  const meta = { pagination: { page, per_page: paging.perPage, has_more: next !== undefined } };
  if (next === undefined) return json(200, { data, meta });
  const cursor = Buffer.from(`${page + 1}.${fingerprintOf(list)}.${next}`).toString('base64url');
  const query = new URLSearchParams([...paging.rest, ['cursor', cursor]]);
  return json(200, { data, meta }, { link: linkTo(event, 'next', event.rawPath, query.toString()) });
}

function fingerprintOf(list: unknown): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 22);
}
