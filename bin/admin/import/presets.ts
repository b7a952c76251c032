import type { AdvocateColumn, ReferralColumn } from './columns.ts';

/** The names in the exports of a product. */
export interface Preset<Column extends string> {
  /**
   * The names of each column in lower case, with `_` for everything but letters and digits: `Created At` is
   * `created_at`. If a file has several of them, the first value that is not empty counts.
   */
  readonly columns: Readonly<Partial<Record<Column, readonly string[]>>>;
  /** The values, in lower case, of the column `active` of an advocate and `state` of a referral. */
  readonly states: Readonly<Record<string, string>>;
}

/** The presets of a product for both kinds of files. */
interface ProductPresets {
  readonly advocates: Preset<AdvocateColumn>;
  readonly referrals: Preset<ReferralColumn>;
}

/**
 * The products whose exports can be imported without `--map`. docs/migrate.md (Sources) says which names the products
 * document, and which are assumed.
 */
export const PRESETS = {
  // https://developers.rewardful.com/rest-api/affiliates/object
  // https://developers.rewardful.com/rest-api/referrals/object
  rewardful: {
    advocates: {
      columns: {
        email: ['email'],
        first_name: ['first_name'],
        last_name: ['last_name'],
        slug: ['token', 'link_token'],
        created_at: ['created_at'],
        active: ['state'],
      },
      states: { active: 'true', disabled: 'false', pending: 'false', suspicious: 'false' },
    },
    referrals: {
      columns: {
        advocate_email: ['affiliate_email'],
        email: ['customer_email', 'email'],
        state: ['conversion_state', 'state'],
        created_at: ['created_at'],
        state_set_at: ['became_conversion_at', 'became_lead_at'],
        stripe_customer: ['stripe_customer_id'],
      },
      states: { visitor: 'clicked', lead: 'converted', conversion: 'paid', canceled: 'churned', cancelled: 'churned' },
    },
  },
  // https://docs.firstpromoter.com/api-reference-v1/promoters-api/create
  // https://docs.firstpromoter.com/webhooks/event-types
  // https://docs.firstpromoter.com/api-reference-v2/api-admin/referrals/get-referrals
  firstpromoter: {
    advocates: {
      columns: {
        email: ['email'],
        first_name: ['first_name'],
        last_name: ['last_name'],
        slug: ['ref_id', 'default_ref_id', 'ref_token'],
        uid: ['cust_id'],
        company: ['company_name'],
        created_at: ['created_at'],
        active: ['state', 'status'],
      },
      states: {
        active: 'true',
        approved: 'true',
        accepted: 'true',
        pending: 'false',
        rejected: 'false',
        blocked: 'false',
        inactive: 'false',
      },
    },
    referrals: {
      columns: {
        advocate_email: ['promoter_email'],
        email: ['email'],
        uid: ['uid'],
        state: ['state', 'status'],
        created_at: ['created_at'],
        state_set_at: ['cancelled_at', 'customer_since'],
      },
      states: {
        subscribed: 'converted',
        signup: 'converted',
        pending: 'converted',
        active: 'paid',
        cancelled: 'churned',
        canceled: 'churned',
        refunded: 'rejected',
        denied: 'rejected',
      },
    },
  },
  // https://tapfiliate.com/docs/rest/
  // https://tapfiliate.com/docs/integrations/s2s-postback/
  // https://support.tapfiliate.com/en/articles/3092024-what-are-customers
  // https://support.tapfiliate.com/en/articles/2446220-manually-creating-a-conversion-or-a-customer
  tapfiliate: {
    advocates: {
      columns: {
        email: ['email'],
        first_name: ['firstname', 'first_name'],
        last_name: ['lastname', 'last_name'],
        slug: ['referral_code'],
        company: ['company', 'company_name'],
        created_at: ['created_at'],
        active: ['approved', 'status'],
      },
      states: {
        true: 'true',
        approved: 'true',
        active: 'true',
        false: 'false',
        pending: 'false',
        disapproved: 'false',
      },
    },
    referrals: {
      columns: {
        advocate_email: ['affiliate_email'],
        email: ['customer_email'],
        // Not external_id: in a conversion, it is the number of the order.
        uid: ['customer_id'],
        state: ['status', 'commission_status'],
        created_at: ['created_at'],
      },
      states: {
        trial: 'converted',
        lead: 'converted',
        new: 'converted',
        pending: 'converted',
        paying: 'paid',
        won: 'paid',
        active: 'paid',
        capped: 'paid',
        approved: 'paid',
        canceled: 'churned',
        cancelled: 'churned',
        lost: 'churned',
        stopped: 'churned',
        disapproved: 'rejected',
        denied: 'rejected',
      },
    },
  },
} as const satisfies Readonly<Record<string, ProductPresets>>;

export type PresetName = keyof typeof PRESETS;
