import { type Item, parseFields, required } from '../../dynamodb/item.ts';
import { codeKey } from '../../dynamodb/keys.ts';
import { get, type Table } from '../../dynamodb/table.ts';
import { text } from '../../fields/parsers.ts';
import { CODE_FIELDS, type PromotionCode } from '../rules/code.ts';

/** Parses a promotion code from its item. Throws `MalformedItem`. */
export function parseCodeItem(item: Item): PromotionCode {
  return parseFields(CODE_FIELDS, item);
}

/** Reads a promotion code, in upper case; `undefined` if the program does not have it. */
export async function findCode(table: Table, program: string, code: string): Promise<PromotionCode | undefined> {
  const item = await get(table, codeKey(program, code));
  return item && parseCodeItem(item);
}

/** The code and its advocate, to which a promotion code of Stripe leads. Neither changes. */
export interface PromotionClaim {
  readonly code: string;
  readonly advocateSlug: string;
}

/** Parses the claim of a promotion code of Stripe. Throws `MalformedItem`. */
export function parsePromotionClaim(item: Item): PromotionClaim {
  return { code: required(item, 'code', text), advocateSlug: required(item, 'affiliate_slug', text) };
}
