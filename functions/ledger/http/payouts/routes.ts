import type { Route } from '../../../kernel/http/route.ts';

const PAYOUTS = { token: 'program', scope: 'payouts' } as const;
const READ = { token: 'program', scope: 'read' } as const;

/** The route that settles, in the function that records settlements. */
export const PAYOUT_WRITE_ROUTES = {
  payOut: {
    method: 'POST',
    path: '/v2/payout-runs',
    function: 'tracking',
    access: PAYOUTS,
    throttle: { rate: 5, burst: 10 },
  },
} as const satisfies Record<string, Route>;

/** The routes that read settlements and payout runs. */
export const PAYOUT_READ_ROUTES = {
  listPayoutRuns: {
    method: 'GET',
    path: '/v2/payout-runs',
    function: 'referrals',
    access: READ,
    throttle: { rate: 10, burst: 20 },
  },
  getPayoutFile: {
    method: 'GET',
    path: '/v2/payout-runs/{run}/file',
    function: 'referrals',
    access: PAYOUTS,
    throttle: { rate: 5, burst: 10 },
  },
  listSettlements: {
    method: 'GET',
    path: '/v2/settlements',
    function: 'referrals',
    access: READ,
    throttle: { rate: 50, burst: 100 },
  },
} as const satisfies Record<string, Route>;
