import { codeOf, type PromotionCode } from '../../kernel/accounts/rules/code.ts';
import { parseAttributionTarget } from '../../kernel/accounts/table/advocate-items.ts';
import { parseCodeItem } from '../../kernel/accounts/table/codes.ts';
import { advocateCodes, advocateKey, CODE_BOUNDS, codeKey, codesPartition, keyOf } from '../../kernel/dynamodb/keys.ts';
import { readPage } from '../../kernel/dynamodb/page.ts';
import { ALL_TIME } from '../../kernel/dynamodb/plan.ts';
import type { Pages } from '../../kernel/dynamodb/prefetch.ts';
import { PARTITION_KEY, SORT_KEY } from '../../kernel/dynamodb/schema.ts';
import { batchGet, queryPages, type Table } from '../../kernel/dynamodb/table.ts';
import { InvalidCursor } from '../../kernel/errors.ts';

/** A page of codes, and where the next one continues. */
export interface CodePage {
  readonly codes: readonly PromotionCode[];
  readonly next: string | undefined;
}

/** A page after a position. */
export interface CodePaging {
  readonly after: string | undefined;
  readonly size: number;
}

/** Reads a page of all codes of a program, in the order of the codes, with two requests. Throws `InvalidCursor`. */
export async function readCodes(table: Table, program: string, paging: CodePaging): Promise<CodePage> {
  const { codes, next } = await readStoredCodes(table, program, paging);
  return { codes: await effective(table, program, codes), next };
}

/** As `readCodes`, with the codes of deactivated advocates as they are stored. */
export async function readStoredCodes(table: Table, program: string, { after, size }: CodePaging): Promise<CodePage> {
  const [first, last] = CODE_BOUNDS;
  if (after !== undefined && codeOf(after) !== after) throw new InvalidCursor();
  const from = after === undefined ? undefined : codeKey(program, after);
  const pages = queryPages(
    table,
    {
      KeyConditionExpression: `${PARTITION_KEY} = :pk AND ${SORT_KEY} BETWEEN :first AND :last`,
      ExpressionAttributeValues: { ':pk': codesPartition(program), ':first': first, ':last': last },
      ...(from && { ExclusiveStartKey: from }),
      ConsistentRead: true,
    },
    () => size + 1,
  );
  const { value } = await pages.next();
  const rows = (value?.items ?? []).map(parseCodeItem);
  const codes = rows.slice(0, size);
  return { codes, next: rows.length > size ? codes.at(-1)?.code : undefined };
}

/** Reads all codes of a program page by page, in the order of the codes. */
export async function* codePages(table: Table, program: string, read = readCodes): Pages<readonly PromotionCode[]> {
  let after: string | undefined;
  do {
    const { codes, next } = await read(table, program, { after, size: PAGE });
    yield codes;
    after = next;
  } while (after !== undefined);
}

const PAGE = 100;

/** Reads a page of the codes of an advocate, newest first, with three requests. Throws `InvalidCursor`. */
export async function readCodesOf(
  table: Table,
  program: string,
  slug: string,
  { after, size }: CodePaging,
): Promise<CodePage> {
  const plan = {
    index: 'by_created_at',
    partition: advocateCodes(program, slug),
    range: ALL_TIME,
    filter: {},
  } as const;
  const { items, next } = await readPage(table, plan, after === undefined ? { skip: 0 } : { after }, size);
  const found = await batchGet(table, items.map(keyOf));
  const codes = found.flatMap((item) => (item ? [parseCodeItem(item)] : []));
  return { codes: await effective(table, program, codes), next };
}

/** Shows the codes of deactivated and erased advocates as inactive. */
async function effective(table: Table, program: string, codes: readonly PromotionCode[]): Promise<PromotionCode[]> {
  const slugs = [...new Set(codes.map(({ advocateSlug }) => advocateSlug))];
  const items = await batchGet(
    table,
    slugs.map((slug) => advocateKey(program, slug)),
    { consistent: false },
  );
  const targets = items.flatMap((item) => (item ? [parseAttributionTarget(item)] : []));
  const active = new Set(targets.filter((target) => target.active).map(({ slug }) => slug));
  return codes.map((code) => ({ ...code, active: code.active && active.has(code.advocateSlug) }));
}
