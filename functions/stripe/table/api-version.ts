import { NOT_EXISTS, notExistsOrSame } from '../../kernel/dynamodb/conditions.ts';
import { type Item, required } from '../../kernel/dynamodb/item.ts';
import { apiVersionKey } from '../../kernel/dynamodb/keys.ts';
import { get, type Table } from '../../kernel/dynamodb/table.ts';
import { put } from '../../kernel/dynamodb/writes.ts';
import { text } from '../../kernel/fields/parsers.ts';

/** The first version whose checkouts contain promotion codes. Versions sort by their dates. */
export const FIRST_WITH_CODES = '2025-01-27';

/** Parses the API version of the last checkout; `undefined` before the first one. */
export const parseApiVersion = (item: Item | undefined): string | undefined =>
  item && required(item, 'api_version', text);

/**
 * Notes the API version of a checkout if it is another one than before. Returns false if another checkout was noted since:
 * its version stays.
 */
export async function noteApiVersion(
  table: Table,
  program: string,
  { before, version }: { readonly before: string | undefined; readonly version: string },
): Promise<boolean> {
  if (before === version) return true;
  const item = { ...apiVersionKey(program), api_version: version };
  const condition = before === undefined ? NOT_EXISTS : notExistsOrSame('api_version', before);
  return (await put(table, item, condition)) === undefined;
}

/** Reads the API version of the last checkout of a program; `undefined` before the first one. */
export async function readApiVersion(table: Table, program: string): Promise<string | undefined> {
  return parseApiVersion(await get(table, apiVersionKey(program)));
}
