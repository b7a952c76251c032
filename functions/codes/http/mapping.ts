import { CODE_FIELDS, type PromotionCode, parseCode, parsePromotionId } from '../../kernel/accounts/rules/code.ts';
import { attributesIn } from '../../kernel/fields/field-list.ts';
import { parseSlug } from '../../kernel/fields/fields.ts';
import type { HttpEvent } from '../../kernel/http/context.ts';
import { type Paging, parsePaging } from '../../kernel/http/list.ts';
import { type QueryEvent, validBody, validQuery } from '../../kernel/http/validation.ts';
import type { CodeRequest } from '../table/put-code.ts';
import { CODES_QUERY, OWN_CODES_QUERY } from './schema.ts';
import { codeBody, codesQuery, ownCodesQuery } from './validators.js';

/** Parses the code in the path, and the body. Throws `InvalidField`. */
export function parseCodeRequest({ pathParameters }: Pick<HttpEvent, 'pathParameters'>, json: unknown): CodeRequest {
  const { affiliate_slug, active, promotion_code_id: id } = validBody(json, codeBody);
  return {
    code: parseCode('code', pathParameters?.['code'] ?? ''),
    slug: parseSlug('affiliate_slug', affiliate_slug),
    active,
    promotionCodeId: id === undefined ? undefined : parsePromotionId('promotion_code_id', id),
  };
}

/** Parses the query of the list of codes. Throws `InvalidField`. */
export function parseCodesQuery(event: QueryEvent): { readonly paging: Paging; readonly slug: string | undefined } {
  const query = validQuery(event, CODES_QUERY, codesQuery);
  const { affiliate_slug: slug } = query;
  return { paging: parsePaging(query), slug: slug === undefined ? undefined : parseSlug('affiliate_slug', slug) };
}

/** Parses the query of an affiliate's list of codes. Throws `InvalidField`. */
export const parseOwnCodesQuery = (event: QueryEvent): Paging =>
  parsePaging(validQuery(event, OWN_CODES_QUERY, ownCodesQuery));

/** Builds the resource of a code. */
export function toCode(code: PromotionCode) {
  return { id: code.code, type: 'code', attributes: attributesIn(CODE_FIELDS, 'api', code) } as const;
}
