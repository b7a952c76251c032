import type { OperationOf } from '../../functions/routes.ts';
import { type Build, RECEIVER_URL, type Request, type World } from './world.ts';

const UNKNOWN = '019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6078';
const HOUR = 3_600_000;

const RECEIVER = `${RECEIVER_URL}/integrations`;
const plain: Build = ({ token }) => ({ token });
const anonymous: Build = () => ({});
const send =
  (body: (world: World) => unknown): Build =>
  (world) => ({ token: world.token, body: body(world) });
/** A request to the webhook that `createWebhook` created. */
const own =
  (request: (world: World) => Request = () => ({})): Build =>
  (world) => ({ token: world.token, path: { id: world.webhook }, ...request(world) });
const unknown: Build = ({ token }) => ({ token, path: { id: UNKNOWN } });
const hourAgo = () => new Date(Date.now() - HOUR).toISOString();

/** The requests to each route of `integrations`. Its program must have a converted referral. */
export const INTEGRATION_REQUESTS: Record<OperationOf<'integrations'>, readonly Build[]> = {
  createWebhook: [
    send(() => ({ url: RECEIVER, events: ['referral.clicked', 'referral.converted', 'payment.recorded'] })),
    send(() => ({ url: 'https://10.0.0.1/' })),
    send(() => ({})),
    anonymous,
  ],
  listWebhooks: [plain, anonymous],
  getWebhook: [own(), unknown],
  updateWebhook: [
    own(() => ({ body: { url: `${RECEIVER}/moved`, include_email: true } })),
    own(() => ({ body: { events: [] } })),
    own(() => ({ path: { id: UNKNOWN }, body: {} })),
  ],
  // The third secret removes the first one.
  rotateWebhookSecret: [own(), own(), unknown],
  testWebhook: [own(), unknown],
  listDeliveries: [own(), own(() => ({ query: 'per_page=1&succeeded_eq=true' })), own(() => ({ query: 'page=2' }))],
  resendEvent: [
    own(({ referral }) => ({ body: { event_id: `${referral}.1` } })),
    own(() => ({ body: { event_id: `${UNKNOWN}.1` } })),
    own(() => ({ body: { event_id: 'none' } })),
  ],
  // They read the ledger as well, because of `payment.recorded`.
  replayEvents: [
    own(() => ({ body: { since: hourAgo() } })),
    own(() => ({ body: { since: '2020-01-01T00:00:00Z' } })),
    own(() => ({ body: {} })),
  ],
  deleteWebhook: [own(), own(), unknown],
  getStripe: [plain, anonymous],
  disconnectStripe: [plain, plain],
  // The program needs its secret for the requests of other functions.
  connectStripe: [
    send(({ stripeSecret }) => ({ secret: stripeSecret })),
    send(() => ({ secret: 'whsec_c2Vjb25kIHNlY3JldA', on_refund: 'reject' })),
    send(() => ({ on_refund: 'ignore' })),
    send(() => ({})),
  ],
};
