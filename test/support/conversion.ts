import type { AttributionTarget } from '../../functions/kernel/accounts/rules/advocate.ts';
import { termsFor } from '../../functions/kernel/accounts/rules/advocate-terms.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import type { Attributed, ConversionFields } from '../../functions/referrals/rules/referral.ts';
import { NOTHING_REPORTED, type ReportedFields } from '../../functions/referrals/rules/referral-fields.ts';

/** What a conversion reports; by default nothing. */
export const reported = (fields: Partial<ReportedFields>): ReportedFields => ({ ...NOTHING_REPORTED, ...fields });

/** A conversion that the merchant reports. */
export const conversionOf = (fields: Partial<ReportedFields>, actor: ConversionFields['actor'] = 'merchant') => ({
  reported: reported(fields),
  actor,
  credit: { by: 'link', code: null, lost: null } as const,
  idempotencyRecord: null,
});

/** An advocate of no group, with its terms in a program. */
export const attributed = (program: Program, target: AttributionTarget): Attributed => ({
  target,
  terms: termsFor(program, undefined, target),
});
