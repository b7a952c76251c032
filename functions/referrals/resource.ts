import type { ListedReferral } from '../table/referral-item.ts';
import type { ListedReferralResource } from './schema.ts';

/** A referral as its advocate's list shows it. */
export function listedReferral(referral: ListedReferral): ListedReferralResource {
  return {
    id: referral.id,
    type: 'referral',
    attributes: {
      email: referral.email,
      state: referral.state,
      state_set_at: referral.stateSetAt,
      created_at: referral.createdAt,
      updated_at: referral.updatedAt,
      sub_id: referral.subId,
      commission_percentage: referral.commissionPercentage,
      commission_end_date: referral.commissionEndDate,
    },
  };
}
