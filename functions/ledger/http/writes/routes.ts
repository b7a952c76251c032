import type { Route } from '../../../kernel/http/route.ts';

const TRACK = { token: 'program', scope: 'track' } as const;
const PAYOUTS = { token: 'program', scope: 'payouts' } as const;

/** The routes that write entries of the ledger. */
export const LEDGER_WRITE_ROUTES = {
  recordPayment: {
    method: 'POST',
    path: '/v2/payments',
    function: 'tracking',
    access: TRACK,
    throttle: { rate: 200, burst: 400 },
  },
  recordRefund: {
    method: 'POST',
    path: '/v2/refunds',
    function: 'tracking',
    access: TRACK,
    throttle: { rate: 100, burst: 200 },
  },
  voidPayment: {
    method: 'POST',
    path: '/v2/payments/void',
    function: 'tracking',
    access: PAYOUTS,
    throttle: { rate: 50, burst: 100 },
  },
  recordAdjustment: {
    method: 'POST',
    path: '/v2/adjustments',
    function: 'tracking',
    access: PAYOUTS,
    throttle: { rate: 50, burst: 100 },
  },
  recordSettlement: {
    method: 'POST',
    path: '/v2/settlements',
    function: 'tracking',
    access: PAYOUTS,
    throttle: { rate: 50, burst: 100 },
  },
} as const satisfies Record<string, Route>;
