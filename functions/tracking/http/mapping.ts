import { codeOf } from '../../kernel/accounts/rules/code.ts';
import { attributesIn, parseInputs, withoutServerFields } from '../../kernel/fields/field-list.ts';
import { MAX_UID, parseEmail, parseGrId, parseSlug, parseText } from '../../kernel/fields/fields.ts';
import { record, validOrNull } from '../../kernel/fields/parsers.ts';
import { missingChoice, validBody } from '../../kernel/http/validation.ts';
import { isObject } from '../../kernel/json.ts';
import { parseReference } from '../../referrals/http/customer.ts';
import type { CustomerReference } from '../../referrals/rules/referral.ts';
import { NOTHING_REPORTED, REFERRAL_FIELDS } from '../../referrals/rules/referral-fields.ts';
import { NO_IDENTIFIERS } from '../../referrals/rules/refusal.ts';
import type { State } from '../../referrals/rules/state.ts';
import type { Attribution, Conversion } from '../rules/conversion.ts';
import type { Click } from '../table/clicks.ts';
import type { ConvertedReferral } from '../table/conversions.ts';
import type { ReadConversion } from './refusals.ts';
import type { ConversionV1Body, ConversionV2Body } from './schema.ts';
import { clickBody, conversionV1Body, conversionV2Body, eraseBody, reassignBody, stateBody } from './validators.js';

/*
 * Parses JSON bodies and builds resources. A schema checks the types and the required fields of a body, the rules
 * check and normalize its strings. Each parser throws `InvalidField` for the first invalid or missing field.
 */

/** Parses a V1 conversion. */
export function parseConversionV1(json: unknown): Conversion {
  const body = validBody(json, conversionV1Body);
  const reported = { ...NOTHING_REPORTED, email: parseEmail('email', body.email) };
  return { attribution: parseAttributionV1(body), reported };
}

/** `gr_id` takes precedence: if it is not valid, `pk` and `uid` do not replace it. */
function parseAttributionV1({ gr_id, pk, uid }: ConversionV1Body): Attribution {
  if (gr_id !== undefined) return parseGrId(gr_id);
  if (pk === undefined || uid === undefined) throw missingChoice(['gr_id'], ['pk', 'uid']);
  return { publicKey: pk, uid: parseText('uid', uid, MAX_UID) };
}

/** Parses a V2 conversion. A conversion from a page has only the fields that pages can set. */
export function parseConversionV2(json: unknown, isFromPage = false): Conversion {
  const accepted = isFromPage && isObject(json) ? withoutServerFields(REFERRAL_FIELDS, json) : json;
  const body = validBody(accepted, conversionV2Body);
  const reported = { ...NOTHING_REPORTED, ...parseInputs(REFERRAL_FIELDS, body) };
  const { code } = body;
  return {
    attribution: parseAttributionV2(body),
    // A malformed code is as absent beside another reference.
    ...(code !== undefined && { promotion: { code: codeOf(code) } }),
    reported,
  };
}

/** `affiliate_slug` takes precedence over the slug in `gr_id`, whose click is still looked up. `null` with a code alone. */
function parseAttributionV2({ affiliate_slug, gr_id, code }: ConversionV2Body): Attribution | null {
  const click = gr_id === undefined ? undefined : parseGrId(gr_id);
  if (affiliate_slug !== undefined) {
    return { slug: parseSlug('affiliate_slug', affiliate_slug), clickId: click?.clickId ?? null, isExplicit: true };
  }
  if (!click && code === undefined) throw missingChoice(['affiliate_slug'], ['gr_id'], ['code']);
  return click ?? null;
}

/** Reads what is valid of a V1 conversion that was refused. */
export function readConversionV1(json: unknown): ReadConversion {
  const { email, gr_id, pk, uid } = fieldsOf(json);
  const click = validOrNull(gr_id, parseGrId);
  const own = validOrNull(uid, (text) => parseText('uid', text, MAX_UID));
  return {
    identifiers: { ...NO_IDENTIFIERS, email: validEmail(email), clickId: click?.clickId ?? null },
    advocate: click ?? (isGiven(gr_id) || own === null ? null : { uid: own }),
    hasReference: isGiven(gr_id) || (isGiven(pk) && isGiven(uid)),
  };
}

/** Reads what is valid of a V2 conversion that was refused. */
export function readConversionV2(json: unknown): ReadConversion {
  const { email, uid, affiliate_slug, gr_id, code } = fieldsOf(json);
  const click = validOrNull(gr_id, parseGrId);
  const customerUid = validOrNull(uid, (text) => parseText('uid', text, MAX_UID));
  const slug = validOrNull(affiliate_slug, (text) => parseSlug('affiliate_slug', text)) ?? click?.slug;
  return {
    identifiers: {
      ...NO_IDENTIFIERS,
      email: validEmail(email),
      uid: customerUid,
      clickId: click?.clickId ?? null,
      code: typeof code === 'string' ? codeOf(code) : null,
    },
    advocate: slug === undefined ? null : { slug },
    hasReference: isGiven(affiliate_slug) || isGiven(gr_id) || isGiven(code),
  };
}

const fieldsOf = (json: unknown): Readonly<Record<string, unknown>> => record(json) ?? {};
const validEmail = (value: unknown) => validOrNull(value, (text) => parseEmail('email', text));
/** As in valid bodies, `null` and `""` count as absent. */
const isGiven = (value: unknown) => value !== undefined && value !== null && value !== '';

/** Parses a state change. */
export function parseStateChange(json: unknown): { readonly reference: CustomerReference; readonly state: State } {
  const body = validBody(json, stateBody);
  return { reference: parseReference(body), state: body.state };
}

/** Parses the customer to erase. */
export function parseErasure(json: unknown): CustomerReference {
  return parseReference(validBody(json, eraseBody));
}

/** Parses the move of a referral to another advocate. */
export function parseReassignment(json: unknown): { readonly reference: CustomerReference; readonly slug: string } {
  const body = validBody(json, reassignBody);
  return { reference: parseReference(body), slug: parseSlug('affiliate_slug', body.affiliate_slug) };
}

/** Parses a click. */
export function parseClick(json: unknown): Click {
  const body = validBody(json, clickBody);
  const { subId = null } = parseInputs(REFERRAL_FIELDS, { sub_id: body.sub_id });
  return { publicKey: body.pk, ...parseGrId(body.gr_id), subId };
}

/** Builds the resource of a V1 conversion, which always has an email. */
export function toReferralV1(referral: ConvertedReferral) {
  const { id, email } = referral;
  if (email === null) throw new Error('A V1 conversion has no email.');
  return { id, type: 'referral', attributes: { ...attributesIn(REFERRAL_FIELDS, 'v1', referral), email } } as const;
}

/** Builds the resource of a V2 conversion or of a state change. */
export function toReferralV2(referral: ConvertedReferral) {
  return { id: referral.id, type: 'referral', attributes: attributesIn(REFERRAL_FIELDS, 'v2', referral) } as const;
}
