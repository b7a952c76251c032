import type { Route } from '../../kernel/http/route.ts';

/** The routes of advocates and their tokens. A deprecated route follows its successor. */
export const ADVOCATE_ROUTES = {
  listAdvocatesV2: {
    method: 'GET',
    path: '/v2/advocates',
    function: 'advocates',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 50, burst: 100 },
  },
  createAdvocate: {
    method: 'POST',
    path: '/v2/advocates',
    function: 'advocates',
    access: { token: 'program', scope: 'advocates' },
    throttle: { rate: 50, burst: 100 },
  },
  getAdvocate: {
    method: 'GET',
    path: '/v2/advocates/{slug}',
    function: 'advocates',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 100, burst: 200 },
  },
  updateAdvocate: {
    method: 'PATCH',
    path: '/v2/advocates/{slug}',
    function: 'advocates',
    access: { token: 'program', scope: 'advocates' },
    throttle: { rate: 50, burst: 100 },
  },
  eraseAdvocate: {
    method: 'POST',
    path: '/v2/advocates/{slug}/erase',
    function: 'advocates',
    access: { token: 'program', scope: 'advocates' },
    ignoresBody: true,
    throttle: { rate: 50, burst: 100 },
  },
  createAdvocateToken: {
    method: 'POST',
    path: '/v2/advocates/{slug}/tokens',
    function: 'advocates',
    access: { token: 'program', scope: 'advocates' },
    optionalBody: true,
    throttle: { rate: 100, burst: 200 },
  },
  revokeAdvocateTokens: {
    method: 'DELETE',
    path: '/v2/advocates/{slug}/tokens',
    function: 'advocates',
    access: { token: 'program', scope: 'advocates' },
    throttle: { rate: 50, burst: 100 },
  },
  getAffiliate: {
    method: 'GET',
    path: '/v2/affiliate',
    function: 'advocates',
    access: { token: 'affiliate' },
    throttle: { rate: 50, burst: 100 },
  },
  listAdvocates: {
    method: 'GET',
    path: '/v1/advocates',
    function: 'advocates',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 50, burst: 100 },
  },
} as const satisfies Record<string, Route>;
