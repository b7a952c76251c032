import { newAdvocate } from '../advocates/rules/advocate-changes.ts';
import { EMPTY_ADVOCATE } from '../kernel/accounts/rules/advocate.ts';
import { termsFor } from '../kernel/accounts/rules/advocate-terms.ts';
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

// The records of the examples. They are a part of the demo, so that the examples succeed on a service that `npm start`
// has just created: test/documents/samples/openapi-examples.test.ts sends them.

const createdAt = (id: string) => secondOf(timeOfUuidv7(id));

const PROGRAM_ID = '0192e505-9000-77f3-bf94-41d1854e99e1';
export const ORIGIN = 'https://northwind.example';
export const PROGRAM = newProgram(
  {
    name: 'Northwind Coffee',
    siteUrl: `${ORIGIN}/`,
    commissionPercentage: 20,
    commissionMonths: 12,
    allowedOrigins: [ORIGIN],
    mode: 'test',
  },
  PROGRAM_ID,
  createdAt(PROGRAM_ID),
);

const ADVOCATE_ID = '0192e505-9000-7cb2-b0a8-0cb66a661cef';
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
    commissionPercentage: 30,
  },
  ADVOCATE_ID,
  createdAt(ADVOCATE_ID),
);

const NEWEST_ADVOCATE_ID = '01935b77-d400-723a-a153-e71b3aab00f7';
export const NEWEST_ADVOCATE = newAdvocate(
  {
    ...EMPTY_ADVOCATE,
    email: 'lena-lindqvist@partners.example',
    firstName: 'Lena',
    lastName: 'Lindqvist',
    slug: 'lena-lindqvist',
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

/** Applications that wait for the merchant, the newest first. */
export const [APPLICATION, OTHER_APPLICATION, INCOMPLETE_APPLICATION] = [
  application('01a18a10-5c00-7f3e-9a41-6b2d8c0e47f1', 'Noor', 'Haddad'),
  application('01a17dae-37e0-7c19-8d52-e07b44f1a6c3', 'Tomas', 'Lima'),
  { ...application('01a15d9e-fd18-7b60-a3f4-19c8d25e7b90', 'Kenji', 'Mori'), answers: [], flags: ['answer_missing'] },
] as const satisfies Application[];

const ATTRIBUTED = { target: ADVOCATE, terms: termsFor(PROGRAM, undefined, ADVOCATE) };

/** Clicks of the advocate, newest first. Each conversion in the examples has its own. */
export const [CLICK_V1, CLICK_V2, CLICK_PAGE, CLICK_STRIPE] = [
  click('01a189fe-7488-76de-8a8e-6277bd398048', null),
  click('01a187a6-1920-767e-aac0-a5d8b6a0db11', 'youtube'),
  click('01a169e2-c640-746b-84cc-e57b167c1d30', 'blog-2025'),
  click('01a15bd5-2610-74e0-99a1-d64939f2fa1e', 'podcast'),
];
export const CONVERTED = converted('01a0ec08-aa50-7a86-a741-a34de6e20c04', 'podcast', 64, 1_790_860_149);
/** The advocate's newest referral. */
export const PAID = paid(
  converted('01a19446-e6c8-7028-a127-c4dbd8033783', 'youtube', 217, 1_793_491_199),
  1_793_491_199,
);
export const ALSO_PAID = paid(
  converted('01a106b9-cb90-7ec3-8dff-87ae42151da6', 'podcast', 106, 1_791_165_248),
  1_791_627_763,
);
export const CHURNED_EMAIL = emailOf(259);

/** How many referrals the advocate has in each state. */
export const BY_SUB_ID: readonly CountGroup[] = [
  { key: 'blog-2025', counts: { clicked: 10, converted: 3, paid: 7, churned: 1, rejected: 2 } },
  { key: 'newsletter', counts: { clicked: 4, converted: 8, paid: 8, churned: 4, rejected: 0 } },
  { key: 'podcast', counts: { clicked: 9, converted: 9, paid: 12, churned: 1, rejected: 4 } },
  { key: 'youtube', counts: { clicked: 7, converted: 2, paid: 7, churned: 5, rejected: 3 } },
  { key: null, counts: { clicked: 7, converted: 4, paid: 5, churned: 3, rejected: 4 } },
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

function click(id: string, subId: string | null): Referral {
  return newClick(PROGRAM, ATTRIBUTED, { id, subId }, createdAt(id));
}

function converted(id: string, subId: string, customer: number, at: number): Referral {
  const reported = { ...NOTHING_REPORTED, email: emailOf(customer), customerUid: `customer-${customer}` };
  const credit = { by: 'link', code: null, lost: null } as const;
  const conversion = { ...ATTRIBUTED, credit, reported, actor: 'merchant', idempotencyRecord: null } as const;
  return convertClick(click(id, subId), { ...conversion, now: seconds(at) });
}

function paid(referral: Referral, at: number): Referral {
  return setState(referral, 'paid', 'merchant', seconds(at));
}
