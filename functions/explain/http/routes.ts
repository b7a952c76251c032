import type { Route } from '../../kernel/http/route.ts';

/** The route that explains why a customer is credited, or not. */
export const EXPLAIN_ROUTES = {
  explainCustomer: {
    method: 'POST',
    path: '/v2/referrals/explain',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 50, burst: 100 },
  },
} as const satisfies Record<string, Route>;
