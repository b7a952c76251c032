/** The events of Stripe that concern referrals and their payments (docs/contract/stripe.md). */
export const STRIPE_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'invoice.paid',
  'invoice_payment.paid',
  'customer.subscription.deleted',
  'charge.refunded',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'promotion_code.created',
  'promotion_code.updated',
] as const;
export type StripeEventType = (typeof STRIPE_EVENTS)[number];
