import type { Route } from '../../kernel/http/route.ts';

/** The route to which Stripe sends its events. */
export const STRIPE_EVENT_ROUTES = {
  receiveStripeEvent: {
    method: 'POST',
    path: '/v2/integrations/stripe/{program}',
    function: 'tracking',
    access: 'stripe',
    throttle: { rate: 100, burst: 200 },
  },
} as const satisfies Record<string, Route>;
