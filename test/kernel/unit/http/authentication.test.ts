import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../../functions/kernel/accounts/rules/caller.ts';
import { listsOrigin } from '../../../../functions/kernel/accounts/rules/program.ts';
import { newToken, SCOPES, type Scope } from '../../../../functions/kernel/accounts/rules/token.ts';
import type { HttpEvent, HttpResult } from '../../../../functions/kernel/http/context.ts';
import type { Route } from '../../../../functions/kernel/http/route.ts';
import { isOperationId, type OperationId, ROUTES } from '../../../../functions/routes.ts';
import { httpEvent, NOW, program, REFERRAL_ID } from '../../../support/samples.ts';
import { AFFILIATE_CALLER, callStack, PROGRAM_CALLER } from './stack.ts';

const tokens = { good: PROGRAM_CALLER, affiliate: AFFILIATE_CALLER };

function withHeader(authorization: string | undefined): Promise<HttpResult> {
  const headers = authorization === undefined ? {} : { authorization };
  return callStack(httpEvent({ headers, body: '{}' }), { tokens });
}

const UNAUTHORIZED = {
  statusCode: 401,
  body: '{"error":"The access token is missing or not valid: send the header Authorization: Bearer <token>"}',
  headers: { 'www-authenticate': 'Bearer', 'x-error-code': 'unauthorized' },
};

describe('the Authorization header', () => {
  test.each(['Bearer good', 'bearer good', 'BEARER good', 'bEaReR   good'])(
    'the header %p is accepted',
    async (header) => {
      expect((await withHeader(header)).statusCode).toBe(200);
    },
  );

  test.each([undefined, 'Bearer ', 'Bearer bad', 'Bearer good,Bearer good', 'Bearer\tgood', 'Bearer __proto__'])(
    'the header %p returns the same 401',
    async (header) => {
      expect(await withHeader(header)).toMatchObject(UNAUTHORIZED);
    },
  );
});

const listing = { ...program, allowedOrigins: ['https://www.acme.example', 'http://localhost:3000'] };
const ORIGIN = { origin: 'https://www.acme.example' };

/** Sends an event to a route whose handler returns the caller that the stack found. */
function callerOf(event: Partial<HttpEvent>, route: Exclude<OperationId, 'receiveStripeEvent'> = 'trackConversionV2') {
  return callStack(httpEvent(event), {
    route: ROUTES[route],
    tokens: { good: PROGRAM_CALLER, affiliate: AFFILIATE_CALLER },
    programs: { pk_1: listing },
    handle: (_input: unknown, _deadline: number, caller: Caller) => ({
      statusCode: 200,
      body: JSON.stringify(caller),
    }),
  });
}
const WITH_KEY = '{"pk":"pk_1"}';
const FORBIDDEN =
  "Origin is not one of the program's allowed origins: allow it, or report the conversion from your server";
const NO_CALLER =
  'Authorization is missing, and pk is not the public key of a program: send an access token or a valid pk';

describe('routes for a program or its pages', () => {
  test('the route identifies a page by the public key in the body', async () => {
    const { statusCode, body } = await callerOf({ headers: ORIGIN, body: WITH_KEY });
    expect(statusCode).toBe(200);
    expect(JSON.parse(body ?? '')).toEqual({ kind: 'page', program: listing });
  });

  test('the route identifies a program by its token, and then ignores pk and origin', async () => {
    const headers = { authorization: 'Bearer good', origin: 'https://other.example' };
    for (const sent of [WITH_KEY, '{"pk":"pk_2"}', '{"pk":7}', '{}']) {
      const { body } = await callerOf({ headers, body: sent });
      expect(JSON.parse(body ?? '')).toEqual(PROGRAM_CALLER);
    }
  });

  test.each(['', 'Bearer', 'Bearer bad', 'Basic pk_1'])(
    'the route ignores the public key if the token %j is not valid',
    async (authorization) => {
      const response = await callerOf({ headers: { ...ORIGIN, authorization }, body: WITH_KEY });
      expect([response.statusCode, response.headers?.['www-authenticate']]).toEqual([401, 'Bearer']);
    },
  );

  test.each(['{}', '{"pk":null}', '{"pk":""}', '{"pk":1}', '{"pk":["pk_1"]}', '{"pk":"pk_2"}', '[]', '"pk_1"', 'null'])(
    'the body %s has no public key of a program: 401',
    async (body) => {
      const { statusCode, headers, body: text } = await callerOf({ headers: ORIGIN, body });
      expect([statusCode, headers?.['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(JSON.parse(text ?? '')).toEqual({ error: NO_CALLER });
    },
  );

  test.each([{}, { origin: 'null' }, { origin: 'https://acme.example' }])(
    'the route rejects a page with the headers %j: 403',
    async (headers) => {
      const { statusCode, body } = await callerOf({ headers, body: WITH_KEY });
      expect([statusCode, JSON.parse(body ?? '')]).toEqual([403, { error: FORBIDDEN }]);
    },
  );
});

test.each(['trackClick', 'getScript'] as const)('the route %s accepts anyone, with any token', async (route) => {
  for (const headers of [{}, { authorization: 'Bearer good' }, { authorization: 'nonsense' }]) {
    const { body } = await callerOf({ headers, body: '{}' }, route);
    expect(JSON.parse(body ?? '')).toEqual({ kind: 'anyone' });
  }
});

describe('listed origins', () => {
  test.each([
    ['https://www.acme.example', true],
    ['HTTPS://WWW.ACME.EXAMPLE', true],
    ['http://localhost:3000', true],
    ['https://www.acme.example.evil.example', false],
    ['null', false],
    [undefined, false],
  ])('the origin %j is listed: %p', (origin, isListed) => {
    expect(listsOrigin(listing, origin)).toBe(isListed);
    expect(listsOrigin(program, origin)).toBe(false);
  });
});

/** The scope that each operation requires, or the kind of caller if it needs no scope. `any`: a token of any kind. */
const REQUIRED: Record<OperationId, Scope | 'affiliate' | 'session' | 'any' | 'anyone' | 'stripe'> = {
  trackConversionV1: 'track',
  trackConversionV2: 'track',
  setState: 'track',
  reassignReferral: 'track',
  eraseCustomer: 'track',
  recordPayment: 'track',
  recordRefund: 'track',
  voidPayment: 'payouts',
  recordAdjustment: 'payouts',
  recordSettlement: 'payouts',
  payOut: 'payouts',
  listSettlements: 'read',
  listPayoutRuns: 'read',
  getPayoutFile: 'payouts',
  trackClick: 'anyone',
  receiveStripeEvent: 'stripe',
  getScript: 'anyone',
  getPortal: 'anyone',
  getPortalScript: 'anyone',
  getDashboard: 'anyone',
  getLlmsText: 'anyone',
  getProgram: 'read',
  updateProgram: 'admin',
  putLogo: 'admin',
  deleteLogo: 'admin',
  getLogo: 'anyone',
  putResources: 'admin',
  getResources: 'read',
  getOwnResources: 'affiliate',
  listTokens: 'admin',
  createProgramToken: 'admin',
  revokeToken: 'admin',
  listAdvocates: 'read',
  listAdvocatesV2: 'read',
  createAdvocate: 'advocates',
  getAdvocate: 'read',
  updateAdvocate: 'advocates',
  eraseAdvocate: 'advocates',
  createAdvocateToken: 'advocates',
  revokeAdvocateTokens: 'advocates',
  putGroup: 'admin',
  listGroups: 'read',
  getCommissionRules: 'read',
  getOwnCommissionRules: 'affiliate',
  putCode: 'advocates',
  listCodes: 'read',
  listOwnCodes: 'affiliate',
  listReferrals: 'affiliate',
  listOwnReferrals: 'affiliate',
  listBalances: 'read',
  listReferralsV2: 'read',
  lookUpReferral: 'read',
  searchReferrals: 'read',
  explainCustomer: 'read',
  countReferrals: 'read',
  getAffiliate: 'affiliate',
  countOwnReferrals: 'affiliate',
  getStatistics: 'read',
  getOwnStatistics: 'affiliate',
  listAdvocateStatistics: 'read',
  listEntries: 'read',
  listOwnEntries: 'affiliate',
  getStatements: 'read',
  getOwnStatements: 'affiliate',
  listWebhooks: 'read',
  createWebhook: 'admin',
  getWebhook: 'read',
  updateWebhook: 'admin',
  deleteWebhook: 'admin',
  rotateWebhookSecret: 'admin',
  testWebhook: 'admin',
  listDeliveries: 'read',
  resendEvent: 'admin',
  replayEvents: 'admin',
  getStripe: 'read',
  connectStripe: 'admin',
  disconnectStripe: 'admin',
  getAccount: 'anyone',
  requestSignIn: 'anyone',
  createSession: 'anyone',
  deleteSession: 'session',
  updateAffiliate: 'affiliate',
  undoPayoutAccount: 'anyone',
  showUnsubscribe: 'anyone',
  unsubscribe: 'anyone',
  listMembers: 'admin',
  createMember: 'admin',
  updateMember: 'admin',
  removeMember: 'admin',
  getPeopleSettings: 'admin',
  updatePeopleSettings: 'admin',
  previewEmail: 'admin',
  erasePerson: 'advocates',
  getApplicationForm: 'anyone',
  sendApplication: 'anyone',
  lookUpApplication: 'anyone',
  confirmApplication: 'anyone',
  listApplications: 'advocates',
  approveApplication: 'advocates',
  rejectApplication: 'advocates',
  inviteAdvocate: 'advocates',
  callMcp: 'any',
  openMcpStream: 'any',
};

const ONE_SCOPE = SCOPES.map((scope) => [scope, newToken({ scopes: [scope] }, REFERRAL_ID, NOW)] as const);
const TOKENS = {
  ...Object.fromEntries(ONE_SCOPE.map(([scope, token]) => [scope, { ...PROGRAM_CALLER, token }])),
  affiliate: AFFILIATE_CALLER,
};

/** The status and the code of a request with a token, whose handler returns 200. */
async function outcome(route: Route, token: string) {
  const { access } = route;
  if (access === 'stripe') throw new Error('The route checks a signature instead of a token.');
  const event = httpEvent({ headers: { authorization: `Bearer ${token}` }, body: '{}' });
  const input = () => ({});
  const { statusCode, headers, body } = await callStack(event, { route: { ...route, access }, tokens: TOKENS, input });
  return [statusCode, headers?.['x-error-code'], JSON.parse(body ?? '{}').error];
}

test.each(
  Object.keys(ROUTES)
    .filter(isOperationId)
    .filter((id) => REQUIRED[id] !== 'stripe'),
)('%s admits exactly the tokens with its scope, of its kind', async (id) => {
  const required = REQUIRED[id];
  for (const token of [...SCOPES, 'affiliate'] as const) {
    const { access } = ROUTES[id];
    const isOther = typeof access === 'object' && 'orScope' in access && token === access.orScope;
    const isAdmitted = required === 'anyone' || required === 'any' || token === required || isOther;
    const isWrongKind = token === 'affiliate' || required === 'affiliate' || required === 'session';
    const missing = [403, 'missing_scope', `The token lacks the scope ${required}: use a token that has it`];
    const refused = isWrongKind ? [403, 'forbidden', expect.stringMatching(/^This operation requires/)] : missing;
    expect([token, ...(await outcome(ROUTES[id], token))]).toEqual([
      token,
      ...(isAdmitted ? [200, undefined, undefined] : refused),
    ]);
  }
});
