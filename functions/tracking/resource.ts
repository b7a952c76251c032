import type { ConvertedReferral } from '../table/conversions.ts';
import type { ConvertedReferralResource, TrackedReferralResource } from './schema.ts';

/** The answer of a V1 conversion, which is never without an e-mail. */
export function convertedReferral(referral: ConvertedReferral): ConvertedReferralResource {
  const { id, email } = referral;
  if (email === null) throw new Error('A V1 conversion lacks its e-mail.');
  return { id, type: 'referral', attributes: { email, ...stateOf(referral) } };
}

/** The answer of a V2 conversion, and of a change of state. */
export function trackedReferral(referral: ConvertedReferral): TrackedReferralResource {
  return {
    id: referral.id,
    type: 'referral',
    attributes: { email: referral.email, uid: referral.customerUid, ...stateOf(referral) },
  };
}

function stateOf(referral: ConvertedReferral) {
  return {
    state: referral.state,
    state_set_at: referral.stateSetAt,
    created_at: referral.createdAt,
    updated_at: referral.updatedAt,
  };
}
