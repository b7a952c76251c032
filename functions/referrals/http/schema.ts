import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { textUpTo } from '../../kernel/fields/schemas.ts';
import {
  AFFILIATE_SLUG,
  dataOf,
  exact,
  LIST_PARAMETERS,
  listOf,
  PAGINATION,
  resource,
  SUB_ID_FILTER,
  timestampParameter,
} from '../../kernel/http/schema.ts';
import { GROUPINGS } from '../rules/counts.ts';
import { MAX_SEARCH } from '../rules/search.ts';
import { FLAGS } from '../rules/self-referral.ts';
import { STATES } from '../rules/state.ts';
import { CUSTOMER_REFERENCE, NAMES_CUSTOMER } from './customer.ts';
import { LISTED_REFERRAL, OWN_REFERRAL_WITH_MONEY, REFERRAL_DETAILS, REFERRAL_WITH_MONEY } from './referral.ts';

export const REFERRALS_QUERY = {
  type: 'object',
  properties: {
    state_eq: {
      type: 'string',
      enum: STATES,
      description: 'Only referrals in this state. Clicks are listed only with `state_eq=clicked`.',
    },
    sub_id_eq: SUB_ID_FILTER,
    ...LIST_PARAMETERS,
    state_set_at_lt: timestampParameter('State set strictly before this moment.'),
    state_set_at_gt: timestampParameter('State set strictly after this moment.'),
  },
} as const satisfies JSONSchema;

export const REFERRALS_V2_QUERY = {
  type: 'object',
  properties: {
    affiliate_slug: {
      ...AFFILIATE_SLUG,
      description: "The advocate's slug, in upper or lower case. Without it, all referrals of the program are listed.",
    },
    flag_eq: {
      type: 'string',
      enum: FLAGS,
      description:
        'Only referrals with this flag; not with `affiliate_slug`. A page may be short or empty although more follow.',
    },
    ...REFERRALS_QUERY.properties,
  },
} as const satisfies JSONSchema;

export const OWN_COUNTS_QUERY = {
  type: 'object',
  properties: {
    group_by: {
      type: 'string',
      enum: GROUPINGS,
      description: 'Also returns the counts by day or month of `created_at` in UTC, or by sub id.',
    },
    clicks: {
      type: 'boolean',
      default: true,
      description: '`false` leaves clicks out: they are not read, and `clicked` is `null`.',
    },
    sub_id_eq: SUB_ID_FILTER,
    created_at_lt: LIST_PARAMETERS.created_at_lt,
    created_at_gt: LIST_PARAMETERS.created_at_gt,
  },
} as const satisfies JSONSchema;

export const COUNTS_QUERY = {
  type: 'object',
  required: ['affiliate_slug'],
  properties: { affiliate_slug: AFFILIATE_SLUG, ...OWN_COUNTS_QUERY.properties },
} as const satisfies JSONSchema;

export const LOOKUP_BODY = {
  type: 'object',
  allOf: [NAMES_CUSTOMER],
  properties: CUSTOMER_REFERENCE,
} as const satisfies JSONSchema;

export const SEARCH_BODY = /* @__PURE__ */ (() =>
  ({
    type: 'object',
    required: ['text'],
    properties: {
      text: {
        ...textUpTo(MAX_SEARCH),
        description:
          "The beginning of the customer's email or `uid`, or of the advocate's slug. Only a `uid` is compared exactly.",
        examples: ['ana@'],
      },
      cursor: {
        type: 'string',
        pattern: LIST_PARAMETERS.cursor.pattern,
        description: 'The `meta.cursor` of the previous page, with the same `text`.',
      },
    },
  }) as const)() satisfies JSONSchema;

export const REFERRAL_LIST = /* @__PURE__ */ listOf(LISTED_REFERRAL);
export const OWN_REFERRAL_WITH_MONEY_LIST = /* @__PURE__ */ listOf(OWN_REFERRAL_WITH_MONEY);
export const MERCHANT_REFERRAL_LIST = /* @__PURE__ */ listOf(REFERRAL_WITH_MONEY);
export const FOUND_REFERRALS = /* @__PURE__ */ exact({
  data: { type: 'array', items: REFERRAL_WITH_MONEY },
  meta: /* @__PURE__ */ exact({
    pagination: PAGINATION,
    cursor: { type: ['string', 'null'], description: 'Continues the search; `null` on the last page.' },
  }),
});
export const REFERRAL_DETAILS_DATA = /* @__PURE__ */ dataOf(REFERRAL_DETAILS);

const COUNT = { type: 'integer', minimum: 0 } as const;
const CLICKED = { type: ['integer', 'null'], minimum: 0, description: '`null` with `clicks=false`.' } as const;
const STATE_COUNTS = { clicked: CLICKED, converted: COUNT, paid: COUNT, churned: COUNT, rejected: COUNT } as const;
export const COUNTS = /* @__PURE__ */ resource(
  'counts',
  {
    total: /* @__PURE__ */ exact(STATE_COUNTS),
    groups: {
      type: 'array',
      items: /* @__PURE__ */ exact({
        key: {
          type: ['string', 'null'],
          description: '`YYYY-MM-DD`, `YYYY-MM` or the sub id; `null` for referrals without sub id.',
        },
        ...STATE_COUNTS,
      }),
      description:
        'The 1,000 largest groups; empty without `group_by`. Times newest first; sub ids ascending by code unit, `null` last. No group is empty, and groups and `other` add up to the total.',
    },
    other: {
      .../* @__PURE__ */ exact(STATE_COUNTS),
      type: ['object', 'null'],
      description: 'The sum of the remaining groups; `null` if there are at most 1,000.',
    },
  },
  { type: 'string', description: "The advocate's slug." },
) satisfies JSONSchema;
export type CountsResource = FromSchema<typeof COUNTS>;
export const COUNTS_DATA = /* @__PURE__ */ dataOf(COUNTS);

/** The schemas from which `bin/generate` creates the validators. */
export const VALIDATED = {
  referralsQuery: REFERRALS_QUERY,
  referralsV2Query: REFERRALS_V2_QUERY,
  ownCountsQuery: OWN_COUNTS_QUERY,
  countsQuery: COUNTS_QUERY,
  lookupBody: LOOKUP_BODY,
  searchBody: SEARCH_BODY,
};
