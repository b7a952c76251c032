import { milliseconds, seconds } from '../../../functions/kernel/time.ts';
import type { DeliveryMessage } from '../../../functions/webhooks/stream/destinations.ts';

/** A message for a webhook. Its event has the given number. */
export function aQueuedMessage(webhook: string, n = 1, attempt = 1): DeliveryMessage {
  const setAt = seconds(1_700_000_000);
  return {
    program: 'a-program',
    webhook,
    event: {
      id: `a-referral.${n}`,
      type: 'referral.paid',
      setAt,
      referralId: 'a-referral',
      state: 'paid',
      previousState: 'converted',
      stateSetAt: setAt,
      by: 'merchant',
      move: null,
      createdAt: setAt,
      subId: null,
      affiliateSlug: 'sam',
      commission: { commissionPercentage: 20, commissionEndDate: null },
    },
    advocateId: null,
    attempt,
    due: milliseconds(0),
  };
}
