import type { Route } from '../../kernel/http/route.ts';

/** The routes of the program and its tokens. */
export const PROGRAM_ROUTES = {
  getProgram: {
    method: 'GET',
    path: '/v2/program',
    function: 'advocates',
    access: { token: 'program', scope: 'read' },
    throttle: { rate: 50, burst: 100 },
  },
  updateProgram: {
    method: 'PATCH',
    path: '/v2/program',
    function: 'advocates',
    access: { token: 'program', scope: 'admin', orScope: 'payouts' },
    throttle: { rate: 20, burst: 40 },
  },
  listTokens: {
    method: 'GET',
    path: '/v2/tokens',
    function: 'advocates',
    access: { token: 'program', scope: 'admin' },
    throttle: { rate: 20, burst: 40 },
  },
  createProgramToken: {
    method: 'POST',
    path: '/v2/tokens',
    function: 'advocates',
    access: { token: 'program', scope: 'admin' },
    throttle: { rate: 20, burst: 40 },
  },
  revokeToken: {
    method: 'DELETE',
    path: '/v2/tokens/{id}',
    function: 'advocates',
    access: { token: 'program', scope: 'admin' },
    throttle: { rate: 20, burst: 40 },
  },
} as const satisfies Record<string, Route>;
