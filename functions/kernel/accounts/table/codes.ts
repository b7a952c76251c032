import { type Item, parseFields, required } from '../../dynamodb/item.ts';
import { text } from '../../fields/parsers.ts';
import { CODE_FIELDS, type PromotionCode } from '../rules/code.ts';

/** Parses a promotion code from its item. Throws `MalformedItem`. */
export function parseCodeItem(item: Item): PromotionCode {
  return parseFields(CODE_FIELDS, item);
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
