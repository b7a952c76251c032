import { seconds } from '../../kernel/time.ts';
import { example, firstRow, type Operations } from '../../openapi/operation.ts';
import { ADVOCATE } from '../../openapi/records.ts';
import { parseCodeRequest, parseCodesQuery, parseOwnCodesQuery, toCode } from '../http/mapping.ts';
import type { CODE_ROUTES } from '../http/routes.ts';
import { CODE_BODY, CODE_DATA, CODE_LIST, CODES_QUERY, OWN_CODES_QUERY } from '../http/schema.ts';

const NOW = seconds(Date.UTC(2026, 10, 2, 12) / 1000);
const BODY = { affiliate_slug: ADVOCATE.slug, promotion_code_id: 'promo_1MiM6KLkdIwHu7ix' };
const CODE = toCode({
  code: 'AMARA20',
  advocateSlug: ADVOCATE.slug,
  active: true,
  promotionCodeId: BODY.promotion_code_id,
  createdAt: NOW,
  version: 1,
});

const listed = {
  description: 'A page of codes.',
  headers: ['NextPage'],
  schema: CODE_LIST,
  examples: { one: firstRow('per_page=1', CODE) },
} as const;

/** Documents the operations on promotion codes. */
export const CODE_OPERATIONS: Operations<typeof CODE_ROUTES> = {
  putCode: {
    summary: 'Give an advocate a promotion code',
    description: [
      'Gives an advocate a code that customers type at the checkout, or changes it: absent fields stay. Codes are compared without case. An advocate owns a code for ever. A program has at most 10,000.',
      '',
      "`active: false` deactivates the code, for conversions and checkouts from now on. `promotion_code_id` is Stripe's id, by which a checkout is matched; it can never belong to another code. The request can safely be repeated.",
    ].join('\n'),
    body: {
      schema: CODE_BODY,
      parse: (body) => parseCodeRequest({ pathParameters: { code: 'AMARA20' } }, body),
      examples: { code: example('With a promotion code at Stripe', BODY) },
    },
    successes: {
      200: {
        description: 'The code.',
        schema: CODE_DATA,
        examples: { code: example('With a promotion code at Stripe', { data: CODE }) },
      },
    },
    errors: ['invalid_affiliate_slug', 'advocate_erased', 'code_taken', 'promotion_code_taken', 'too_many_codes'],
  },
  listCodes: {
    summary: 'List promotion codes',
    description:
      'Lists the codes of the program in alphabetical order, or the codes of one advocate, newest first. Codes of deactivated and erased advocates are inactive.',
    query: { schema: CODES_QUERY, parse: parseCodesQuery },
    successes: { 200: listed },
    errors: ['invalid_affiliate_slug'],
  },
  listOwnCodes: {
    summary: 'List own promotion codes',
    description: "Lists the codes of the token's advocate, newest first.",
    query: { schema: OWN_CODES_QUERY, parse: parseOwnCodesQuery },
    successes: { 200: listed },
  },
};
