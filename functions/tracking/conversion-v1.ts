import type { Attribution, Conversion } from '../domain/conversion.ts';
import { InvalidField } from '../domain/errors.ts';
import { MAX_UID, parseEmail, parseGrId, parseText } from '../domain/fields.ts';
import { validBody } from '../http/validation.ts';
import type { ConversionV1Body } from './schema.ts';
import { conversionV1Body } from './validators.js';

/** Reads a V1 conversion of a parsed body. Throws `InvalidField`. */
export function conversionV1(json: unknown): Conversion {
  const body = validBody(json, conversionV1Body);
  return {
    customer: { email: parseEmail('email', body.email), uid: null },
    attribution: attributionOf(body),
    subId: null,
  };
}

/** `gr_id` decides where both are given: a bad one is not rescued by a good `pk` and `uid`. */
function attributionOf({ gr_id, pk, uid }: ConversionV1Body): Attribution {
  if (gr_id !== undefined) return parseGrId(gr_id);
  if (pk === undefined || uid === undefined) throw new InvalidField('gr_id, or pk with uid', 'is required');
  return { publicKey: pk, uid: parseText('uid', uid, MAX_UID) };
}
