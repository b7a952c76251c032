import Stripe from 'stripe';
import { parseCommissionRules } from '../../functions/kernel/accounts/rules/commission-rules.ts';
import { commissionRulesId } from '../../functions/kernel/accounts/rules/commission-rules-id.ts';
import type { Route } from '../../functions/kernel/http/route.ts';
import { REVISION } from '../../functions/mcp/rules/protocol.ts';
import { isOperationId, type OperationId, type OperationOf, ROUTES } from '../../functions/routes.ts';
import { anonymous, plain, post, UNKNOWN } from './builds.ts';
import { PEOPLE_REQUESTS } from './people-requests.ts';
import { type Build, ORIGIN, RECEIVER_URL, type Request, type World } from './world.ts';

const HOUR = 3_600_000;

const RECEIVER = `${RECEIVER_URL}/integrations`;
const EVENTS = ['referral.clicked', 'referral.converted', 'payment.recorded', 'application.pending'];
const gzip: Build = () => ({ headers: { 'accept-encoding': 'gzip' } });
const uncompressed: Build = () => ({ headers: { 'accept-encoding': 'identity' } });
const nobody: Build = ({ token }) => ({ token, path: { slug: 'nobody' } });
/** A request to the webhook that `createWebhook` created. */
const own =
  (request: (world: World) => Request = () => ({})): Build =>
  (world) => ({ token: world.token, path: { id: world.webhook }, ...request(world) });
const unknown: Build = ({ token }) => ({ token, path: { id: UNKNOWN } });
const hourAgo = () => new Date(Date.now() - HOUR).toISOString();

/** The requests to each route of `integrations`. Its program must have a converted referral. */
const INTEGRATION_REQUESTS: Record<OperationOf<'integrations'>, readonly Build[]> = {
  createWebhook: [post(() => ({ url: RECEIVER, events: EVENTS })), post(() => ({})), anonymous],
  listWebhooks: [plain, anonymous],
  getWebhook: [own(), unknown],
  updateWebhook: [
    own(() => ({ body: { url: `${RECEIVER}/moved`, include_email: true } })),
    own(() => ({ path: { id: UNKNOWN }, body: {} })),
  ],
  // The third secret removes the first one.
  rotateWebhookSecret: [own(), own(), unknown],
  testWebhook: [own(), unknown],
  listDeliveries: [own(), own(() => ({ query: 'per_page=1&succeeded_eq=true' })), own(() => ({ query: 'page=2' }))],
  resendEvent: [
    own(({ referral }) => ({ body: { event_id: `${referral}.1` } })),
    own(() => ({ body: { event_id: `${UNKNOWN}.1` } })),
  ],
  // They read the ledger and the applications as well, because of `EVENTS`.
  replayEvents: [own(() => ({ body: { since: hourAgo() } })), own(() => ({ body: { since: '2020-01-01T00:00:00Z' } }))],
  deleteWebhook: [own(), own(), unknown],
  getStripe: [plain, anonymous],
  disconnectStripe: [plain, plain],
  // The program needs its secret for the requests of other functions.
  connectStripe: [
    post(({ stripeSecret }) => ({ secret: stripeSecret })),
    post(() => ({ secret: 'whsec_c2Vjb25kIHNlY3JldA', on_refund: 'reject' })),
    post(() => ({})),
  ],
};

/** The id of a click; the digit makes several. */
export const clickId = (digit = 2) => `019a2b3c-4d5e-7f60-8a1b-2c3d4e5f607${digit}`;

const patch =
  (body: (world: World) => unknown): Build =>
  (world) => ({ token: world.token, path: { slug: world.slug }, body: body(world) });
const list =
  (query: string): Build =>
  ({ token, slug }) => ({ token, query: query.replace('SLUG', slug) });
const ownList =
  (query: string): Build =>
  ({ affiliateToken: token }) => ({ token, query });

/** A message of an assistant in the newest revision, with the headers that repeat it. */
const message = (method: string, params: { readonly name?: string; readonly arguments?: object } = {}): Build => {
  const headers = {
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(params.name && { 'mcp-name': params.name }),
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return post(() => ({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }), headers);
};
const toolCall = (name: string, given: object = {}) => message('tools/call', { name, arguments: given });

/** The rules of the group `creators`. */
const GROUP = [
  { amounts: { usd: 2000 }, payments: 1 },
  { percentage: 10, months: 12 },
];
const GROUP_ID = commissionRulesId(parseCommissionRules('commission_rules', GROUP));

/** The beginning of a PNG, which is all that the service reads of it. Text cannot contain its first byte. */
const PICTURE = '\x89PNG\r\n\x1a\n';

const FILTERS = [
  '',
  'state_eq=converted',
  'sub_id_eq=ads',
  'state_set_at_gt=2020-01-01T00:00:00Z&sub_id_eq=ads',
  'per_page=1',
];
const erase: Build = ({ token, run }) => ({ token, path: { slug: `erased-${run}` } });
const uid = ({ run }: World) => ({ uid: `u-${run}` });
const payment = ({ run }: World) => ({ payment_id: `in_${run}`, currency: 'usd' });
const click = ({ publicKey: pk, slug }: World) => ({ pk, gr_id: `${slug}.${clickId()}`, sub_id: 'ads' });
/** A conversion that reads and writes all that it can: a code, a click, a sub id, a uid and an idempotency record. */
const conversion =
  (key: string): Build =>
  ({ token, slug, run }) => {
    const customer = { email: `ana-${run}@shop.example`, uid: `u-${run}` };
    const body = { ...customer, gr_id: `${slug}.${clickId()}`, code: `code-${run}`, sub_id: 'ads' };
    return { token, body, headers: { 'idempotency-key': `${key}-${run}` } };
  };
const conversionV1 = post(({ slug, run }) => ({ email: `bob-${run}@shop.example`, gr_id: `${slug}.${clickId(5)}` }));

const invoice = ({ run }: World) => ({
  type: 'invoice.paid',
  object: { amount_paid: 2400, customer: `cus_${run}`, customer_email: `ana-${run}@shop.example` },
});
const promotionCode = ({ run, slug: affiliate_slug }: World) => ({
  type: 'promotion_code.created',
  object: { id: `promo_s_${run}`, code: `S-${run}`, metadata: { affiliate_slug } },
});

/** An event of Stripe, signed for a program. */
const stripeEvent =
  (ofProgram: (world: World) => string, secret?: string, of: typeof invoice | typeof promotionCode = invoice): Build =>
  (world) => {
    const { run, stripeSecret } = world;
    const { type, object } = of(world);
    const created = Math.floor(Date.now() / 1000);
    const event = { id: `evt_${type}_${run}`, object: 'event', type, created, data: { object } };
    const payload = JSON.stringify(event);
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: secret ?? stripeSecret });
    return { path: { program: ofProgram(world) }, body: payload, headers: { 'stripe-signature': signature } };
  };

/** The requests to each route, in the order in which they are sent. The compiler reports a route without any. */
export const REQUESTS: Record<OperationId, readonly Build[]> = {
  createAdvocate: [
    post(({ slug, run }) => ({ email: 'jane@example.com', first_name: 'Jane', slug, uid: `a-${run}` })),
    post(({ other, run }) => ({ email: 'joe@example.com', slug: other, uid: `b-${run}`, company: 'Joe & Söhne' })),
    post(({ slug, run }) => ({ email: 'jane@example.com', slug, uid: `c-${run}` })),
    post(({ run }) => ({ email: 'max@example.com', first_name: `Max ${run}` })),
    post(({ run }) => ({ email: 'eva@example.com', slug: `erased-${run}`, uid: `e-${run}` })),
    post(() => '{'),
    () => ({ token: 'rtp_unknown', body: {} }),
  ],
  getAdvocate: [({ token, slug }) => ({ token, path: { slug } }), nobody, ({ slug }) => ({ path: { slug } })],
  putGroup: [GROUP, GROUP.slice(0, 1).map(() => ({ percentage: 101 }))].map((commission_rules) => ({ token }) => ({
    token,
    path: { name: 'creators' },
    body: { commission_rules },
  })),
  listGroups: [plain],
  getCommissionRules: [GROUP_ID, '0123456789abcdef', 'none'].map((rules_id) => ({ token }) => ({
    token,
    path: { rules_id },
  })),
  updateAdvocate: [
    patch(() => ({ commission_percentage: 25, metadata: { tier: 'gold' } })),
    // Its referrals get the rules of its group.
    patch(({ run }) => ({ uid: `d-${run}`, commission_percentage: null, group: 'creators' })),
    patch(() => ({ group: 'nobody' })),
  ],
  putCode: ['SLUG', 'SLUG', 'OTHER', 'nobody'].map((owner) => ({ token, slug, other, run }) => ({
    token,
    path: { code: `Code-${run}` },
    body: {
      affiliate_slug: { SLUG: slug, OTHER: other }[owner] ?? owner,
      promotion_code_id: `promo_${run}`,
    },
  })),
  listCodes: [list('affiliate_slug=SLUG'), list('affiliate_slug=nobody'), list('')],
  eraseAdvocate: [erase, erase, nobody],
  createAdvocateToken: [patch(() => ({ expires_in: 3600 })), erase],
  revokeAdvocateTokens: [erase, nobody],
  getOwnCommissionRules: [({ affiliateToken: token }) => ({ token, path: { rules_id: GROUP_ID } })],
  listOwnCodes: [ownList(''), ownList('per_page=0')],
  listAdvocatesV2: [
    list('per_page=1'),
    list('page=0'),
    list('email_eq=jane@example.com'),
    list('active_eq=false'),
    list('search=jan'),
  ],
  listAdvocates: [list(''), ownList('')],
  // By default, Node accepts Brotli over HTTPS only, and the local service has no HTTPS.
  getScript: [gzip, uncompressed],
  getPortal: [gzip, uncompressed],
  getAccount: [gzip, uncompressed],
  getPortalScript: [gzip],
  getDashboard: [gzip],
  getLlmsText: [gzip],
  trackClick: [
    (world) => ({ body: click(world) }),
    (world) => ({ body: click(world), headers: { 'content-type': 'text/plain' } }),
    (world) => ({ body: { ...click(world), pk: 'pk_unknown' } }),
  ],
  trackConversionV2: [
    ...['first', 'first', 'second'].map(conversion),
    post(() => ({ gr_id: `nobody.${clickId()}`, email: 'zoe@shop.example' })),
    post(() => ({ code: 'nobody', email: 'zoe@shop.example' })),
    post(() => '<xml/>', { 'content-type': 'application/xml' }),
  ],
  setState: [post((world) => ({ ...uid(world), state: 'paid' })), post(() => ({ uid: 'nobody', state: 'paid' }))],
  // After the state of the older referral, so that lists have the same order whether or not a second passes between.
  trackConversionV1: [conversionV1, conversionV1],
  recordPayment: [
    ...[4900, 4900, 5000].map((amount) => post((world) => ({ ...uid(world), ...payment(world), amount }))),
    post((world) => ({ uid: 'nobody', ...payment(world), amount: 1 })),
  ],
  recordRefund: [
    ...[1200, 1200, 9000].map((amount) =>
      post(({ run }) => ({ payment_id: `in_${run}`, refund_id: `re_${run}`, amount })),
    ),
    post(() => ({ payment_id: 'nobody', refund_id: 're_2', amount: 1 })),
  ],
  voidPayment: ['Fraud', 'Fraud', 'Mistake'].map((note) => post(({ run }) => ({ payment_id: `in_${run}`, note }))),
  recordAdjustment: [25, 25, 30].map((commission) =>
    post(({ slug: affiliate_slug, run }) => ({
      affiliate_slug,
      adjustment_id: `a-${run}`,
      commission,
      currency: 'usd',
      note: 'Bonus',
    })),
  ),
  recordSettlement: [25, 25, 30].map((amount) =>
    post(({ slug: affiliate_slug, run }) => ({ affiliate_slug, settlement_id: `s-${run}`, amount, currency: 'usd' })),
  ),
  payOut: ['SLUG', 'nobody'].map((slug) =>
    post(({ slug: own, run }) => ({ run, currency: 'usd', slugs: [slug === 'SLUG' ? own : slug] })),
  ),
  listSettlements: [list(''), list('per_page=1')],
  listPayoutRuns: [list(''), list('created_at_gt=2020-01-01T00:00:00Z')],
  getPayoutFile: ['csv', 'sepa'].map((format) => ({ token, run }) => ({
    token,
    path: { run },
    query: `currency=usd&format=${format}`,
  })),
  lookUpReferral: [
    post(uid),
    post(({ run }) => ({ email: `ANA-${run}@shop.example` })),
    post(() => ({ uid: 'nobody' })),
    // Its events are sent again: nothing erases it.
    post(({ run }) => ({ email: `bob-${run}@shop.example` })),
  ],
  searchReferrals: [
    post(({ run }) => ({ text: `ANA-${run}` })),
    post(({ slug: text }) => ({ text })),
    post(() => ({})),
  ],
  explainCustomer: [
    post(uid),
    post((world) => ({ ...uid(world), affiliate_slug: world.other })),
    post(({ run }) => ({ payment_id: `in-${run}` })),
    post(() => ({ email: 'nobody@shop.example' })),
    post(() => ({})),
  ],
  reassignReferral: [
    post((world) => ({ ...uid(world), affiliate_slug: world.other })),
    post((world) => ({ ...uid(world), affiliate_slug: world.slug })),
    post((world) => ({ ...uid(world), affiliate_slug: 'nobody' })),
  ],
  listReferralsV2: [
    ...FILTERS.map((filter) => list(`affiliate_slug=SLUG&${filter}`)),
    ...FILTERS.map((filter) => list(filter)),
    list('flag_eq=self_referral'),
  ],
  countReferrals: ['month', 'year'].map((group) => list(`affiliate_slug=SLUG&group_by=${group}`)),
  countOwnReferrals: [ownList('group_by=sub_id'), list('')],
  listBalances: [list('currency=usd'), list('')],
  listOwnReferrals: [...FILTERS.map(ownList), list('')],
  listReferrals: [...FILTERS.map(ownList), list(''), () => ({})],
  getStatistics: ['2026-01', '2026-02'].map((month) => list(`from=${month}-28&to=2026-02-01&affiliate_slug=SLUG`)),
  getAffiliate: [({ affiliateToken: token }) => ({ token }), plain],
  getOwnStatistics: [ownList('from=2026-01-01&to=2026-01-31&group_by=month'), ownList('group_by=year')],
  listAdvocateStatistics: ['slugs=SLUG', 'slugs=SLUG,nobody', ''].map((choice) =>
    list(`from=2026-01-01&to=2026-01-31&${choice}`),
  ),
  listEntries: ['affiliate_slug=SLUG', 'affiliate_slug=nobody', 'affiliate_slug=SLUG&kind_eq=refund&per_page=1'].map(
    list,
  ),
  listOwnEntries: [ownList(''), ownList('kind_eq=none')],
  getStatements: ['affiliate_slug=SLUG&', ''].map((owner) => list(`${owner}month=2026-01`)),
  getOwnStatements: [ownList('from=2026-01&to=2026-03'), ownList('month=9999-12')],
  receiveStripeEvent: [
    stripeEvent(({ program }) => program),
    stripeEvent(({ program }) => program),
    stripeEvent(({ program }) => program, undefined, promotionCode),
    stripeEvent(({ program }) => program, 'whsec_wrong'),
    stripeEvent(({ stranger }) => stranger),
  ],
  eraseCustomer: [post(uid), post(uid)],
  callMcp: [
    // The tools of a program depend on events=on.
    async (world) => ({ ...(await message('tools/list')(world)), token: world.affiliateToken }),
    toolCall('getProgram'),
    toolCall('listAdvocatesV2', { email_eq: 'jane@example.com' }),
    toolCall('listBalances', { currency: 'usd' }),
    toolCall('none'),
    ({ affiliateToken: token }) => ({ token, body: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
    anonymous,
  ],
  openMcpStream: [plain, anonymous],
  getProgram: [plain, anonymous],
  updateProgram: [
    post(({ run }) => ({ name: `Acme ${run}` })),
    post(() => ({ commission_rules: GROUP, minimum_payout: { usd: 5000 }, payout_day: 5, accent: '#0b6e4f' })),
    ({ affiliateToken: token }) => ({ token, body: {} }),
  ],
  putLogo: [...[PICTURE, PICTURE, '<svg/>'].map((image) => post(() => ({ image: btoa(image) }))), anonymous],
  getLogo: [({ publicKey: pk }) => ({ path: { pk } }), () => ({ path: { pk: 'pk_unknown' } })],
  deleteLogo: [plain, plain],
  putResources: [post(() => ({ resources: [{ title: 'Banner', url: ORIGIN }] })), post(() => ({}))],
  getResources: [plain, anonymous],
  getOwnResources: [({ affiliateToken: token }) => ({ token }), plain],
  createProgramToken: [post(() => ({ scopes: ['read', 'track'], name: 'Shop', expires_in: 3600 }))],
  listTokens: [plain],
  revokeToken: [
    ({ token, programToken: id }) => ({ token, path: { id } }),
    ({ token, programToken: id }) => ({ token, path: { id } }),
    ({ token }) => ({ token, path: { id: 'none' } }),
  ],
  ...INTEGRATION_REQUESTS,
  ...PEOPLE_REQUESTS,
};

/** Lists the operations of some routes, in the order of their requests. */
export const operationsOf = (isWanted: (route: Route) => boolean): OperationId[] =>
  Object.keys(REQUESTS)
    .filter(isOperationId)
    .filter((operation) => isWanted(ROUTES[operation]));
