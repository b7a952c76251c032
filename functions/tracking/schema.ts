import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { SETTABLE_STATES, STATES } from '../domain/state.ts';
import { MAX_SUB_ID, MAX_UID } from '../domain/text.ts';
import { resource, TIME } from '../http/schema.ts';

export const CONVERSION_V1_BODY = {
  type: 'object',
  required: ['email'],
  anyOf: [{ required: ['gr_id'] }, { required: ['pk', 'uid'] }],
  properties: {
    email: {
      type: 'string',
      description: 'E-mail of the referral. White space at both ends is removed; it is stored in lower case.',
      examples: ['visitor@example.com'],
    },
    gr_id: {
      type: 'string',
      description:
        "Value of the visitor's cookie: the advocate's slug, a dot, the click's id. It decides where `pk` and `uid` are given too.",
      examples: ['jane-doe.019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071'],
    },
    pk: {
      type: 'string',
      description: "The program's public key. Replaces `gr_id` together with `uid`.",
      examples: ['pk_019a2b3c4d5e7f608a1b2c3d4e5f6071'],
    },
    uid: {
      type: 'string',
      description:
        "The advocate's `uid`, the merchant's own id of the advocate. The service's `id` of the advocate is not accepted. Replaces `gr_id` together with `pk`.",
      examples: ['partner-42'],
    },
  },
} as const satisfies JSONSchema;

export type ConversionV1Body = FromSchema<typeof CONVERSION_V1_BODY>;

const GR_ID = CONVERSION_V1_BODY.properties.gr_id;
const PUBLIC_KEY = { ...CONVERSION_V1_BODY.properties.pk, description: "The program's public key." } as const;
const CUSTOMER = {
  email: CONVERSION_V1_BODY.properties.email,
  uid: {
    type: 'string',
    description: `The merchant's own id of the customer: 1 to ${MAX_UID} characters, compared with its case.`,
    examples: ['customer-4711'],
  },
} as const;
const SUB_ID = {
  type: 'string',
  description: `The advocate's own mark of a link or campaign: 1 to ${MAX_SUB_ID} characters, compared exactly.`,
  examples: ['newsletter'],
} as const;

export const CONVERSION_V2_BODY = {
  type: 'object',
  allOf: [
    { anyOf: [{ required: ['affiliate_slug'] }, { required: ['gr_id'] }] },
    { anyOf: [{ required: ['email'] }, { required: ['uid'] }] },
  ],
  properties: {
    affiliate_slug: {
      type: 'string',
      description:
        "The advocate's slug. It decides where `gr_id` is given too, whose click then counts only where it is that advocate's.",
      examples: ['jane-doe'],
    },
    gr_id: {
      ...GR_ID,
      description: "Value of the visitor's cookie: the advocate's slug, a dot, the click's id.",
    },
    ...CUSTOMER,
    sub_id: { ...SUB_ID, description: `${SUB_ID.description} Counts where the click had none.` },
    pk: {
      ...PUBLIC_KEY,
      description:
        "The program's public key. Stands for a token on pages of origins that the program lists; has no effect beside a token.",
    },
  },
} as const satisfies JSONSchema;

export type ConversionV2Body = FromSchema<typeof CONVERSION_V2_BODY>;

export const STATE_BODY = {
  type: 'object',
  required: ['state'],
  anyOf: [{ required: ['email'] }, { required: ['uid'] }],
  properties: {
    ...CUSTOMER,
    state: {
      type: 'string',
      enum: SETTABLE_STATES,
      description: 'The state to set. `converted` restores a rejected referral that was converted before.',
    },
  },
} as const satisfies JSONSchema;

export type StateBody = FromSchema<typeof STATE_BODY>;

export const CLICK_BODY = {
  type: 'object',
  required: ['pk', 'gr_id'],
  properties: { pk: PUBLIC_KEY, gr_id: GR_ID, sub_id: SUB_ID },
} as const satisfies JSONSchema;

export type ClickBody = FromSchema<typeof CLICK_BODY>;

const STATE_ATTRIBUTES = {
  state: { type: 'string', enum: STATES },
  state_set_at: TIME,
  created_at: TIME,
  updated_at: TIME,
} as const;

/** The answer of a V1 conversion. */
export const CONVERTED_REFERRAL = resource('referral', {
  email: { type: 'string' },
  ...STATE_ATTRIBUTES,
}) satisfies JSONSchema;

/** The answer of a V2 conversion, and of a change of state. */
export const TRACKED_REFERRAL = resource('referral', {
  email: { type: ['string', 'null'], description: '`null` where it is unknown or was erased.' },
  uid: {
    type: ['string', 'null'],
    description: "The merchant's own id of the customer; `null` where it is unknown or was erased.",
  },
  ...STATE_ATTRIBUTES,
}) satisfies JSONSchema;

export type ConvertedReferralResource = FromSchema<typeof CONVERTED_REFERRAL>;
export type TrackedReferralResource = FromSchema<typeof TRACKED_REFERRAL>;

/** What `bin/generate` makes validators of. */
export const VALIDATED = {
  conversionV1Body: CONVERSION_V1_BODY,
  conversionV2Body: CONVERSION_V2_BODY,
  stateBody: STATE_BODY,
  clickBody: CLICK_BODY,
};
