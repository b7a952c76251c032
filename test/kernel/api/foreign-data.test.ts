import { beforeAll, describe, expect, test } from '@jest/globals';
import { putCode } from '../../../functions/codes/table/put-code.ts';
import type { Route } from '../../../functions/kernel/http/route.ts';
import { recordPayment } from '../../../functions/ledger/table/payments.ts';
import { createMember } from '../../../functions/people/table/members.ts';
import { type OperationId, ROUTES } from '../../../functions/routes.ts';
import { putGroup } from '../../../functions/terms/table/put-group.ts';
import { anApplication, takeApplications } from '../../support/applications.ts';
import { type ApiRequest, DRIVERS } from '../../support/drivers.ts';
import { aClick, anAdvocate, aProgram, aReferral, aToken, newId } from '../../support/program.ts';
import { visibleOf } from '../../support/responses.ts';
import { anEmail } from '../../support/table/track.ts';
import { expectUnchanged, useTable } from '../../support/use-table.ts';

/** What a caller can identify in a request: data of its own program, of another program, or of none. */
interface Names {
  readonly slug: string;
  readonly email: string;
  readonly uid: string;
  readonly id: string;
  readonly clickId: string;
  readonly publicKey: string;
  readonly code: string;
  readonly group: string;
  readonly rulesId: string;
  readonly member: string;
  readonly application: string;
}

const MONEY = { amount: 100, currency: 'usd' };
const NO_TERMS = { title: null, commissionPercentage: null, commissionMonths: null, commissionRules: null };

const table = useTable();
const tokens = { program: '', affiliate: '', foreign: '' };
let own: Names;
let foreign: Names;
beforeAll(async () => {
  const [mine, theirs] = [await aProgram(table), await aProgram(table)];
  const namesIn = async (program: typeof mine, percentage: number): Promise<Names> => {
    const advocate = await anAdvocate(table, program, { uid: newId() });
    const [email, uid] = [anEmail(), newId()];
    const { id } = await aReferral(table, program, advocate, { email, customerUid: uid });
    await aReferral(table, program, advocate);
    const ledger = { program: program.id, by: 'merchant' } as const;
    const reference = { id, email: null, uid: null };
    await recordPayment(table, ledger, { reference, paymentId: `in_${id}`, ...MONEY, paidAt: null });
    await anAdvocate(table, program);
    const click = await aClick(table, program, advocate);
    const code = newId().toUpperCase();
    await putCode(table, program.id, { code, slug: advocate.slug });
    // Equal rules have the same id.
    const terms = { ...NO_TERMS, name: newId(), commissionRules: [{ percentage }] };
    const { name: group, commissionRulesId: rulesId } = await putGroup(table, program.id, terms);
    const names = { slug: advocate.slug, email, uid, id, clickId: click.id, publicKey: program.publicKey };
    const { member } = await createMember(table, program.id, { email, name: null, scopes: ['admin'] });
    await takeApplications(table, program);
    const application = await anApplication(table, program);
    return { ...names, code, group, rulesId: rulesId ?? '', member: member.id, application: application.id };
  };
  [own, foreign] = [await namesIn(mine, 10), await namesIn(theirs, 11)];
  tokens.program = await aToken(table, mine);
  tokens.foreign = await aToken(table, theirs);
  tokens.affiliate = await aToken(table, mine, await anAdvocate(table, mine));
});
const unknown = (): Names => ({
  slug: `nobody-${newId()}`,
  email: anEmail(),
  uid: newId(),
  id: newId(),
  clickId: newId(),
  publicKey: `pk_${newId().replaceAll('-', '')}`,
  code: newId().toUpperCase(),
  group: newId(),
  rulesId: newId().replaceAll('-', '').slice(-16),
  member: newId(),
  application: newId(),
});

type Request = Omit<ApiRequest, 'operation' | 'token'>;
/** Requests of each operation that contain one of `names`. */
const REQUESTS: Partial<Record<OperationId, (names: Names) => Request[]>> = {
  getAdvocate: ({ slug }) => [{ slug }],
  createAdvocate: ({ group }) => [{ body: { email: 'sam@partners.example', group } }],
  listAdvocatesV2: ({ group }) =>
    ['', '&active_eq=true', '&sort=paying'].map((filters) => ({ query: `group_eq=${group}${filters}` })),
  updateAdvocate: ({ slug, group }) => [
    { slug, body: {} },
    { slug, body: { first_name: 'Ana', active: false } },
    { slug, body: { slug } },
    { slug, body: { email: 1 } },
    { slug: own.slug, body: { group } },
  ],
  createAdvocateToken: ({ slug }) => [{ slug }, { slug, body: { expires_in: 1 } }],
  revokeAdvocateTokens: ({ slug }) => [{ slug }],
  eraseAdvocate: ({ slug }) => [{ slug }],
  listReferralsV2: ({ slug }) =>
    ['', '&state_eq=clicked', '&page=2', '&per_page=1', '&cursor=Mi4', '&state_set_at_gt=2020-01-01T00:00:00Z'].map(
      (filters) => ({ query: `affiliate_slug=${slug}${filters}` }),
    ),
  countReferrals: ({ slug }) =>
    ['', '&group_by=day', '&sub_id_eq=x', '&page=1'].map((filters) => ({ query: `affiliate_slug=${slug}${filters}` })),
  lookUpReferral: customers,
  explainCustomer: ({ email, uid, id, slug, code }) =>
    [{ email }, { uid }, { id }, { gr_id: `${slug}.${id}` }, { code }, { payment_id: `in_${id}` }].map((body) => ({
      body,
    })),
  searchReferrals: ({ slug, id }) => [{ body: { text: slug } }, { body: { text: id } }],
  eraseCustomer: customers,
  setState: (names) => customers(names).map(({ body }) => ({ body: { ...body, state: 'paid' } })),
  recordPayment: (names) => customers(names).map(({ body }) => ({ body: { ...body, payment_id: 'in_1', ...MONEY } })),
  recordRefund: ({ id }) => [{ body: { payment_id: id, refund_id: 're_1', amount: 1 } }],
  voidPayment: ({ id }) => [{ body: { payment_id: id, note: 'Fraud' } }],
  recordAdjustment: ({ slug }) => [
    { body: { affiliate_slug: slug, adjustment_id: 'a', commission: 1, currency: 'usd', note: 'Bonus' } },
  ],
  recordSettlement: ({ slug }) => [{ body: { affiliate_slug: slug, settlement_id: 's', ...MONEY } }],
  payOut: ({ slug }) => [{ body: { run: 'r', currency: 'usd', slugs: [own.slug, slug] } }],
  getStatistics: ({ slug }) => [{ query: `affiliate_slug=${slug}` }],
  listAdvocateStatistics: ({ slug }) => [{ query: `slugs=${slug}` }],
  listEntries: ({ slug, id }) => [
    ...['', '&kind_eq=payment', '&cursor=Mi4', '&page=1'].map((filters) => ({
      query: `affiliate_slug=${slug}${filters}`,
    })),
    { query: `affiliate_slug=${own.slug}&referral_id_eq=${id}` },
    { query: `referral_id_eq=${id}` },
    { query: `payment_id_eq=in_${id}` },
  ],
  getStatements: ({ slug }) =>
    ['month=2026-01', 'from=2026-01&to=2026-03', 'month=9999-01'].map((months) => ({
      query: `affiliate_slug=${slug}&${months}`,
    })),
  reassignReferral: (names) => [
    ...customers(names).map(({ body }) => ({ body: { ...body, affiliate_slug: own.slug } })),
    ...customers(names).map(({ body }) => ({ body: { ...body, affiliate_slug: names.slug } })),
    { body: { id: own.id, affiliate_slug: names.slug } },
  ],
  getCommissionRules: ({ rulesId }) => [{ rulesId }],
  getOwnCommissionRules: ({ rulesId }) => [{ rulesId }],
  listCodes: ({ slug }) =>
    ['', '&per_page=1', '&cursor=Mi4'].map((filters) => ({ query: `affiliate_slug=${slug}${filters}` })),
  updateMember: ({ member }) => [
    { id: member, body: {} },
    { id: member, body: { name: 'Sam', scopes: ['admin'] } },
  ],
  removeMember: ({ member }) => [{ id: member }],
  approveApplication: ({ application, group }) => [
    { application, body: {} },
    { application, body: { slug: own.slug } },
    { application: own.application, body: { group } },
  ],
  rejectApplication: ({ application }) => [{ application }, { application, body: { note: 'Sorry' } }],
  inviteAdvocate: ({ slug }) => [{ slug }],
  erasePerson: ({ email }) => [{ body: { email } }],
  putCode: ({ slug }) => [
    { code: 'JANE20', body: { affiliate_slug: slug } },
    { code: own.code, body: { affiliate_slug: slug } },
  ],
};

/** Bodies that name a customer in each way, and bodies that also name one of the own program. */
function customers({ email, uid, id, clickId }: Names): { readonly body: object }[] {
  return [
    { email },
    { uid },
    { id },
    { id: clickId },
    { email, uid, id },
    { email: own.email, uid },
    { uid: own.uid, id },
    { id: own.id, email },
  ].map((body) => ({ body }));
}

const OPERATIONS = Object.keys(REQUESTS) as (keyof typeof REQUESTS)[];

describe.each(DRIVERS)('data of other programs, through %s', (_, connect) => {
  const send = connect(table);

  test.each(OPERATIONS)(
    '%s returns the same, byte for byte, for data of another program as for unknown data',
    async (operation) => {
      const requestsOf = REQUESTS[operation] ?? (() => []);
      const token = operation === 'getOwnCommissionRules' ? tokens.affiliate : tokens.program;
      const responses = async (names: Names) => {
        const all = requestsOf(names).map(async (request) => send({ operation, token, ...request }));
        return (await Promise.all(all)).map(visibleOf);
      };
      await expectUnchanged(table, async () => {
        const toUnknown = await responses(unknown());
        expect(toUnknown.length).toBeGreaterThan(0);
        expect(await responses(foreign)).toEqual(toUnknown);
      });
    },
  );

  test('a code and a group with the names of another program leave its code and its group unchanged', async () => {
    const mine = await aProgram(table);
    const { slug } = await anAdvocate(table, mine);
    const listed = async () => {
      const lists = (['listCodes', 'listGroups'] as const).map((operation) =>
        send({ operation, token: tokens.foreign }),
      );
      return (await Promise.all(lists)).map(visibleOf);
    };
    const before = await listed();
    const put = { token: await aToken(table, mine), code: foreign.code, name: foreign.group };
    const code = await send({ operation: 'putCode', ...put, body: { affiliate_slug: slug, active: false } });
    const group = await send({ operation: 'putGroup', ...put, body: { commission_percentage: 50 } });
    expect([code.status, group.status]).toEqual([200, 200]);
    expect(await listed()).toEqual(before);
  });

  test('every operation that identifies something is compared', () => {
    const routes = Object.entries<Route>(ROUTES).filter(([, { path }]) => path.startsWith('/v2/'));
    const compared = [...OPERATIONS, ...NOTHING_TO_NAME, ...TESTED_ELSEWHERE, 'putGroup'];
    expect(compared.toSorted()).toEqual(routes.map(([id]) => id).toSorted());
  });
});

/** Their requests name nothing that exists, or only the caller itself. */
const NOTHING_TO_NAME: OperationId[] = [
  ...(['getAffiliate', 'getOwnStatistics', 'listOwnEntries', 'getOwnStatements'] as const),
  ...(['countOwnReferrals', 'listOwnReferrals', 'listBalances', 'getProgram', 'updateProgram', 'listTokens'] as const),
  ...(['listSettlements', 'listPayoutRuns', 'getPayoutFile', 'listGroups', 'listOwnCodes'] as const),
  ...([
    'createProgramToken',
    'listWebhooks',
    'createWebhook',
    'getStripe',
    'connectStripe',
    'disconnectStripe',
  ] as const),
  ...(['putLogo', 'deleteLogo', 'putResources', 'getResources', 'getOwnResources'] as const),
  ...(['deleteSession', 'updateAffiliate', 'listMembers', 'createMember'] as const),
  ...(['getPeopleSettings', 'updatePeopleSettings', 'previewEmail', 'listApplications'] as const),
];
/** In the tests of conversions, clicks, events of Stripe, program tokens, logos, webhooks and people. */
const TESTED_ELSEWHERE: OperationId[] = [
  ...(['trackConversionV2', 'trackClick', 'receiveStripeEvent', 'revokeToken', 'getWebhook', 'updateWebhook'] as const),
  ...(['deleteWebhook', 'rotateWebhookSecret', 'testWebhook', 'listDeliveries'] as const),
  ...(['resendEvent', 'replayEvents', 'getLogo'] as const),
  ...(['requestSignIn', 'createSession', 'undoPayoutAccount', 'showUnsubscribe', 'unsubscribe'] as const),
  ...(['getApplicationForm', 'sendApplication', 'lookUpApplication', 'confirmApplication'] as const),
];
