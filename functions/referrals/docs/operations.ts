import { asReceived, example, firstRow, type Operations, PAST_THE_END } from '../../openapi/operation.ts';
import { ADVOCATE, BY_SUB_ID, CLICK_V1, PAID } from '../../openapi/records.ts';
import {
  parseCountsQuery,
  parseLookup,
  parseOwnCountsQuery,
  parseOwnReferralsQuery,
  parseReferralSearch,
  parseReferralsQuery,
  parseReferralsV2Query,
  toCounts,
} from '../http/mapping.ts';
import {
  type Resource,
  toListedReferral,
  toMerchantReferral,
  toOwnReferral,
  toReferralDetails,
  withMoney,
} from '../http/referral.ts';
import type { REFERRAL_ROUTES } from '../http/routes.ts';
import {
  COUNTS_DATA,
  COUNTS_QUERY,
  FOUND_REFERRALS,
  LOOKUP_BODY,
  MERCHANT_REFERRAL_LIST,
  OWN_COUNTS_QUERY,
  OWN_REFERRAL_WITH_MONEY_LIST,
  REFERRAL_DETAILS_DATA,
  REFERRAL_LIST,
  REFERRALS_QUERY,
  REFERRALS_V2_QUERY,
  SEARCH_BODY,
} from '../http/schema.ts';
import { sumOf } from '../rules/counts.ts';
import type { Brought } from '../rules/money.ts';

const ORDER = [
  'newest first: by `created_at`, or by `state_set_at` if it is filtered. All filters can be combined.',
  '',
  'Without `state_eq`, clicks are not listed; `state_eq=clicked` lists them. *Lists* describes paging, cursors and times. To poll for changes, let each `state_set_at` range overlap the previous one by a minute: on AWS the lists lag behind the writes.',
].join('\n');

const WHOLE_PROGRAM =
  'Without `affiliate_slug`, lists all referrals of the program except clicks, the latest change first (`state_set_at`). The filters are `state_eq` (not `clicked`), `state_set_at_gt`, `state_set_at_lt` and `flag_eq`; follow `Link` instead of sending `page`. A referral that changes while you page moves to the front, and may be missed: list again with `state_set_at_gt`.';

const COUNTING = [
  'how many there are now in each state. The counts are exact: as with lists, on AWS the index behind them lags by moments.',
  '',
  '`group_by` also returns the counts by day or month of `created_at` (UTC) or by sub id: the 1,000 largest groups, and the sum of the others. `clicks=false` leaves clicks out. A range with more than 100,000 referrals and clicks is rejected: narrow `created_at_gt` and `created_at_lt`, or leave clicks out.',
].join('\n');

const BROUGHT: Brought = { payments: 1, money: [{ currency: 'eur', revenue: 1400n, commission: 420n }] };
const { slug } = ADVOCATE;
const counts = (groups: typeof BY_SUB_ID = [], clicks = true) => ({
  data: toCounts(slug, { total: sumOf(BY_SUB_ID), groups, other: null }, clicks),
});
const COUNT_SUCCESSES = {
  200: {
    description: 'The counts.',
    schema: COUNTS_DATA,
    examples: {
      total: example('Without a grouping', counts()),
      by_sub_id: example('With `group_by=sub_id`', counts(BY_SUB_ID)),
      without_clicks: example('With `clicks=false`', counts([], false)),
    },
  },
};

const withBrought = (resource: Resource) => asReceived(withMoney(resource, BROUGHT));

/** Documents the operations of this function. */
export const REFERRALS_OPERATIONS: Operations<typeof REFERRAL_ROUTES> = {
  listReferralsV2: {
    summary: "List the program's referrals",
    description: `With \`affiliate_slug\`, lists the referrals of one advocate of the token's program, who may be deactivated: ${ORDER}\n\n${WHOLE_PROGRAM}`,
    query: { schema: REFERRALS_V2_QUERY, parse: parseReferralsV2Query },
    successes: {
      200: {
        description: 'A page of referrals.',
        headers: ['NextPage'],
        schema: MERCHANT_REFERRAL_LIST,
        examples: {
          one: firstRow(`affiliate_slug=${slug}&per_page=1`, withBrought(toMerchantReferral(PAID))),
          program: firstRow('per_page=1', withBrought(toMerchantReferral(PAID))),
          past_the_end: { ...PAST_THE_END, summary: `With \`affiliate_slug=${slug}&page=99\`: past the end` },
        },
      },
    },
    errors: ['invalid_affiliate_slug'],
  },
  lookUpReferral: {
    summary: 'Look up a customer',
    description:
      'Returns the referral of a customer with its history: who referred the customer, when, and what happened since. The customer is in the body, so that no email gets into a URL or an access log.',
    body: {
      schema: LOOKUP_BODY,
      parse: parseLookup,
      examples: {
        by_email: example('By email', { email: PAID.email }),
        by_uid: example("By the merchant's own id", { uid: PAID.customerUid }),
        by_id: example('By the id of the referral', { id: PAID.id }),
      },
    },
    successes: {
      200: {
        description: 'The referral.',
        schema: REFERRAL_DETAILS_DATA,
        examples: {
          customer: example('A paying customer', {
            data: withBrought(toReferralDetails({ referral: PAID, brought: BROUGHT })),
          }),
        },
      },
    },
    errors: ['referral_not_found'],
  },
  searchReferrals: {
    summary: 'Search referrals',
    description:
      "Finds referrals of the program whose email, `uid` or advocate's slug begins with a text, the latest change first, without clicks. The text is in the body, so that no email gets into a URL or an access log. A request reads at most 2,000 referrals, so a page may be short or empty although more follow: send its `meta.cursor` with the same text until it is `null`.",
    body: {
      schema: SEARCH_BODY,
      parse: parseReferralSearch,
      examples: {
        by_email: example('By the beginning of an email', { text: 'ANA@' }),
        by_advocate: example('By advocate', { text: slug }),
      },
    },
    successes: {
      200: {
        description: 'A page of referrals.',
        schema: FOUND_REFERRALS,
        examples: {
          found: example('One referral', {
            data: [withBrought(toMerchantReferral(PAID))],
            meta: { pagination: { page: 1, per_page: 25, has_more: false }, cursor: null },
          }),
        },
      },
    },
  },
  countReferrals: {
    summary: "Count an advocate's referrals",
    description: `Counts the referrals of one advocate of the token's program: ${COUNTING}`,
    query: { schema: COUNTS_QUERY, parse: parseCountsQuery },
    successes: COUNT_SUCCESSES,
    errors: ['invalid_affiliate_slug', 'range_too_large'],
  },
  countOwnReferrals: {
    summary: 'Count own referrals',
    description: `Counts the referrals of the token's advocate: ${COUNTING}`,
    query: { schema: OWN_COUNTS_QUERY, parse: parseOwnCountsQuery },
    successes: COUNT_SUCCESSES,
    errors: ['range_too_large'],
  },
  listOwnReferrals: {
    summary: 'List own referrals with money',
    description: `Lists the referrals of the token's advocate as \`GET /v1/affiliate/referrals\` does, each with its payments and what it has brought the advocate, ${ORDER}`,
    query: { schema: REFERRALS_QUERY, parse: parseOwnReferralsQuery },
    successes: {
      200: {
        description: 'A page of referrals.',
        headers: ['NextPage'],
        schema: OWN_REFERRAL_WITH_MONEY_LIST,
        examples: {
          one: firstRow('per_page=1', withBrought(toOwnReferral(PAID, 'full'))),
          past_the_end: PAST_THE_END,
        },
      },
    },
  },
  listReferrals: {
    summary: 'List referrals',
    description: `Lists the referrals of the token's advocate, ${ORDER}`,
    query: { schema: REFERRALS_QUERY, parse: parseReferralsQuery },
    successes: {
      200: {
        description: 'A page of referrals.',
        headers: ['NextPage'],
        schema: REFERRAL_LIST,
        examples: {
          one: firstRow('per_page=1', toListedReferral(PAID, 'full')),
          click: firstRow('per_page=1&state_eq=clicked', toListedReferral(CLICK_V1, 'full')),
          past_the_end: PAST_THE_END,
        },
      },
    },
  },
};
