/** The columns of a file of referrals: what an export writes and an import reads. */
export const REFERRAL_COLUMNS = [
  'id',
  'advocate_slug',
  'email',
  'uid',
  'state',
  'sub_id',
  'created_at',
  'state_set_at',
  'commission_percentage',
  'commission_end_date',
] as const;

export type ReferralColumn = (typeof REFERRAL_COLUMNS)[number];
