import type { JSONSchema } from 'json-schema-to-ts';
import { CODE_FIELDS, MAX_PROMOTION_ID } from '../../kernel/accounts/rules/code.ts';
import { schemasIn } from '../../kernel/fields/field-list.ts';
import { AFFILIATE_SLUG, dataOf, LIST_PARAMETERS, listOf, resource } from '../../kernel/http/schema.ts';

const { per_page, cursor } = LIST_PARAMETERS;

export const OWN_CODES_QUERY = { type: 'object', properties: { per_page, cursor } } as const satisfies JSONSchema;
export const CODES_QUERY = {
  type: 'object',
  properties: {
    affiliate_slug: { ...AFFILIATE_SLUG, description: 'Only the codes of this advocate, newest first.' },
    ...OWN_CODES_QUERY.properties,
  },
} as const satisfies JSONSchema;

export const CODE_BODY = /* @__PURE__ */ (() =>
  ({
    type: 'object',
    required: ['affiliate_slug'],
    properties: {
      affiliate_slug: { ...AFFILIATE_SLUG, description: 'The slug of the advocate who owns the code, for ever.' },
      active: {
        type: 'boolean',
        description: 'False: the code credits nobody from now on. By default it stays, or is true.',
      },
      promotion_code_id: {
        type: 'string',
        pattern: '^[!-~]*$',
        minLength: 1,
        maxLength: MAX_PROMOTION_ID,
        description: "Stripe's id of the promotion code, by which its checkouts are matched. By default it stays.",
        examples: ['promo_1MiM6KLkdIwHu7ix'],
      },
    },
  }) as const satisfies JSONSchema)();

export const CODE = /* @__PURE__ */ (() =>
  resource('code', schemasIn(CODE_FIELDS, 'api'), { type: 'string', description: 'The code.' }))();
export const CODE_DATA = /* @__PURE__ */ dataOf(CODE);
export const CODE_LIST = /* @__PURE__ */ listOf(CODE);

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  codeBody: CODE_BODY,
  codesQuery: CODES_QUERY,
  ownCodesQuery: OWN_CODES_QUERY,
};
