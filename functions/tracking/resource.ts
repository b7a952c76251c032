import type { ConvertedReferral } from '../table/conversions.ts';
import type { ConvertedReferralResource } from './schema.ts';

/** The answer of a V1 conversion. */
export function convertedReferral(referral: ConvertedReferral): ConvertedReferralResource {
  return {
    id: referral.id,
    type: 'referral',
    attributes: {
      email: referral.email,
      state: referral.state,
      state_set_at: referral.stateSetAt,
      created_at: referral.createdAt,
      updated_at: referral.updatedAt,
    },
  };
}
