import { type Options, type ReferralTracking, referralTracking } from '../../../client/src/client.ts';

export const TOKEN = 'rtp_0123456789';
export const GR_ID = 'jane-doe.019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071';

/** What happens to a request: a response arrives, or `fetch` rejects. */
export type Outcome = Response | Error | ((request: Request) => Promise<Response>);

/** A JSON response. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });
/** The service's 503. */
export const unavailable = (headers: Record<string, string> = {}) =>
  json(503, { error: 'The service is busy' }, { 'x-error-code': 'unavailable', 'x-request-id': 'r-1', ...headers });
/** The error of Node's `fetch` if a connection breaks. */
export const lost = () =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('read'), { code: 'ECONNRESET' }) });

/** Options whose requests have these outcomes, in order, and the requests and pauses so far. Pauses take no time. */
export function someOptions(outcomes: readonly Outcome[], changes: Partial<Options> = {}) {
  const requests: Request[] = [];
  const pauses: number[] = [];
  const queue = [...outcomes];
  const options: Options = {
    baseUrl: 'https://api.example.com',
    token: TOKEN,
    fetch: async (request) => {
      requests.push(request.clone());
      const outcome = queue.shift() ?? json(200, { data: [] });
      if (typeof outcome === 'function') return outcome(request);
      if (outcome instanceof Response) return outcome;
      throw outcome;
    },
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
    },
    ...changes,
  };
  return { options, requests, pauses };
}

/** A client with such options. */
export function aClient(outcomes: readonly Outcome[], changes: Partial<Options> = {}) {
  const { options, ...seen } = someOptions(outcomes, changes);
  return { client: referralTracking(options), ...seen };
}

/** The error of a request; `undefined` if it succeeds. */
export const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

/** Never responds, but rejects as `fetch` does if its signal is aborted. */
export const silence = ({ signal }: Request) =>
  new Promise<Response>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });

/** A route, and a request to it that a service would accept. */
type RouteCall = [route: string, call: (client: ReferralTracking) => Promise<unknown>];
/** Calls that get an idempotency key. */
export const CONVERSIONS: RouteCall[] = [
  [
    'POST /v1/tracking/conversion',
    ({ POST }) => POST('/v1/tracking/conversion', { body: { email: 'a@shop.example', gr_id: GR_ID } }),
  ],
  ['POST /v2/tracking/conversion', ({ POST }) => POST('/v2/tracking/conversion', { body: { uid: '1', gr_id: GR_ID } })],
];
const SLUG = { params: { path: { slug: 'jane-doe' } } };
const ID = { params: { path: { id: '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071' } } };
const APPLICATION = { params: { path: { application: ID.params.path.id } } };
const RULES = { params: { path: { rules_id: '3f1c0a9b7e5d2846' } } };
const AFFILIATE = { params: { query: { affiliate_slug: 'jane-doe' } } };
const MONEY = { amount: 100, currency: 'usd' };
/** Calls that are repeated even if the service may have carried them out. */
export const REPEATED: RouteCall[] = [
  ...CONVERSIONS,
  ['POST /v2/tracking/state', ({ POST }) => POST('/v2/tracking/state', { body: { uid: '1', state: 'paid' } })],
  ['POST /v2/tracking/click', ({ POST }) => POST('/v2/tracking/click', { body: { pk: 'pk_1', gr_id: GR_ID } })],
  [
    'POST /v2/tracking/reassign',
    ({ POST }) => POST('/v2/tracking/reassign', { body: { uid: '1', affiliate_slug: 'jane-doe' } }),
  ],
  ['POST /v2/payments', ({ POST }) => POST('/v2/payments', { body: { uid: '1', payment_id: 'in_1', ...MONEY } })],
  [
    'POST /v2/refunds',
    ({ POST }) => POST('/v2/refunds', { body: { payment_id: 'in_1', refund_id: 're_1', amount: 100 } }),
  ],
  ['POST /v2/payments/void', ({ POST }) => POST('/v2/payments/void', { body: { payment_id: 'in_1', note: 'Fraud' } })],
  [
    'POST /v2/adjustments',
    ({ POST }) =>
      POST('/v2/adjustments', {
        body: { affiliate_slug: 'jane-doe', adjustment_id: 'a', commission: 5, currency: 'usd', note: 'Bonus' },
      }),
  ],
  [
    'POST /v2/settlements',
    ({ POST }) => POST('/v2/settlements', { body: { affiliate_slug: 'jane-doe', settlement_id: 's', ...MONEY } }),
  ],
  [
    'POST /v2/payout-runs',
    ({ POST }) => POST('/v2/payout-runs', { body: { run: '2026-10', currency: 'usd', slugs: ['jane-doe'] } }),
  ],
  ['GET /v2/settlements', ({ GET }) => GET('/v2/settlements')],
  ['GET /v2/payout-runs', ({ GET }) => GET('/v2/payout-runs')],
  [
    'GET /v2/payout-runs/{run}/file',
    ({ GET }) =>
      GET('/v2/payout-runs/{run}/file', {
        params: { path: { run: '2026-10' }, query: { currency: 'usd', format: 'csv' } },
      }),
  ],
  ['POST /v2/referrals/lookup', ({ POST }) => POST('/v2/referrals/lookup', { body: { uid: '1' } })],
  ['POST /v2/referrals/search', ({ POST }) => POST('/v2/referrals/search', { body: { text: 'ana' } })],
  ['POST /v2/referrals/explain', ({ POST }) => POST('/v2/referrals/explain', { body: { uid: '1' } })],
  ['PATCH /v2/advocates/{slug}', ({ PATCH }) => PATCH('/v2/advocates/{slug}', { ...SLUG, body: { uid: '1' } })],
  ['GET /v2/advocates/{slug}', ({ GET }) => GET('/v2/advocates/{slug}', SLUG)],
  ['POST /v2/advocates/{slug}/erase', ({ POST }) => POST('/v2/advocates/{slug}/erase', SLUG)],
  ['PATCH /v2/affiliate', ({ PATCH }) => PATCH('/v2/affiliate', { body: { first_name: 'Jane' } })],
  ['DELETE /v2/session', ({ DELETE }) => DELETE('/v2/session')],
  ['GET /v2/members', ({ GET }) => GET('/v2/members')],
  ['POST /v2/members', ({ POST }) => POST('/v2/members', { body: { email: 'a@b.example', scopes: ['read'] } })],
  ['PATCH /v2/members/{id}', ({ PATCH }) => PATCH('/v2/members/{id}', { ...ID, body: { name: 'Sam' } })],
  ['DELETE /v2/members/{id}', ({ DELETE }) => DELETE('/v2/members/{id}', ID)],
  ['GET /v2/program/people', ({ GET }) => GET('/v2/program/people')],
  ['PATCH /v2/program/people', ({ PATCH }) => PATCH('/v2/program/people', { body: { emails_off: [] } })],
  ['POST /v2/program/people/preview', ({ POST }) => POST('/v2/program/people/preview', { body: { kind: 'paying' } })],
  ['POST /v2/people/erase', ({ POST }) => POST('/v2/people/erase', { body: { email: 'a@b.example' } })],
  ['GET /v2/apply/{pk}', ({ GET }) => GET('/v2/apply/{pk}', { params: { path: { pk: 'pk_1' } } })],
  ['POST /v2/applications/lookup', ({ POST }) => POST('/v2/applications/lookup', { body: { code: 'x' } })],
  ['POST /v2/applications/confirm', ({ POST }) => POST('/v2/applications/confirm', { body: { code: 'x' } })],
  ['GET /v2/applications', ({ GET }) => GET('/v2/applications')],
  [
    'POST /v2/applications/{application}/approve',
    ({ POST }) => POST('/v2/applications/{application}/approve', APPLICATION),
  ],
  [
    'POST /v2/applications/{application}/reject',
    ({ POST }) => POST('/v2/applications/{application}/reject', APPLICATION),
  ],
  ['POST /v2/advocates/{slug}/invite', ({ POST }) => POST('/v2/advocates/{slug}/invite', SLUG)],
  ['GET /v2/affiliate', ({ GET }) => GET('/v2/affiliate')],
  ['GET /v2/program', ({ GET }) => GET('/v2/program')],
  ['PATCH /v2/program', ({ PATCH }) => PATCH('/v2/program', { body: { name: 'Shop' } })],
  ['PUT /v2/program/logo', ({ PUT }) => PUT('/v2/program/logo', { body: { image: 'iVBORw0KGgo=' } })],
  ['DELETE /v2/program/logo', ({ DELETE }) => DELETE('/v2/program/logo')],
  [
    'PUT /v2/program/resources',
    ({ PUT }) =>
      PUT('/v2/program/resources', { body: { resources: [{ title: 'Banner', url: 'https://shop.example/' }] } }),
  ],
  ['GET /v2/program/resources', ({ GET }) => GET('/v2/program/resources')],
  ['GET /v2/affiliate/resources', ({ GET }) => GET('/v2/affiliate/resources')],
  ['GET /v2/tokens', ({ GET }) => GET('/v2/tokens')],
  ['DELETE /v2/advocates/{slug}/tokens', ({ DELETE }) => DELETE('/v2/advocates/{slug}/tokens', SLUG)],
  ['DELETE /v2/tokens/{id}', ({ DELETE }) => DELETE('/v2/tokens/{id}', { params: { path: { id: 'x' } } })],
  ['GET /v2/advocates', ({ GET }) => GET('/v2/advocates')],
  ['GET /v2/referrals', ({ GET }) => GET('/v2/referrals', AFFILIATE)],
  ['GET /v2/referrals/counts', ({ GET }) => GET('/v2/referrals/counts', AFFILIATE)],
  ['GET /v2/affiliate/referrals/counts', ({ GET }) => GET('/v2/affiliate/referrals/counts')],
  ['GET /v2/groups', ({ GET }) => GET('/v2/groups')],
  [
    'PUT /v2/groups/{name}',
    ({ PUT }) =>
      PUT('/v2/groups/{name}', { params: { path: { name: 'partners' } }, body: { commission_percentage: 25 } }),
  ],
  ['GET /v2/commission-rules/{rules_id}', ({ GET }) => GET('/v2/commission-rules/{rules_id}', RULES)],
  [
    'GET /v2/affiliate/commission-rules/{rules_id}',
    ({ GET }) => GET('/v2/affiliate/commission-rules/{rules_id}', RULES),
  ],
  ['GET /v2/codes', ({ GET }) => GET('/v2/codes')],
  [
    'PUT /v2/codes/{code}',
    ({ PUT }) =>
      PUT('/v2/codes/{code}', { params: { path: { code: 'JANE20' } }, body: { affiliate_slug: 'jane-doe' } }),
  ],
  ['GET /v2/affiliate/codes', ({ GET }) => GET('/v2/affiliate/codes')],
  ['GET /v2/webhooks', ({ GET }) => GET('/v2/webhooks')],
  ['GET /v2/webhooks/{id}', ({ GET }) => GET('/v2/webhooks/{id}', ID)],
  ['PATCH /v2/webhooks/{id}', ({ PATCH }) => PATCH('/v2/webhooks/{id}', { ...ID, body: { enabled: true } })],
  ['DELETE /v2/webhooks/{id}', ({ DELETE }) => DELETE('/v2/webhooks/{id}', ID)],
  ['POST /v2/webhooks/{id}/test', ({ POST }) => POST('/v2/webhooks/{id}/test', ID)],
  ['GET /v2/webhooks/{id}/deliveries', ({ GET }) => GET('/v2/webhooks/{id}/deliveries', ID)],
  [
    'POST /v2/webhooks/{id}/resend',
    ({ POST }) => POST('/v2/webhooks/{id}/resend', { ...ID, body: { event_id: `${ID.params.path.id}.1` } }),
  ],
  [
    'POST /v2/webhooks/{id}/replay',
    ({ POST }) => POST('/v2/webhooks/{id}/replay', { ...ID, body: { since: '2026-01-01T00:00:00Z' } }),
  ],
  ['GET /v2/integrations/stripe', ({ GET }) => GET('/v2/integrations/stripe')],
  ['PUT /v2/integrations/stripe', ({ PUT }) => PUT('/v2/integrations/stripe', { body: { on_refund: 'reject' } })],
  ['DELETE /v2/integrations/stripe', ({ DELETE }) => DELETE('/v2/integrations/stripe')],
  ['GET /v2/statistics', ({ GET }) => GET('/v2/statistics')],
  ['GET /v2/affiliate/statistics', ({ GET }) => GET('/v2/affiliate/statistics')],
  ['GET /v2/statistics/advocates', ({ GET }) => GET('/v2/statistics/advocates')],
  ['GET /v2/ledger', ({ GET }) => GET('/v2/ledger', AFFILIATE)],
  ['GET /v2/affiliate/ledger', ({ GET }) => GET('/v2/affiliate/ledger')],
  ['GET /v2/affiliate/referrals', ({ GET }) => GET('/v2/affiliate/referrals')],
  ['GET /v2/balances', ({ GET }) => GET('/v2/balances')],
  [
    'GET /v2/statements',
    ({ GET }) => GET('/v2/statements', { params: { query: { month: '2026-01', affiliate_slug: 'jane-doe' } } }),
  ],
  [
    'GET /v2/affiliate/statements',
    ({ GET }) => GET('/v2/affiliate/statements', { params: { query: { month: '2026-01' } } }),
  ],
  ['POST /mcp', ({ POST }) => POST('/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })],
  ['GET /mcp', ({ GET }) => GET('/mcp')],
  ['GET /v1/advocates', ({ GET }) => GET('/v1/advocates')],
  ['GET /v1/affiliate/referrals', ({ GET }) => GET('/v1/affiliate/referrals')],
];
/** Calls that are not, because the repetition would do or return something else. */
export const NOT_REPEATED: RouteCall[] = [
  ['POST /v2/advocates', ({ POST }) => POST('/v2/advocates', { body: { email: 'jane@example.com', uid: '1' } })],
  ['POST /v2/advocates/{slug}/tokens', ({ POST }) => POST('/v2/advocates/{slug}/tokens', SLUG)],
  [
    'POST /v2/sign-in',
    ({ POST }) => POST('/v2/sign-in', { body: { pk: 'pk_1', email: 'a@b.example', page: 'portal' } }),
  ],
  ['POST /v2/session', ({ POST }) => POST('/v2/session', { body: { code: 'x' } })],
  ['POST /v2/payout-account/undo', ({ POST }) => POST('/v2/payout-account/undo', { body: { code: 'x' } })],
  ['POST /v2/applications', ({ POST }) => POST('/v2/applications', { body: { pk: 'pk_1', email: 'a@b.example' } })],
  ['POST /v2/tokens', ({ POST }) => POST('/v2/tokens', { body: { scopes: ['read'] } })],
  ['POST /v2/webhooks', ({ POST }) => POST('/v2/webhooks', { body: { url: 'https://shop.example/' } })],
  ['POST /v2/webhooks/{id}/rotate', ({ POST }) => POST('/v2/webhooks/{id}/rotate', ID)],
  ['POST /v2/tracking/erase', ({ POST }) => POST('/v2/tracking/erase', { body: { uid: '1' } })],
];
