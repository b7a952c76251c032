import type { Route } from '../../kernel/http/route.ts';

/** The routes of groups, and of the rules that programs and groups name. */
export const TERMS_ROUTES = {
  putGroup: {
    method: 'PUT',
    path: '/v2/groups/{name}',
    function: 'advocates',
    optionalBody: true,
    access: { token: 'program', scope: 'admin' },
    throttle: { rate: 20, burst: 40 },
  },
  listGroups: {
    method: 'GET',
    path: '/v2/groups',
    function: 'advocates',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 50, burst: 100 },
  },
  getCommissionRules: {
    method: 'GET',
    path: '/v2/commission-rules/{rules_id}',
    function: 'advocates',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 50, burst: 100 },
  },
  getOwnCommissionRules: {
    method: 'GET',
    path: '/v2/affiliate/commission-rules/{rules_id}',
    function: 'advocates',
    access: { token: 'affiliate' },
    throttle: { rate: 50, burst: 100 },
  },
} as const satisfies Record<string, Route>;
