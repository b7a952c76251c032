import type { Attribution, Conversion } from '../domain/conversion.ts';
import { InvalidField } from '../domain/errors.ts';
import { MAX_SUB_ID, parseGrId, parseSlug, parseText } from '../domain/fields.ts';
import { validBody } from '../http/validation.ts';
import { customerOf } from './customer.ts';
import type { ConversionV2Body } from './schema.ts';
import { conversionV2Body } from './validators.js';

/** Reads a V2 conversion of a parsed body. Throws `InvalidField`. */
export function conversionV2(json: unknown): Conversion {
  const body = validBody(json, conversionV2Body);
  return {
    customer: customerOf(body),
    attribution: attributionOf(body),
    subId: body.sub_id === undefined ? null : parseText('sub_id', body.sub_id, MAX_SUB_ID),
  };
}

/** The slug decides where both are given; the click is then looked for all the same. */
function attributionOf({ affiliate_slug, gr_id }: ConversionV2Body): Attribution {
  const followed = gr_id === undefined ? undefined : parseGrId(gr_id);
  if (affiliate_slug !== undefined) {
    return { slug: parseSlug('affiliate_slug', affiliate_slug), clickId: followed?.clickId ?? null };
  }
  if (!followed) throw new InvalidField('affiliate_slug, or gr_id', 'is required');
  return followed;
}
