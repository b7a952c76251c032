import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { ADVOCATE_FIELDS } from '../../kernel/accounts/rules/advocate-fields.ts';
import { PROGRAM_FIELDS } from '../../kernel/accounts/rules/program-fields.ts';
import { changeSchemas, inputSchemas, schemasIn } from '../../kernel/fields/field-list.ts';
import { TEXT_PATTERN } from '../../kernel/fields/fields.ts';
import { NULLABLE_TEXT, TIME } from '../../kernel/fields/schemas.ts';
import { dataOf, EXPIRES_AT, exact, LIST_PARAMETERS, listOf, resource, SIGNED_IN } from '../../kernel/http/schema.ts';
import { SUMS } from '../../kernel/http/totals.ts';
import { MAX_SEARCH } from '../rules/search.ts';
import { MONEY_SORTS, NUMBER_SORTS } from '../rules/sorts.ts';

export const ADVOCATES_QUERY = { type: 'object', properties: LIST_PARAMETERS } as const satisfies JSONSchema;

export const ADVOCATES_V2_QUERY = {
  type: 'object',
  properties: {
    email_eq: {
      type: 'string',
      description: 'Only advocates with this email, normalized.',
      examples: ['jane.doe@example.com'],
    },
    uid_eq: { type: 'string', description: 'Only the advocate with this `uid`.', examples: ['partner-42'] },
    search: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_SEARCH,
      pattern: TEXT_PATTERN,
      description:
        'Finds advocates by name: each of its words begins a word of first name, last name, company or slug, or the email, without case and accents. A page may be short or empty although `Link` continues.',
      examples: ['jane do'],
    },
    active_eq: { type: 'boolean', description: 'Only active, or only deactivated advocates.' },
    group_eq: { type: 'string', description: 'Only the advocates of this group.', examples: ['partners'] },
    sort: {
      type: 'string',
      enum: ['created_at', ...MONEY_SORTS, ...NUMBER_SORTS],
      default: 'created_at',
      description:
        'By default the newest first. Every other sort goes by lifetime totals, which each row then also has: the largest first, equal ones by slug, advocates without totals last. It allows no other parameters than `active_eq`, `group_eq`, `currency`, `per_page` and `cursor`. `earned` is `commissions` + `adjustments`, `balance` is `earned` − `settled`. Rows that change while a client pages may repeat or be missing.',
    },
    currency: {
      type: 'string',
      description:
        'The currency of a sort by `earned`, `balance` or `revenue`, in lower case; by default the currency with the largest revenue of the program.',
      examples: ['usd'],
    },
    ...LIST_PARAMETERS,
  },
} as const satisfies JSONSchema;

const INPUTS = inputSchemas(ADVOCATE_FIELDS);

export const NEW_ADVOCATE_BODY = {
  type: 'object',
  required: ['email'],
  properties: INPUTS,
} as const satisfies JSONSchema;

/** Fields that are absent stay as they are; `null` clears a field. */
export const ADVOCATE_CHANGES_BODY = {
  type: 'object',
  properties: {
    ...changeSchemas(ADVOCATE_FIELDS),
    active: {
      type: 'boolean',
      description: 'False deactivates the advocate: it gets no new referrals, and within 30 seconds no new clicks.',
    },
  },
} as const satisfies JSONSchema;

export const ADVOCATE_TOKEN_BODY = {
  type: 'object',
  properties: {
    expires_in: {
      type: 'integer',
      minimum: 60,
      maximum: 31_536_000,
      default: 3600,
      description:
        'Seconds until the token expires: from 60 to 31,536,000 (a year), and not after the calling token. By default 3,600, or until the calling token expires.',
    },
  },
} as const satisfies JSONSchema;

const REFERRAL_LINK = { type: 'string', examples: ['https://example.com/?via=jane-doe'] } as const;

const V1 = {
  ...schemasIn(ADVOCATE_FIELDS, 'v1'),
  referral_link: REFERRAL_LINK,
} as const;

export const ADVOCATE = /* @__PURE__ */ resource('advocate', V1);
export const ADVOCATE_LIST = /* @__PURE__ */ listOf(ADVOCATE);

export const ADVOCATE_V2 = /* @__PURE__ */ (() =>
  resource('advocate', { ...V1, ...schemasIn(ADVOCATE_FIELDS, 'v2') }))();
export const ADVOCATE_DETAILS = /* @__PURE__ */ (() =>
  resource('advocate', { ...V1, ...schemasIn(ADVOCATE_FIELDS, 'details') }))();
export const ADVOCATE_DETAILS_DATA = /* @__PURE__ */ dataOf(ADVOCATE_DETAILS);
export const ADVOCATE_V2_LIST = /* @__PURE__ */ listOf(ADVOCATE_V2);
export const RANKED_ADVOCATE = /* @__PURE__ */ (() =>
  resource('advocate', { ...V1, ...schemasIn(ADVOCATE_FIELDS, 'v2'), totals: exact(SUMS) }))();
export const RANKED_ADVOCATE_LIST = /* @__PURE__ */ listOf(RANKED_ADVOCATE);
/** With a `sort` other than `created_at`, rows have totals. */
export const ADVOCATES_DATA = { anyOf: [ADVOCATE_V2_LIST, RANKED_ADVOCATE_LIST] } as const;

export const ADVOCATE_TOKEN = /* @__PURE__ */ resource('token', {
  token: {
    type: 'string',
    description: 'An affiliate token. It is shown only once.',
    examples: [`rta_${'0'.repeat(36)}`],
  },
  expires_at: TIME,
}) satisfies JSONSchema;
export type AdvocateTokenResource = FromSchema<typeof ADVOCATE_TOKEN>;
export const ADVOCATE_TOKEN_DATA = /* @__PURE__ */ dataOf(ADVOCATE_TOKEN);

export const AFFILIATE_DATA = /* @__PURE__ */ (() => {
  const terms = schemasIn(PROGRAM_FIELDS, 'terms');
  return exact({
    data: resource('affiliate', {
      ...schemasIn(ADVOCATE_FIELDS, 'affiliate'),
      referral_link: REFERRAL_LINK,
      payout_method: schemasIn(ADVOCATE_FIELDS, 'payouts').payout_method,
      payout_account: {
        ...NULLABLE_TEXT,
        description: 'Masked: `j***@example.com`, `DE** **** 2051`, or `***` for `other`.',
      },
      payout_pending_until: schemasIn(ADVOCATE_FIELDS, 'payouts').payout_pending_until,
      ...terms,
      commission_percentage: {
        ...terms.commission_percentage,
        description:
          "The advocate's own rate in percent, else its group's, else the program's; `null` with rules, or if none is set.",
      },
      program: exact(schemasIn(PROGRAM_FIELDS, 'affiliate')),
    }),
    meta: exact({ token: exact({ expires_at: EXPIRES_AT, signed_in: SIGNED_IN }) }),
  });
})();

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  advocatesQuery: ADVOCATES_QUERY,
  advocatesV2Query: ADVOCATES_V2_QUERY,
  newAdvocateBody: NEW_ADVOCATE_BODY,
  advocateChangesBody: ADVOCATE_CHANGES_BODY,
  advocateTokenBody: ADVOCATE_TOKEN_BODY,
};
