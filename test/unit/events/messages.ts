import type { ReferralEvent } from '../../../functions/domain/referral/referral-event.ts';
import { milliseconds } from '../../../functions/domain/time.ts';
import type { DeliveryMessage } from '../../../functions/events/destinations.ts';
import { CLICK_ID, NOW, PROGRAM_ID, REFERRAL_ID } from '../samples.ts';

type ReferralMessage = DeliveryMessage & { readonly event: ReferralEvent };

/** A message with changes. */
export function aMessage(changes: Partial<ReferralMessage> = {}): ReferralMessage {
  return {
    program: PROGRAM_ID,
    webhook: CLICK_ID,
    event: {
      id: `${REFERRAL_ID}.2`,
      type: 'referral.paid',
      setAt: NOW,
      referralId: REFERRAL_ID,
      state: 'paid',
      previousState: 'converted',
      stateSetAt: NOW,
      by: 'merchant',
      move: null,
      createdAt: NOW,
      subId: 'news',
      affiliateSlug: 'jane',
      commission: { commissionPercentage: 12.5, commissionEndDate: NOW },
    },
    advocateId: CLICK_ID,
    attempt: 1,
    due: milliseconds(NOW * 1000),
    ...changes,
  };
}
