import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { STATES } from '../domain/referral.ts';
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
      description: "The merchant's own id of the advocate. Replaces `gr_id` together with `pk`.",
      examples: ['partner-42'],
    },
  },
} as const satisfies JSONSchema;

export type ConversionV1Body = FromSchema<typeof CONVERSION_V1_BODY>;

export const CONVERTED_REFERRAL = resource('referral', {
  email: { type: ['string', 'null'], description: '`null` only where it was erased.' },
  state: { type: 'string', enum: STATES },
  state_set_at: TIME,
  created_at: TIME,
  updated_at: TIME,
}) satisfies JSONSchema;

export type ConvertedReferralResource = FromSchema<typeof CONVERTED_REFERRAL>;

/** What `bin/generate` makes validators of. */
export const VALIDATED = { conversionV1Body: CONVERSION_V1_BODY };
