import { expect, test } from '@jest/globals';
import { changeOwn } from '../../functions/advocates/rules/advocate-changes.ts';
import { replaceAdvocate } from '../../functions/advocates/table/advocates.ts';
import { putCode } from '../../functions/codes/table/put-code.ts';
import type { Program } from '../../functions/kernel/accounts/rules/program.ts';
import { addressHash } from '../../functions/kernel/address.ts';
import type { FunctionName } from '../../functions/kernel/http/route.ts';
import { rfc3339 } from '../../functions/kernel/time.ts';
import type { EmailCause } from '../../functions/people/rules/email-cause.ts';
import type { SignInPage } from '../../functions/people/rules/link-budget.ts';
import { sendApplication } from '../../functions/people/table/applications/send.ts';
import { createMember } from '../../functions/people/table/members.ts';
import { type OperationId, ROUTES } from '../../functions/routes.ts';
import type { IntegrationParts } from '../../functions/webhooks/http/parts.ts';
import { EVENT_TYPES } from '../../functions/webhooks/rules/event.ts';
import { anApplication, applicationOf, NOOR, takeApplications } from '../support/applications.ts';
import { type ApiRequest, sendToHandlers } from '../support/drivers.ts';
import { someSettlements } from '../support/ledger/entries.ts';
import { codeIn, mailboxOf, messageOf } from '../support/people.ts';
import { aClick, anAdvocate, aProgram, aReferral, aSession, aToken, newId, now } from '../support/program.ts';
import { aCheckout, SECRET, signedRequest, withSecrets } from '../support/stripe/stripe.ts';
import { aWebhook } from '../support/table/webhooks.ts';
import { useTable } from '../support/use-table.ts';
import { actionsOfAll, allowedActions, forbiddenOf, requestsDuring } from './actions.ts';
import { EMAILS, synthesize } from './synthesized.ts';

// No test runs under the policies, so a missing permission would show only after a deployment. These requests reach
// every DynamoDB operation of their function. The policy must allow exactly these, and their partitions.
const table = useTable();

const stored = withSecrets([SECRET]);
const PARTS: IntegrationParts = {
  secrets: { ...stored, add: async () => undefined, remove: async () => undefined },
  queue: { send: async () => new Set() },
  send: async () => ({ status: 204, error: null, retryAfter: null }),
  isLocal: true,
};

type Requests = Partial<Record<OperationId, Omit<ApiRequest, 'operation' | 'token'>[]>>;

/** Requests of applications to a program that approves them automatically. */
async function applicationRequestsOf(program: Program): Promise<Requests> {
  await takeApplications(table, program, 'automatic');
  const { slug } = await anAdvocate(table, program);
  // An address gets three emails a day, whatever the program.
  const newEmail = () => `${newId()}@x.example`;
  const codeOf = async () => {
    const email = newEmail();
    await sendApplication(table, program.id, { ...NOOR, email });
    return applicationOf(table, program, email);
  };
  const pending = () => anApplication(table, program, { email: newEmail() });
  return {
    erasePerson: [{ body: { email: (await pending()).email } }],
    getApplicationForm: [{ pk: program.publicKey }],
    sendApplication: [{ body: { pk: program.publicKey, email: newEmail() } }],
    lookUpApplication: [{ body: { code: await codeOf() } }],
    confirmApplication: [{ body: { code: await codeOf() } }],
    listApplications: [{}],
    approveApplication: [{ application: (await pending()).id, body: { uid: newId() } }],
    rejectApplication: [
      { application: (await pending()).id },
      { application: (await pending()).id, body: { may_apply_again: true } },
    ],
    inviteAdvocate: [{ slug }],
  };
}

/** Requests of people, with the links of emails. */
async function peopleRequestsOf(program: Program): Promise<Requests> {
  const jane = await anAdvocate(table, program, { uid: newId() });
  const { slug, email } = jane;
  await replaceAdvocate(table, program.id, slug, {
    change: (before) => changeOwn(before, { payoutMethod: 'paypal', payoutAccount: 'jane@pay.example' }, now()),
  });
  const draft = (name: string) => ({ email: `${name}@acme.example`, name, scopes: ['admin'] as const });
  const [{ member: sam }, { member: ida }] = [
    await createMember(table, program.id, draft('sam')),
    await createMember(table, program.id, draft('ida')),
  ];
  const mailbox = mailboxOf(table);
  const sent = async (cause: EmailCause) => {
    await mailbox.deliver(messageOf(table, program.id, cause));
    return mailbox.emails.at(-1) ?? { text: '', headers: {} };
  };
  const linkOf = async (page: SignInPage, address: string) =>
    codeIn(await sent({ kind: 'sign_in', page, address: addressHash(address), request: newId() }));
  const told = { kind: 'account_changed', slug, version: 2, changes: ['payout_account'], to: 'now' } as const;
  const code = codeIn(await sent(told), 'undo');
  const { headers } = await sent({ kind: 'paying', slug, day: '2026-11-28' });
  const [, value = ''] = /unsubscribe\/([^>]*)>/.exec(JSON.stringify(headers)) ?? [];
  const keys = { pk: program.publicKey, email, page: 'portal' };
  return {
    requestSignIn: [{ body: keys }, { body: keys }],
    createSession: [
      { body: { code: await linkOf('portal', email ?? '') } },
      { body: { code: await linkOf('dashboard', sam.email), keep: true } },
    ],
    deleteSession: [{}],
    updateAffiliate: [{ body: { first_name: 'J', payout_method: 'paypal', payout_account: 'j@pay.example' } }],
    undoPayoutAccount: [{ body: { code } }],
    showUnsubscribe: [{ value }],
    unsubscribe: [{ value }],
    listMembers: [{}],
    createMember: [{ body: { email: 'eve@acme.example', scopes: ['read'] } }],
    updateMember: [{ id: sam.id, body: { name: null } }],
    removeMember: [{ id: ida.id }],
    getPeopleSettings: [{}],
    updatePeopleSettings: [{ body: { reply_to: 'partners@acme.example' } }],
    previewEmail: [{ body: { kind: 'settled' } }],
  };
}

const MONEY = { amount: 100, currency: 'usd' };

/** An assistant's call of an operation that another function serves to others. */
const toolCall = (name: OperationId, given: object = {}) => ({
  body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
});

/** Requests of every operation, for new data of a program. */
async function requestsOf(program: Program): Promise<Requests> {
  const advocate = await anAdvocate(table, program, { uid: newId() });
  const other = await anAdvocate(table, program);
  const { slug } = advocate;
  const [uid, email] = [newId(), `${newId()}@shop.example`];
  const { id } = await aReferral(table, program, advocate, { email, customerUid: uid });
  const click = await aClick(table, program, advocate);
  const owner = `affiliate_slug=${slug}`;
  await someSettlements(table, program, slug, 50);
  const filters = ['', '&state_eq=paid', '&sub_id_eq=a', '&state_set_at_gt=2020-01-01T00:00:00Z', '&page=2'];
  const code = newId().toUpperCase();
  await putCode(table, program.id, { code, slug, promotionCodeId: `promo_${code}` });
  const tokenId = newId();
  const headers = { 'idempotency-key': newId() };
  const webhook = await aWebhook(table, program, { events: EVENT_TYPES });
  const deleted = await aWebhook(table, program);
  const period = { since: rfc3339(now() - 60) };
  return {
    ...(await peopleRequestsOf(program)),
    ...(await applicationRequestsOf(program)),
    trackClick: [{ body: { pk: program.publicKey, gr_id: `${slug}.${newId()}` } }],
    trackConversionV2: [
      { body: { gr_id: `${slug}.${click.id}`, uid: newId() }, headers },
      { body: { code, uid: newId() } },
    ],
    trackConversionV1: [{ body: { pk: program.publicKey, uid: advocate.uid, email: `${newId()}@shop.example` } }],
    setState: [{ body: { id, state: 'paid' } }, { body: { email, uid, state: 'churned' } }],
    recordPayment: [
      { body: { id, payment_id: `in_${id}`, ...MONEY } },
      { body: { id, payment_id: `in2_${id}`, ...MONEY } },
    ],
    recordRefund: [{ body: { payment_id: `in_${id}`, refund_id: `re_${id}`, amount: 1 } }],
    voidPayment: [{ body: { payment_id: `in_${id}`, note: 'Fraud' } }],
    recordAdjustment: [
      { body: { affiliate_slug: slug, adjustment_id: id, commission: 5, currency: 'usd', note: 'Bonus' } },
    ],
    recordSettlement: [{ body: { affiliate_slug: slug, settlement_id: id, ...MONEY } }],
    payOut: [{ body: { run: '2026-10', currency: 'usd', slugs: [slug] } }],
    listBalances: [{}],
    listSettlements: [{}],
    listPayoutRuns: [{}],
    getPayoutFile: [{ query: 'currency=usd&format=csv' }],
    reassignReferral: [{ body: { email, affiliate_slug: other.slug } }],
    eraseCustomer: [{ body: { uid } }],
    receiveStripeEvent: [signedRequest(program.id, aCheckout({ grId: `${slug}.${newId()}`, uid: newId() }))],
    getScript: [{}],
    getPortal: [{}],
    getAccount: [{}],
    getPortalScript: [{}],
    getDashboard: [{}],
    getLlmsText: [{}],
    listAdvocates: [{}],
    listAdvocatesV2: [{}, { query: 'sort=clicks' }],
    createAdvocate: [{ body: { email, uid: newId() } }],
    getAdvocate: [{ slug }],
    updateAdvocate: [{ slug, body: { uid: newId() } }],
    createAdvocateToken: [{ slug }],
    revokeAdvocateTokens: [{ slug }],
    eraseAdvocate: [{ slug: other.slug }],
    putGroup: [{ body: { commission_rules: [{ percentage: 10 }] } }],
    listGroups: [{}],
    getCommissionRules: [{}],
    getOwnCommissionRules: [{}],
    putCode: [{ code: newId(), body: { affiliate_slug: slug, promotion_code_id: `promo_${newId()}` } }],
    listCodes: [{}, { query: owner }],
    listOwnCodes: [{}],
    getProgram: [{}],
    getAffiliate: [{}],
    updateProgram: [{ body: { name: 'Other' } }, { body: { commission_rules: [{ percentage: 10 }] } }],
    putLogo: [{ body: { image: 'iVBORw0KGgo=' } }],
    getLogo: [{ pk: program.publicKey }],
    deleteLogo: [{}],
    putResources: [{ body: { resources: [{ title: 'Banner' }] } }],
    getResources: [{}],
    getOwnResources: [{}],
    listTokens: [{}],
    createProgramToken: [{ body: { scopes: ['read'] } }],
    revokeToken: [{ id: tokenId }],
    listWebhooks: [{}],
    createWebhook: [{ body: { url: 'http://localhost:1/events' } }],
    getWebhook: [{ id: webhook.id }],
    updateWebhook: [{ id: webhook.id, body: { enabled: true } }],
    deleteWebhook: [{ id: deleted.id }],
    rotateWebhookSecret: [{ id: webhook.id }],
    testWebhook: [{ id: webhook.id }],
    listDeliveries: [{ id: webhook.id }],
    resendEvent: [{ id: webhook.id, body: { event_id: `${id}.1` } }],
    replayEvents: [{ id: webhook.id, body: period }],
    getStripe: [{}],
    connectStripe: [{ body: { secret: SECRET, on_refund: 'reject' } }],
    disconnectStripe: [{}],
    listOwnReferrals: filters.map((query) => ({ query: query.slice(1) })),
    listReferrals: filters.map((query) => ({ query: query.slice(1) })),
    listReferralsV2: [
      {},
      ...[...filters, '&created_at_gt=2020-01-01T00:00:00Z'].map((query) => ({ query: owner + query })),
    ],
    countReferrals: ['', '&group_by=day', '&sub_id_eq=a'].map((query) => ({ query: owner + query })),
    countOwnReferrals: [{}],
    getStatistics: [{}, { query: owner }],
    getOwnStatistics: [{}],
    listAdvocateStatistics: [{}, { query: `slugs=${slug}` }],
    listEntries: [{ query: owner }, { query: `payment_id_eq=in_${id}` }],
    listOwnEntries: [{}],
    getStatements: ['', `&${owner}`].map((query) => ({ query: `month=2026-01${query}` })),
    getOwnStatements: [{ query: 'month=2026-01' }],
    explainCustomer: [{ body: { email } }, { body: { payment_id: `in_${id}` } }],
    searchReferrals: [{ body: { text: slug } }],
    lookUpReferral: [{ body: { email: `${newId()}@shop.example` } }, { body: { id: click.id } }],
    callMcp: [
      toolCall('listAdvocatesV2', { email_eq: advocate.email, sort: 'clicks' }),
      toolCall('listBalances'),
      toolCall('getProgram'),
      toolCall('listWebhooks'),
      toolCall('listDeliveries', { id: webhook.id }),
    ],
    openMcpStream: [{}],
  };
}

const stack = synthesize(EMAILS);

test.each<FunctionName>(['tracking', 'advocates', 'referrals', 'integrations', 'people'])(
  'the policy of %s allows exactly what its operations do',
  async (name) => {
    const program = await aProgram(table);
    const holder = await anAdvocate(table, program, { uid: newId() });
    const tokens = {
      program: await aToken(table, program),
      affiliate: await aSession(table, program, holder),
      session: await aSession(table, program, holder),
      any: await aToken(table, program),
    };
    const requests = await requestsOf(program);
    const operations = (Object.keys(ROUTES) as OperationId[]).filter((id) => ROUTES[id].function === name);
    const sent = await requestsDuring(table, async () => {
      const send = sendToHandlers(table, PARTS);
      for (const operation of operations) {
        const { access } = ROUTES[operation];
        const credential = typeof access === 'object' ? { token: tokens[access.token] } : {};
        for (const request of requests[operation] ?? []) {
          const { status } = await send({ operation, ...credential, ...request });
          expect([operation, [200, 201, 202, 204, 404, 405]]).toEqual([operation, expect.arrayContaining([status])]);
        }
      }
    });
    expect(operations.filter((operation) => !requests[operation])).toEqual([]);
    expect(forbiddenOf(stack, name, sent)).toEqual([]);
    expect([...actionsOfAll(sent)].toSorted()).toEqual([...allowedActions(stack, name)].toSorted());
  },
);
