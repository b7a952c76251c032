import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { PUBLIC_KEY_PATTERN } from '../../kernel/accounts/rules/program.ts';
import { inputSchemas, schemasIn } from '../../kernel/fields/field-list.ts';
import { GR_ID_PATTERN, MAX_UID } from '../../kernel/fields/fields.ts';
import { textKeywords } from '../../kernel/fields/schemas.ts';
import { AFFILIATE_SLUG, dataOf, resource } from '../../kernel/http/schema.ts';
import { CUSTOMER_REFERENCE, NAMES_CUSTOMER } from '../../referrals/http/customer.ts';
import { MERCHANT_REFERRAL } from '../../referrals/http/referral.ts';
import { REFERRAL_FIELDS } from '../../referrals/rules/referral-fields.ts';
import { SETTABLE_STATES } from '../../referrals/rules/state.ts';

/*
 * The schemas of the bodies after fields that are `null` or `""` are removed. `bin/generate/schemas.ts` derives the
 * documented schemas from them, and `bin/generate/validators.ts` the validators, which leave strings to the rules.
 * Every `anyOf` is wrapped in `allOf`, because client generators cannot handle an `anyOf` next to `properties`.
 */

const REPORTED = inputSchemas(REFERRAL_FIELDS);
const { sub_id: SUB_ID } = REPORTED;
const GR_ID = {
  type: 'string',
  pattern: GR_ID_PATTERN,
  description:
    "Value of the visitor's cookie: the advocate's slug, a dot and the click id. An underscore may replace the dot, for payment providers that do not accept dots.",
} as const;
const PUBLIC_KEY = { type: 'string', description: "The program's public key." } as const;
export const CONVERSION_V1_BODY = {
  type: 'object',
  required: ['email'],
  allOf: [
    {
      anyOf: [
        { required: ['gr_id'] },
        // Checked only without `gr_id`: with it, any string is valid.
        { required: ['pk', 'uid'], properties: { pk: { pattern: PUBLIC_KEY_PATTERN }, uid: textKeywords(MAX_UID) } },
      ],
    },
  ],
  properties: {
    email: REPORTED.email,
    gr_id: { ...GR_ID, description: `${GR_ID.description} It takes precedence over \`pk\` and \`uid\`.` },
    pk: { ...PUBLIC_KEY, description: "The program's public key. With `uid`, it replaces `gr_id`." },
    uid: {
      type: 'string',
      description: `The merchant's own id of the advocate, not the service's: 1 to ${MAX_UID} characters without control characters, case-sensitive. With \`pk\`, it replaces \`gr_id\`.`,
    },
  },
} as const satisfies JSONSchema;
export type ConversionV1Body = FromSchema<typeof CONVERSION_V1_BODY>;

export const CONVERSION_V2_BODY = {
  type: 'object',
  allOf: [
    { anyOf: [{ required: ['affiliate_slug'] }, { required: ['gr_id'] }, { required: ['code'] }] },
    { anyOf: [{ required: ['email'] }, { required: ['uid'] }] },
  ],
  properties: {
    affiliate_slug: {
      ...AFFILIATE_SLUG,
      description: `${AFFILIATE_SLUG.description} It takes precedence over \`gr_id\`, whose click then counts only if it is that advocate's.`,
    },
    gr_id: GR_ID,
    code: {
      type: 'string',
      description:
        'The promotion code that the customer typed, without case. Between the advocates of a code and of a `gr_id`, the `code_priority` of the program decides. An unknown or inactive code is ignored beside another reference.',
      examples: ['JANE20'],
    },
    ...REPORTED,
    sub_id: { ...SUB_ID, description: `${SUB_ID.description} Used if the click had none.` },
    pk: {
      ...PUBLIC_KEY,
      description:
        "The program's public key. It replaces a token on pages of the program's allowed origins, and is ignored if a token is sent.",
    },
  },
} as const satisfies JSONSchema;
export type ConversionV2Body = FromSchema<typeof CONVERSION_V2_BODY>;

export const STATE_BODY = {
  type: 'object',
  required: ['state'],
  allOf: [NAMES_CUSTOMER],
  properties: {
    ...CUSTOMER_REFERENCE,
    state: {
      type: 'string',
      enum: SETTABLE_STATES,
      description: 'The state to set. `converted` restores a rejected referral that was converted before.',
    },
  },
} as const satisfies JSONSchema;
export type StateBody = FromSchema<typeof STATE_BODY>;

export const ERASE_BODY = {
  type: 'object',
  allOf: [NAMES_CUSTOMER],
  properties: CUSTOMER_REFERENCE,
} as const satisfies JSONSchema;

export const REASSIGN_BODY = {
  type: 'object',
  required: ['affiliate_slug'],
  allOf: [NAMES_CUSTOMER],
  properties: {
    ...CUSTOMER_REFERENCE,
    affiliate_slug: { ...AFFILIATE_SLUG, description: 'The slug of the advocate who gets the referral.' },
  },
} as const satisfies JSONSchema;

export const CLICK_BODY = {
  type: 'object',
  required: ['pk', 'gr_id'],
  properties: { pk: { ...PUBLIC_KEY, pattern: PUBLIC_KEY_PATTERN }, gr_id: GR_ID, sub_id: SUB_ID },
} as const satisfies JSONSchema;
export type ClickBody = FromSchema<typeof CLICK_BODY>;

/** The resource of a V1 conversion. */
export const REFERRAL_V1 = /* @__PURE__ */ (() =>
  resource('referral', { ...schemasIn(REFERRAL_FIELDS, 'v1'), email: { type: 'string' } }))();
export const CONVERSION = /* @__PURE__ */ dataOf(REFERRAL_V1);

/** The resource of a V2 conversion and of a state change. */
export const REFERRAL_V2 = /* @__PURE__ */ (() => resource('referral', schemasIn(REFERRAL_FIELDS, 'v2')))();
export const TRACKED = /* @__PURE__ */ dataOf(REFERRAL_V2);
export const REASSIGNED = /* @__PURE__ */ dataOf(MERCHANT_REFERRAL);

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  conversionV1Body: CONVERSION_V1_BODY,
  conversionV2Body: CONVERSION_V2_BODY,
  stateBody: STATE_BODY,
  eraseBody: ERASE_BODY,
  reassignBody: REASSIGN_BODY,
  clickBody: CLICK_BODY,
};
