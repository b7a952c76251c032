import { randomBytes } from 'node:crypto';
import { later, secondOf, seconds, systemClock } from '../../../functions/domain/time.ts';
import type { StripeEventType } from '../../../functions/tracking/stripe/stripe-event.ts';
import { sendStripeEvent, simulatedCustomer, simulatedEvent, stripeUrl } from '../../service/stripe-simulation.ts';
import type { Demo } from './demo.ts';
import { CODE, jsonResult, type ServiceResult, TIME_LIMIT } from './service.ts';

/** Sends an event about a customer of the shop to the service on a port. Throws if the service does not respond. */
export type SendStripeEvent = (
  port: number,
  type: StripeEventType,
  email: string,
  amount: number,
) => Promise<ServiceResult>;

/** Returns a stand-in for Stripe, which sends the events of the shop's account with genuine signatures. */
export function stripeOf({ programId, stripeSecret }: Demo, clock = systemClock): SendStripeEvent {
  let last = seconds(0);
  return async (port, type, email, amount) => {
    const now = secondOf(clock());
    // Within one second, the service would order the events by their states: a payment after a cancellation would be lost.
    last = later(now, seconds(last + 1));
    const payment = { type, email, uid: null, grId: null, customer: simulatedCustomer(email), amount };
    const payload = simulatedEvent(payment, last, randomBytes);
    const event = { payload, secret: stripeSecret, timestamp: now };
    const url = stripeUrl(`http://127.0.0.1:${port}`, programId);
    const { status, headers, text } = await sendStripeEvent(url, event, TIME_LIMIT);
    const code = headers.get(CODE);
    return jsonResult(status, text, code === null ? {} : { [CODE]: code });
  };
}
