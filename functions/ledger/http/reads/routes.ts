import type { Route } from '../../../kernel/http/route.ts';

/** The routes that read the ledger. */
export const LEDGER_READ_ROUTES = {
  listEntries: {
    method: 'GET',
    path: '/v2/ledger',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 100, burst: 200 },
  },
  listOwnEntries: {
    method: 'GET',
    path: '/v2/affiliate/ledger',
    function: 'referrals',
    access: { token: 'affiliate' },
    throttle: { rate: 100, burst: 200 },
  },
  getStatements: {
    method: 'GET',
    path: '/v2/statements',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 20, burst: 40 },
  },
  getOwnStatements: {
    method: 'GET',
    path: '/v2/affiliate/statements',
    function: 'referrals',
    access: { token: 'affiliate' },
    throttle: { rate: 50, burst: 100 },
  },
} as const satisfies Record<string, Route>;
