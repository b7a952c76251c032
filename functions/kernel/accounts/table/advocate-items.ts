import { type Item, parseFields, required } from '../../dynamodb/item.ts';
import { advocateKey, parseSortKey, programAdvocates } from '../../dynamodb/keys.ts';
import { type PageStart, readPage } from '../../dynamodb/page.ts';
import { ALL_TIME, type Plan } from '../../dynamodb/plan.ts';
import { get, type Table } from '../../dynamodb/table.ts';
import { fieldsIn, fieldsWith, type Values } from '../../fields/field-list.ts';
import { text } from '../../fields/parsers.ts';
import type { SecondsRange } from '../../time.ts';
import type { Advocate, AttributionTarget } from '../rules/advocate.ts';
import { ADVOCATE_FIELDS } from '../rules/advocate-fields.ts';

export const TARGET_FIELDS = fieldsIn(ADVOCATE_FIELDS, 'target');
/** The fields that every index contains, and the lists therefore return. */
const LISTED_FIELDS = fieldsWith(ADVOCATE_FIELDS, 'listed');

/** An advocate as the indexes contain it. */
export type ListedAdvocate = Values<typeof LISTED_FIELDS>;

/** Reads an advocate; `undefined` if no advocate has the slug. */
export async function findAdvocate(table: Table, program: string, slug: string): Promise<Advocate | undefined> {
  const item = await get(table, advocateKey(program, slug));
  return item && parseAdvocate(item);
}

/** Exact values of the advocates in a list. */
export type AdvocateFilters = Readonly<Partial<Pick<Advocate, (typeof FILTERED)[number]>>>;

const FILTERED = ['email', 'uid', 'active', 'group'] as const;

/** True if an advocate has all values of filters. */
export const hasValues = (advocate: ListedAdvocate, filters: AdvocateFilters): boolean =>
  FILTERED.every((name) => filters[name] === undefined || advocate[name] === filters[name]);

/** Plans the list of a program's advocates, newest first. */
export function planAdvocates(
  program: string,
  createdAt: SecondsRange | undefined,
  filters: AdvocateFilters = {},
): Plan {
  const range = createdAt ?? ALL_TIME;
  return { index: 'by_created_at', partition: programAdvocates(program), range, filter: { equal: filters } };
}

/** Parses the fields that clicks and conversions need, from an advocate's item or from the claim of its uid. */
export function parseAttributionTarget(item: Item): AttributionTarget {
  return parseFields(TARGET_FIELDS, item);
}

/** Parses an advocate from a row of an index, or from its item. */
export function parseListedAdvocate(item: Item): ListedAdvocate {
  return parseFields(LISTED_FIELDS, withKeys(item));
}

/** Parses an advocate from its item. */
export function parseAdvocate(item: Item): Advocate {
  return parseFields(ADVOCATE_FIELDS, withKeys(item));
}

/** Adds the fields that keys contain. */
function withKeys(item: Item): Item {
  const { id, second } = parseSortKey(required(item, 'created', text));
  return { ...item, id, created_at: second };
}

/** Reads a page of a program's advocates, newest first. Throws `InvalidCursor` and `PageTooDeep`. */
export async function readAdvocates(
  table: Table,
  program: string,
  { createdAt, filters }: { readonly createdAt?: SecondsRange | undefined; readonly filters?: AdvocateFilters },
  { start, size }: { readonly start: PageStart; readonly size: number },
): Promise<{ readonly advocates: readonly ListedAdvocate[]; readonly next: string | undefined }> {
  const { items, next } = await readPage(table, planAdvocates(program, createdAt, filters), start, size);
  return { advocates: items.map(parseListedAdvocate), next };
}
