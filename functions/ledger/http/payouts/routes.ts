import type { Route } from '../../../kernel/http/route.ts';

const PAYOUTS = { token: 'program', scope: 'payouts' } as const;
const READ = { token: 'program', scope: 'read' } as const;

/** The routes of what advocates are owed and paid: balances, payout runs, settlements. */
export const PAYOUT_ROUTES = {
  listBalances: {
    method: 'GET',
    path: '/v2/balances',
    function: 'advocates',
    access: READ,
    throttle: { rate: 10, burst: 20 },
  },
  payOut: {
    method: 'POST',
    path: '/v2/payout-runs',
    function: 'advocates',
    access: PAYOUTS,
    throttle: { rate: 5, burst: 10 },
  },
  listPayoutRuns: {
    method: 'GET',
    path: '/v2/payout-runs',
    function: 'advocates',
    access: READ,
    throttle: { rate: 10, burst: 20 },
  },
  getPayoutFile: {
    method: 'GET',
    path: '/v2/payout-runs/{run}/file',
    function: 'advocates',
    access: PAYOUTS,
    throttle: { rate: 5, burst: 10 },
  },
  listSettlements: {
    method: 'GET',
    path: '/v2/settlements',
    function: 'advocates',
    access: READ,
    throttle: { rate: 50, burst: 100 },
  },
} as const satisfies Record<string, Route>;
