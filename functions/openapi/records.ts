import { newAdvocate } from '../advocates/rules/advocate-changes.ts';
import { EMPTY_ADVOCATE } from '../kernel/accounts/rules/advocate.ts';
import { termsFor } from '../kernel/accounts/rules/advocate-terms.ts';
import { parseCommissionRules } from '../kernel/accounts/rules/commission-rules.ts';
import { commissionRulesId } from '../kernel/accounts/rules/commission-rules-id.ts';
import type { Group } from '../kernel/accounts/rules/group.ts';
import type { Member } from '../kernel/accounts/rules/member.ts';
import { newProgram } from '../kernel/accounts/rules/program.ts';
import { emptyValues } from '../kernel/fields/field-list.ts';
import { timeOfUuidv7 } from '../kernel/ids.ts';
import { secondOf, seconds } from '../kernel/time.ts';
import { APPLICATION_FIELDS, type Application } from '../people/rules/applications/application-fields.ts';
import type { FormField } from '../people/rules/applications/form.ts';
import type { CountGroup } from '../referrals/rules/counts.ts';
import { convertClick, newClick, type Referral } from '../referrals/rules/referral.ts';
import { setState } from '../referrals/rules/referral-changes.ts';
import { NOTHING_REPORTED } from '../referrals/rules/referral-fields.ts';
import type { State } from '../referrals/rules/state.ts';

// The records of the examples. They are a part of the demo, so that the examples succeed on a service that `npm start`
// has just created: test/documents/samples/openapi-examples.test.ts sends them.

const createdAt = (id: string) => secondOf(timeOfUuidv7(id));

const PROGRAM_ID = '0192e505-9000-77f3-bf94-41d1854e99e1';
export const ORIGIN = 'https://northwind.example';
/** The least amount that the program pays, in cents, and the day of the month on which it pays. */
export const [MINIMUM_PAYOUT, PAYOUT_DAY] = [2500, 5];

export const PROGRAM = newProgram(
  {
    name: 'Northwind Coffee',
    siteUrl: `${ORIGIN}/`,
    commissionPercentage: 20,
    commissionMonths: 12,
    payableAfterDays: 30,
    minimumPayout: { eur: MINIMUM_PAYOUT },
    payoutDay: PAYOUT_DAY,
    payoutName: 'Northwind Coffee',
    payoutIban: 'DE89370400440532013000',
    allowedOrigins: [ORIGIN],
    mode: 'test',
  },
  PROGRAM_ID,
  createdAt(PROGRAM_ID),
);

/** €20 for the first payment, then 10% for a year. */
export const CREATORS_BODY = {
  title: 'Creators',
  commission_rules: [
    { amounts: { eur: 2000 }, payments: 1 },
    { percentage: 10, months: 12 },
  ],
};
export const RULES = parseCommissionRules('commission_rules', CREATORS_BODY.commission_rules);

export const CREATORS: Group = {
  name: 'creators',
  title: CREATORS_BODY.title,
  commissionPercentage: null,
  commissionMonths: null,
  commissionRulesId: commissionRulesId(RULES),
};
export const PARTNERS = percentageGroup('partners', 'Partners', 30);
export const STANDARD = percentageGroup('standard', 'Standard', 20);

const ADVOCATE_ID = '0198ff2e-e480-7cb2-b0a8-0cb66a661cef';
/** The advocate whose token `npm start` prints. */
export const ADVOCATE = newAdvocate(
  {
    ...EMPTY_ADVOCATE,
    email: 'amara-okafor@partners.example',
    firstName: 'Amara',
    lastName: 'Okafor',
    slug: 'amara-okafor',
    uid: 'partner-1',
    companyId: 'company-1',
    company: 'Okafor Media',
    group: PARTNERS.name,
    payoutMethod: 'paypal',
    payoutAccount: 'amara@pay.example',
  },
  ADVOCATE_ID,
  createdAt(ADVOCATE_ID),
);

export const ADVOCATE_TERMS = termsFor(PROGRAM, PARTNERS, ADVOCATE);
const ATTRIBUTED = { target: ADVOCATE, terms: ADVOCATE_TERMS };

const NEWEST_ADVOCATE_ID = '01a1684f-7440-723a-a153-e71b3aab00f7';
export const NEWEST_ADVOCATE = newAdvocate(
  {
    ...EMPTY_ADVOCATE,
    email: 'lena-lindqvist@partners.example',
    firstName: 'Lena',
    lastName: 'Lindqvist',
    slug: 'lena-lindqvist',
    group: STANDARD.name,
  },
  NEWEST_ADVOCATE_ID,
  createdAt(NEWEST_ADVOCATE_ID),
);

const MEMBER_ID = '0192e505-9000-7244-9fbe-943a9828c736';
/** A member without the scope `admin`. */
export const MEMBER: Member = {
  ...{ email: 'sam@northwind.example', name: 'Sam Field', scopes: ['read', 'payouts'] },
  ...{ id: MEMBER_ID, createdAt: createdAt(MEMBER_ID), lastSignedInAt: null, sessionsEndedAt: null },
};

const QUESTION: FormField = { key: 'website', label: 'Your website', kind: 'url', required: true, options: [] };
/** What applicants read and answer. */
export const FORM = {
  applications: 'review',
  applyText: 'Recommend Northwind Coffee, and earn 20% of what your customers pay in their first year.',
  applicationFields: [QUESTION],
} as const;

/** An application that waits for the merchant, and one that only the examples have. */
export const [APPLICATION, OTHER_APPLICATION] = [
  application('01a18a10-5c00-7f3e-9a41-6b2d8c0e47f1', 'Noor', 'Haddad'),
  application('01a17dae-37e0-7c19-8d52-e07b44f1a6c3', 'Tomas', 'Lima'),
] as const satisfies Application[];

export const CHURNED_EMAIL = emailOf(259);

/** The clicks and referrals of the advocate, as of the end of the examples or some seconds later. */
export function exampleReferrals(by = 0) {
  const click = (id: string, subId: string | null) =>
    newClick(PROGRAM, ATTRIBUTED, { id, subId }, seconds(createdAt(id) + by));
  const converted = (id: string, subId: string, customer: number, at: string) => {
    const reported = { ...NOTHING_REPORTED, email: emailOf(customer), customerUid: `customer-${customer}` };
    const credit = { by: 'link', code: null, lost: null } as const;
    const conversion = { ...ATTRIBUTED, credit, reported, actor: 'merchant', idempotencyRecord: null } as const;
    return convertClick(click(id, subId), { ...conversion, now: moment(at) });
  };
  const set = (referral: Referral, state: State, at: string) => setState(referral, state, 'merchant', moment(at));
  const moment = (at: string) => seconds(Date.parse(at) / 1000 + by);
  return {
    // Newest first. Each conversion in the examples has its own.
    clicks: [
      click('01a19455-9880-76de-8a8e-6277bd398048', null),
      click('01a192eb-f660-767e-aac0-a5d8b6a0db11', 'youtube'),
      click('01a18cdc-24c0-746b-84cc-e57b167c1d30', 'blog-2025'),
      click('01a186f5-8600-74e0-99a1-d64939f2fa1e', 'podcast'),
    ],
    converted: converted('01a17d71-0000-7a86-a741-a34de6e20c04', 'podcast', 64, '2026-10-27T13:09:09Z'),
    /** The newest referral of the program. */
    paid: set(
      converted('01a19446-e6c8-7028-a127-c4dbd8033783', 'youtube', 217, '2026-10-31T23:59:59Z'),
      'paid',
      '2026-10-31T23:59:59Z',
    ),
    alsoPaid: set(
      converted('01a106b9-cb90-7ec3-8dff-87ae42151da6', 'podcast', 106, '2026-10-04T12:54:08Z'),
      'paid',
      '2026-10-10T10:22:43Z',
    ),
    churned: set(
      set(
        converted('01a01978-9cd0-7d11-9c05-58e0b1f7a263', 'newsletter', 259, '2026-08-19T10:15:00Z'),
        'paid',
        '2026-09-02T10:15:00Z',
      ),
      'churned',
      '2026-10-02T10:15:00Z',
    ),
  } as const;
}

export const {
  clicks: [CLICK_V1, CLICK_V2, CLICK_PAGE, CLICK_STRIPE],
  converted: CONVERTED,
  paid: PAID,
  alsoPaid: ALSO_PAID,
} = exampleReferrals();

/** How many referrals the advocate has in each state. */
export const BY_SUB_ID: readonly CountGroup[] = [
  { key: 'blog-2025', counts: { clicked: 59, converted: 12, paid: 10, churned: 0, rejected: 1 } },
  { key: 'newsletter', counts: { clicked: 52, converted: 7, paid: 3, churned: 1, rejected: 0 } },
  { key: 'podcast', counts: { clicked: 54, converted: 9, paid: 10, churned: 2, rejected: 1 } },
  { key: 'youtube', counts: { clicked: 56, converted: 8, paid: 6, churned: 0, rejected: 0 } },
  { key: null, counts: { clicked: 58, converted: 11, paid: 13, churned: 1, rejected: 1 } },
];

function emailOf(customer: number): string {
  return `customer-${customer}@shop.example`;
}

function application(id: string, firstName: string, lastName: string): Application {
  const { key, label } = QUESTION;
  const name = firstName.toLowerCase();
  return {
    ...emptyValues(APPLICATION_FIELDS),
    ...{ id, state: 'pending', email: `${name}@partners.example`, firstName, lastName },
    answers: [{ key, label, answer: `https://${name}.example` }],
    ...{ createdAt: createdAt(id), confirmedAt: createdAt(id) },
  };
}

function percentageGroup(name: string, title: string, commissionPercentage: number): Group {
  return { name, title, commissionPercentage, commissionMonths: 12, commissionRulesId: null };
}
