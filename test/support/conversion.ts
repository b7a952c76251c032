import type { ConversionFields } from '../../functions/referrals/rules/referral.ts';
import { NOTHING_REPORTED, type ReportedFields } from '../../functions/referrals/rules/referral-fields.ts';

/** What a conversion reports; by default nothing. */
export const reported = (fields: Partial<ReportedFields>): ReportedFields => ({ ...NOTHING_REPORTED, ...fields });

/** A conversion that the merchant reports. */
export const conversionOf = (fields: Partial<ReportedFields>, actor: ConversionFields['actor'] = 'merchant') => ({
  reported: reported(fields),
  actor,
  idempotencyRecord: null,
});
