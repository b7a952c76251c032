import { type Route, SECRET_WRITES } from '../../kernel/http/route.ts';

const READ = { token: 'program', scope: 'read' } as const;
const ADMIN = { token: 'program', scope: 'admin' } as const;

/** The routes of webhooks. */
export const WEBHOOK_ROUTES = {
  listWebhooks: {
    method: 'GET',
    path: '/v2/webhooks',
    function: 'integrations',
    access: READ,
    throttle: { rate: 50, burst: 100 },
  },
  createWebhook: {
    method: 'POST',
    path: '/v2/webhooks',
    function: 'integrations',
    access: ADMIN,
    throttle: SECRET_WRITES,
  },
  getWebhook: {
    method: 'GET',
    path: '/v2/webhooks/{id}',
    function: 'integrations',
    access: READ,
    throttle: { rate: 50, burst: 100 },
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/v2/webhooks/{id}',
    function: 'integrations',
    access: ADMIN,
    throttle: { rate: 10, burst: 20 },
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v2/webhooks/{id}',
    function: 'integrations',
    access: ADMIN,
    throttle: SECRET_WRITES,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/v2/webhooks/{id}/rotate',
    function: 'integrations',
    access: ADMIN,
    ignoresBody: true,
    throttle: SECRET_WRITES,
  },
  testWebhook: {
    method: 'POST',
    path: '/v2/webhooks/{id}/test',
    function: 'integrations',
    access: ADMIN,
    ignoresBody: true,
    throttle: { rate: 5, burst: 10 },
  },
  listDeliveries: {
    method: 'GET',
    path: '/v2/webhooks/{id}/deliveries',
    function: 'integrations',
    access: READ,
    throttle: { rate: 20, burst: 40 },
  },
  resendEvent: {
    method: 'POST',
    path: '/v2/webhooks/{id}/resend',
    function: 'integrations',
    access: ADMIN,
    throttle: { rate: 20, burst: 40 },
  },
  replayEvents: {
    method: 'POST',
    path: '/v2/webhooks/{id}/replay',
    function: 'integrations',
    access: ADMIN,
    throttle: { rate: 2, burst: 4 },
  },
} as const satisfies Record<string, Route>;
