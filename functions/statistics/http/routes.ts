import type { Route } from '../../kernel/http/route.ts';

/** The routes of statistics. */
export const STATISTICS_ROUTES = {
  getStatistics: {
    method: 'GET',
    path: '/v2/statistics',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 50, burst: 100 },
  },
  getOwnStatistics: {
    method: 'GET',
    path: '/v2/affiliate/statistics',
    function: 'referrals',
    access: { token: 'affiliate' },
    throttle: { rate: 50, burst: 100 },
  },
  listAdvocateStatistics: {
    method: 'GET',
    path: '/v2/statistics/advocates',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 10, burst: 20 },
  },
} as const satisfies Record<string, Route>;
