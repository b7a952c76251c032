import { randomBytes } from 'node:crypto';
import { later, secondOf, seconds, systemClock } from '../../../functions/domain/time.ts';
import { ROUTES } from '../../../functions/routes.ts';
import type { StripeEventType } from '../../../functions/tracking/stripe/stripe-event.ts';
import { sendStripeEvent, simulatedCustomer, simulatedEvent } from '../stripe-simulation.ts';
import type { Demo } from './demo.ts';
import { type Call, CODE, jsonResult, type ServiceResult, TIME_LIMIT } from './service.ts';

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
    const event = simulatedEvent(payment, last, randomBytes);
    const path = ROUTES.receiveStripeEvent.path.replace('{program}', programId);
    const url = `http://127.0.0.1:${port}${path}`;
    const { status, headers, text } = await sendStripeEvent(url, event, stripeSecret, now, TIME_LIMIT);
    const code = headers.get(CODE);
    return jsonResult(status, text, code === null ? {} : { [CODE]: code });
  };
}

/** Signs an event that the API reference is about to send. The page gets the signature, never the secret. */
export async function signEvent({ body, demo }: Call): Promise<ServiceResult> {
  const { default: stripe } = await import('stripe');
  const signature = stripe.webhooks.generateTestHeaderString({ payload: String(body), secret: demo.stripeSecret });
  return jsonResult(200, JSON.stringify({ signature }));
}
