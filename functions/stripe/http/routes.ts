import { type Route, SECRET_WRITES } from '../../kernel/http/route.ts';

const READ = { token: 'program', scope: 'read' } as const;
const ADMIN = { token: 'program', scope: 'admin' } as const;

/** The routes of the connection to Stripe. */
export const STRIPE_CONNECTION_ROUTES = {
  getStripe: {
    method: 'GET',
    path: '/v2/integrations/stripe',
    function: 'integrations',
    access: READ,
    throttle: { rate: 10, burst: 20 },
  },
  connectStripe: {
    method: 'PUT',
    path: '/v2/integrations/stripe',
    function: 'integrations',
    access: ADMIN,
    throttle: SECRET_WRITES,
  },
  disconnectStripe: {
    method: 'DELETE',
    path: '/v2/integrations/stripe',
    function: 'integrations',
    access: ADMIN,
    throttle: SECRET_WRITES,
  },
} as const satisfies Record<string, Route>;
