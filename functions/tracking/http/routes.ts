import type { Route } from '../../kernel/http/route.ts';

/** The routes that track what customers do. A deprecated route follows its successor. */
export const TRACKING_ROUTES = {
  trackConversionV2: {
    method: 'POST',
    path: '/v2/tracking/conversion',
    function: 'tracking',
    access: { token: 'program', scope: 'track', publicKey: true },
    throttle: { rate: 200, burst: 400 },
  },
  setState: {
    method: 'POST',
    path: '/v2/tracking/state',
    function: 'tracking',
    access: { token: 'program', scope: 'track' },
    throttle: { rate: 200, burst: 400 },
  },
  reassignReferral: {
    method: 'POST',
    path: '/v2/tracking/reassign',
    function: 'tracking',
    access: { token: 'program', scope: 'track' },
    throttle: { rate: 50, burst: 100 },
  },
  eraseCustomer: {
    method: 'POST',
    path: '/v2/tracking/erase',
    function: 'tracking',
    access: { token: 'program', scope: 'track' },
    throttle: { rate: 50, burst: 100 },
  },
  trackClick: {
    method: 'POST',
    path: '/v2/tracking/click',
    function: 'tracking',
    access: 'anyone',
    plainText: true,
    throttle: { rate: 200, burst: 400 },
    throttleSetting: 'clicksPerSecond',
  },
  trackConversionV1: {
    method: 'POST',
    path: '/v1/tracking/conversion',
    function: 'tracking',
    access: { token: 'program', scope: 'track' },
    throttle: { rate: 200, burst: 400 },
    deprecated: { since: 1_767_225_600, successor: '/v2/tracking/conversion' },
  },
} as const satisfies Record<string, Route>;
