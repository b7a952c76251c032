import type { AttributionTarget } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { seconds } from '../../../functions/kernel/time.ts';
import {
  type ConversionFields,
  newClick,
  newReferral,
  type Referral,
} from '../../../functions/referrals/rules/referral.ts';
import { setState } from '../../../functions/referrals/rules/referral-changes.ts';
import { attributed, conversionOf } from '../../support/conversion.ts';
import { affiliate, CLICK_ID, NOW, program, REFERRAL_ID } from '../../support/samples.ts';
import { type Situation, stateOf } from '../../support/transitions.ts';

/** Another advocate, with the mailbox of the customer of `CONVERSION`. */
export const JOHN: AttributionTarget = {
  slug: 'john',
  email: 'a+partner@example.com',
  uid: null,
  commissionPercentage: 35,
  group: null,
  active: true,
};

/** An hour after `NOW`, the time at which all referrals here are created. */
export const LATER = seconds(NOW + 3600);

export const CONVERSION: ConversionFields = {
  ...conversionOf({ email: 'a@example.com', customerUid: 'customer-1' }),
  ...attributed(program, affiliate),
  now: NOW,
  idempotencyRecord: 'a-record',
};

export const aClick = (now = NOW): Referral =>
  newClick(program, attributed(program, affiliate), { id: CLICK_ID, subId: null }, now);
export const aConversion = (now = NOW): Referral => newReferral(REFERRAL_ID, { ...CONVERSION, now });

/** A referral that reached the situation by allowed transitions. */
export function referralIn(situation: Situation): Referral {
  switch (situation) {
    case 'clicked':
      return aClick();
    case 'rejected as a click':
      return setState(aClick(), 'rejected', 'operator', NOW);
    default:
      return setState(aConversion(), stateOf(situation), 'merchant', NOW);
  }
}
