import type { Route } from '../../kernel/http/route.ts';

/** The routes of promotion codes. */
export const CODE_ROUTES = {
  putCode: {
    method: 'PUT',
    path: '/v2/codes/{code}',
    function: 'advocates',
    access: { token: 'program', scope: 'advocates' },
    throttle: { rate: 20, burst: 40 },
  },
  listCodes: {
    method: 'GET',
    path: '/v2/codes',
    function: 'advocates',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 50, burst: 100 },
  },
  listOwnCodes: {
    method: 'GET',
    path: '/v2/affiliate/codes',
    function: 'advocates',
    access: { token: 'affiliate' },
    throttle: { rate: 50, burst: 100 },
  },
} as const satisfies Record<string, Route>;
