import { InvalidField } from '../../errors.ts';
import type { FieldList, Values } from '../../fields/field-list.ts';
import { isSlug } from '../../fields/fields.ts';
import { boolean, number, text, wholeSeconds } from '../../fields/parsers.ts';
import { NULLABLE_TEXT, TIME } from '../../fields/schemas.ts';

/** Everything that the service knows of each field of a promotion code, in the order of its resource. */
export const CODE_FIELDS = {
  /** In upper case. */
  code: {
    attribute: 'code',
    stored: { parse: text },
    schema: { type: 'string', description: 'What customers type, in upper case.', examples: ['JANE20'] },
    forms: ['api'],
  },
  /** The owner, which never changes. */
  advocateSlug: {
    attribute: 'affiliate_slug',
    stored: { parse: text },
    schema: { type: 'string', description: 'The slug of the advocate who is credited.' },
    forms: ['api'],
  },
  active: {
    attribute: 'active',
    stored: { parse: boolean },
    schema: { type: 'boolean', description: 'False also if the advocate is deactivated or erased.' },
    forms: ['api'],
  },
  promotionCodeId: {
    attribute: 'promotion_code_id',
    stored: { parse: text, empty: null },
    schema: { ...NULLABLE_TEXT, description: "Stripe's id of the promotion code." },
    forms: ['api'],
  },
  createdAt: { attribute: 'created_at', stored: { parse: wholeSeconds }, schema: TIME, forms: ['api'] },
  /** Number of writes, for optimistic locking. */
  version: { attribute: 'version', stored: { parse: number } },
} as const satisfies FieldList;

/** A promotion code: customers type it at the checkout, and its advocate is credited. */
export type PromotionCode = Values<typeof CODE_FIELDS>;

/** Returns a code in upper case, in which codes are compared; `null` if it is malformed. */
export const codeOf = (given: string): string | null => (isSlug(given) ? given.toUpperCase() : null);

/** Parses a code; returns it in upper case. Throws `InvalidField`. */
export function parseCode(field: string, given: string): string {
  const code = codeOf(given);
  if (code === null) throw new InvalidField(field, 'must be 1 to 64 letters, digits, hyphens or underscores');
  return code;
}

/** Maximum length of an id of Stripe in characters. */
export const MAX_PROMOTION_ID = 255;

/** Checks Stripe's id of a promotion code. Throws `InvalidField`. */
export function parsePromotionId(field: string, text: string): string {
  if (/^[!-~]+$/.test(text) && text.length <= MAX_PROMOTION_ID) return text;
  throw new InvalidField(field, `must be 1 to ${MAX_PROMOTION_ID} printable ASCII characters without spaces`);
}
