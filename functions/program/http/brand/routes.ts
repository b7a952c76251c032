import type { Route } from '../../../kernel/http/route.ts';

const OWN = { function: 'advocates', throttle: { rate: 50, burst: 100 } } as const;
/** Large items: merchants seldom write them. */
const SELDOM = { ...OWN, throttle: { rate: 10, burst: 20 } } as const;
const ADMIN = { token: 'program', scope: 'admin' } as const;

/** The routes of what a program shows its advocates. */
export const BRAND_ROUTES = {
  putLogo: { method: 'PUT', path: '/v2/program/logo', access: ADMIN, largeBody: true, ...SELDOM },
  // Anyone can request the largest picture again and again.
  getLogo: { method: 'GET', path: '/v2/logo/{pk}', access: 'anyone', ...OWN, throttle: { rate: 20, burst: 40 } },
  deleteLogo: { method: 'DELETE', path: '/v2/program/logo', access: ADMIN, ...SELDOM },
  putResources: { method: 'PUT', path: '/v2/program/resources', access: ADMIN, largeBody: true, ...SELDOM },
  getResources: {
    method: 'GET',
    path: '/v2/program/resources',
    access: { token: 'program', scope: 'read' },
    ...OWN,
  },
  getOwnResources: { method: 'GET', path: '/v2/affiliate/resources', access: { token: 'affiliate' }, ...OWN },
} as const satisfies Record<string, Route>;
