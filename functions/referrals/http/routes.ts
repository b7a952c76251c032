import type { Route } from '../../kernel/http/route.ts';

/** The routes that list, find and count referrals. A deprecated route follows its successor. */
export const REFERRAL_ROUTES = {
  listReferralsV2: {
    method: 'GET',
    path: '/v2/referrals',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 100, burst: 200 },
  },
  lookUpReferral: {
    method: 'POST',
    path: '/v2/referrals/lookup',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 200, burst: 400 },
  },
  searchReferrals: {
    method: 'POST',
    path: '/v2/referrals/search',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 20, burst: 40 },
  },
  countReferrals: {
    method: 'GET',
    path: '/v2/referrals/counts',
    function: 'referrals',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 20, burst: 40 },
  },
  countOwnReferrals: {
    method: 'GET',
    path: '/v2/affiliate/referrals/counts',
    function: 'referrals',
    access: { token: 'affiliate' },
    throttle: { rate: 20, burst: 40 },
  },
  listOwnReferrals: {
    method: 'GET',
    path: '/v2/affiliate/referrals',
    function: 'referrals',
    access: { token: 'affiliate' },
    throttle: { rate: 100, burst: 200 },
  },
  listReferrals: {
    method: 'GET',
    path: '/v1/affiliate/referrals',
    function: 'referrals',
    access: { token: 'affiliate' },
    throttle: { rate: 100, burst: 200 },
  },
} as const satisfies Record<string, Route>;
