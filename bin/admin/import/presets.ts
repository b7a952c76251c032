import { ADVOCATE_FIELDS } from '../../../functions/kernel/accounts/rules/advocate-fields.ts';
import { namesIn } from '../../../functions/kernel/fields/field-list.ts';
import { REFERRAL_FIELDS } from '../../../functions/referrals/rules/referral-fields.ts';

export const ADVOCATE_COLUMNS = [...namesIn(ADVOCATE_FIELDS, 'file'), 'codes'] as const;

export const EXPORTED_COLUMNS = ['id', 'advocate_slug', ...namesIn(REFERRAL_FIELDS, 'file')] as const;

export const REFERENCE_COLUMNS = ['advocate_slug', 'advocate_email', 'advocate_uid'] as const;

/** The columns of an export, other ways to identify an advocate, and what the table contains only as a hash. */
export const REFERRAL_COLUMNS = [...EXPORTED_COLUMNS, 'advocate_email', 'advocate_uid', 'stripe_customer'] as const;

export interface Preset<Column extends string = string> {
  /** The names of each column: `Created At` is `created_at`. Of several, the first value that is not empty counts. */
  readonly columns: Readonly<Partial<Record<Column, readonly string[]>>>;
  /** The values, in lower case, for each value of the column `active` of an advocate and `state` of a referral. */
  readonly states: Readonly<Record<string, readonly string[]>>;
}

type ProductPresets = {
  readonly advocates: Preset<(typeof ADVOCATE_COLUMNS)[number]>;
  readonly referrals: Preset<(typeof REFERRAL_COLUMNS)[number]>;
};

const NAMES = { first_name: ['first_name'], last_name: ['last_name'] } as const;
const SAME = { email: ['email'], created_at: ['created_at'] } as const;

/** The products whose exports can be imported. docs/migrate.md (Sources) says which names are documented. */
export const PRESETS = {
  // https://developers.rewardful.com/rest-api/affiliates/object
  // https://developers.rewardful.com/rest-api/referrals/object
  rewardful: {
    advocates: {
      columns: { ...SAME, ...NAMES, slug: ['token', 'link_token'], active: ['state'] },
      states: { true: ['active'], false: ['disabled', 'pending', 'suspicious'] },
    },
    referrals: {
      columns: {
        ...SAME,
        advocate_email: ['affiliate_email'],
        email: ['customer_email', 'email'],
        state: ['conversion_state', 'state'],
        state_set_at: ['became_conversion_at', 'became_lead_at'],
        stripe_customer: ['stripe_customer_id'],
      },
      states: { clicked: ['visitor'], converted: ['lead'], paid: ['conversion'], churned: ['canceled', 'cancelled'] },
    },
  },
  // https://docs.firstpromoter.com/api-reference-v1/promoters-api/create
  // https://docs.firstpromoter.com/webhooks/event-types
  // https://docs.firstpromoter.com/api-reference-v2/api-admin/referrals/get-referrals
  firstpromoter: {
    advocates: {
      columns: {
        ...SAME,
        ...NAMES,
        slug: ['ref_id', 'default_ref_id', 'ref_token'],
        uid: ['cust_id'],
        company: ['company_name'],
        active: ['state', 'status'],
      },
      states: { true: ['active', 'approved', 'accepted'], false: ['pending', 'rejected', 'blocked', 'inactive'] },
    },
    referrals: {
      columns: {
        ...SAME,
        advocate_email: ['promoter_email'],
        uid: ['uid'],
        state: ['state', 'status'],
        state_set_at: ['cancelled_at', 'customer_since'],
      },
      states: {
        converted: ['subscribed', 'signup', 'pending'],
        paid: ['active'],
        churned: ['cancelled', 'canceled'],
        rejected: ['refunded', 'denied'],
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
        ...SAME,
        first_name: ['firstname', 'first_name'],
        last_name: ['lastname', 'last_name'],
        slug: ['referral_code'],
        company: ['company', 'company_name'],
        active: ['approved', 'status'],
      },
      states: { true: ['true', 'approved', 'active'], false: ['false', 'pending', 'disapproved'] },
    },
    referrals: {
      columns: {
        ...SAME,
        advocate_email: ['affiliate_email'],
        email: ['customer_email'],
        // Not external_id: in a conversion, it is the number of the order.
        uid: ['customer_id'],
        state: ['status', 'commission_status'],
      },
      states: {
        converted: ['trial', 'lead', 'new', 'pending'],
        paid: ['paying', 'won', 'active', 'capped', 'approved'],
        churned: ['canceled', 'cancelled', 'lost', 'stopped'],
        rejected: ['disapproved', 'denied'],
      },
    },
  },
} as const satisfies Readonly<Record<string, ProductPresets>>;

export type PresetName = keyof typeof PRESETS;
