import { expect, test } from '@jest/globals';
import { newToken, SCOPES, type Scope } from '../../../functions/domain/token.ts';
import { isOperationId, type OperationId, ROUTES, type Route } from '../../../functions/routes.ts';
import { httpEvent, NOW, REFERRAL_ID } from '../samples.ts';
import { AFFILIATE_CALLER, callStack, PROGRAM_CALLER } from './stack.ts';

/** The scope that each operation requires, or the kind of caller if it needs no scope. */
const REQUIRED: Record<OperationId, Scope | 'affiliate' | 'anyone' | 'stripe'> = {
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
  trackClick: 'anyone',
  receiveStripeEvent: 'stripe',
  getScript: 'anyone',
  getPortal: 'anyone',
  getPortalScript: 'anyone',
  getDashboard: 'anyone',
  getProgram: 'read',
  updateProgram: 'admin',
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
  listReferrals: 'affiliate',
  listReferralsV2: 'read',
  lookUpReferral: 'read',
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
    const isAdmitted = required === 'anyone' || token === required;
    const isWrongKind = token === 'affiliate' || required === 'affiliate';
    const missing = [403, 'missing_scope', `The token lacks the scope ${required}: use a token that has it`];
    const refused = isWrongKind ? [403, 'forbidden', expect.stringMatching(/^This operation requires/)] : missing;
    expect([token, ...(await outcome(ROUTES[id], token))]).toEqual([
      token,
      ...(isAdmitted ? [200, undefined, undefined] : refused),
    ]);
  }
});
