import type { Schemas } from '../../kit/api-types.ts';

/** A referral with its history, as `POST /v2/referrals/lookup` returns it. */
export type ReferralDetails = Schemas['ReferralDetails'];
