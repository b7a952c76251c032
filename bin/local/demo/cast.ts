import { newAdvocate } from '../../../functions/advocates/rules/advocate-changes.ts';
import { type Advocate, EMPTY_ADVOCATE } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { termsFor } from '../../../functions/kernel/accounts/rules/advocate-terms.ts';
import type { Group } from '../../../functions/kernel/accounts/rules/group.ts';
import type { Member } from '../../../functions/kernel/accounts/rules/member.ts';
import type { PayoutMethod } from '../../../functions/kernel/accounts/rules/payout-account.ts';
import type { Terms } from '../../../functions/kernel/accounts/rules/terms.ts';
import { SCOPES } from '../../../functions/kernel/accounts/rules/token.ts';
import { dayOf, startOf } from '../../../functions/kernel/days.ts';
import { slugFromNames } from '../../../functions/kernel/fields/fields.ts';
import { DAY, type Seconds, seconds } from '../../../functions/kernel/time.ts';
import {
  ADVOCATE,
  CREATORS,
  MEMBER,
  NEWEST_ADVOCATE,
  PARTNERS,
  PROGRAM,
  STANDARD,
} from '../../../functions/openapi/records.ts';
import { Chance } from './chance.ts';

// Who takes part in the demo. Names, slugs, ids and codes are the same on every day; times move with the day.

/** The day of the examples in the OpenAPI document: a demo that is stored on it contains them. */
export const EXAMPLE_DAY = '2026-11-01';
/** The demo begins 14 months before its day. */
export const HISTORY_DAYS = 426;
export const CURRENCY = 'eur';

export const GROUPS: readonly Group[] = [CREATORS, PARTNERS, STANDARD];

/** An advocate of the demo, and how it recommends the shop. */
export interface Player {
  readonly advocate: Advocate;
  readonly terms: Terms;
  /** Its share of the clicks, in comparison with the others. */
  readonly weight: number;
  /** The labels of its links; `null` for a link without one. */
  readonly labels: readonly [string | null, ...(string | null)[]];
  /** Its promotion code; `null` without one. */
  readonly code: string | null;
}

interface Role {
  readonly name: readonly [first: string, last: string];
  readonly group: Group;
  readonly weight: number;
  /** The day of the history on which it joins; -1 is the day before. */
  readonly joins: number;
  readonly labels?: string;
  readonly code?: string;
  readonly account?: readonly [PayoutMethod, string];
}

/** The advocate whose podcast mentions a code, which listeners type: nobody clicks on a link. */
export const PODCAST = 'maya-levin';
/** The advocate that has a balance and no payout account. */
export const WITHOUT_ACCOUNT = 'ivan-petrov';
/** The advocate whose only customer has not brought enough for a payout. */
export const BELOW_MINIMUM = 'vera-klein';
export const HANA = 'hana-suzuki';

const paypal = (name: string) => ['paypal', `${name}@pay.example`] as const;
const bank = (iban: string) => ['bank', iban] as const;

const ROLES: readonly Role[] = [
  {
    name: ['Björn', 'Sato'],
    group: PARTNERS,
    weight: 11,
    joins: -1,
    labels: 'blog reviews',
    code: 'BJORN10',
    account: bank('DE89370400440532013000'),
  },
  {
    name: ['Chloé', 'Moreau'],
    group: CREATORS,
    weight: 10,
    joins: -1,
    labels: 'instagram tiktok',
    code: 'CHLOE10',
    account: paypal('chloe'),
  },
  { name: ['Diego', 'Santos'], group: STANDARD, weight: 6, joins: -1, labels: 'newsletter', account: paypal('diego') },
  {
    name: ['Elif', 'Kaya'],
    group: CREATORS,
    weight: 8,
    joins: 12,
    labels: 'youtube shorts',
    code: 'ELIF10',
    account: paypal('elif'),
  },
  { name: ['Farid', 'Rahimi'], group: STANDARD, weight: 5, joins: 20, account: bank('FR1420041010050500013M02606') },
  { name: ['Grace', 'Nguyen'], group: STANDARD, weight: 6, joins: 28, labels: 'blog', account: paypal('grace') },
  {
    name: ['Hana', 'Suzuki'],
    group: PARTNERS,
    weight: 7,
    joins: 35,
    labels: 'newsletter recipes',
    code: 'HANA10',
    account: bank('NL91ABNA0417164300'),
  },
  { name: ['Ivan', 'Petrov'], group: STANDARD, weight: 3, joins: 60 },
  {
    name: ['Julia', 'Brandt'],
    group: STANDARD,
    weight: 4,
    joins: 75,
    labels: 'blog',
    account: bank('AT611904300234573201'),
  },
  { name: ['Kofi', 'Mensah'], group: CREATORS, weight: 5, joins: 90, labels: 'tiktok', account: paypal('kofi') },
  { name: ['Leo', 'Rossi'], group: STANDARD, weight: 3, joins: 110, account: paypal('leo') },
  { name: ['Maya', 'Levin'], group: PARTNERS, weight: 0, joins: 60, code: 'GRIND15', account: paypal('maya') },
  { name: ['Nils', 'Andersen'], group: STANDARD, weight: 2, joins: 130, account: paypal('nils') },
  { name: ['Olga', 'Kowalska'], group: STANDARD, weight: 2, joins: 150, account: paypal('olga') },
  { name: ['Pedro', 'Alves'], group: CREATORS, weight: 4, joins: 170, labels: 'instagram', account: paypal('pedro') },
  { name: ['Quinn', 'Murphy'], group: STANDARD, weight: 2, joins: 200, account: paypal('quinn') },
  {
    name: ['Rosa', 'Bianchi'],
    group: PARTNERS,
    weight: 3,
    joins: 230,
    labels: 'reviews',
    account: bank('ES9121000418450200051332'),
  },
  { name: ['Sven', 'Dahl'], group: STANDARD, weight: 2, joins: 260, account: paypal('sven') },
  { name: ['Tara', 'Singh'], group: CREATORS, weight: 3, joins: 290, labels: 'youtube', account: paypal('tara') },
  { name: ['Umar', 'Farouk'], group: STANDARD, weight: 2, joins: 320, account: paypal('umar') },
  { name: ['Vera', 'Klein'], group: STANDARD, weight: 0, joins: 250, account: paypal('vera') },
  { name: ['Wei', 'Chen'], group: STANDARD, weight: 2, joins: 365, account: paypal('wei') },
];

/** Seconds by which a demo of a moment is later than the demo of the examples: whole days. */
export const shiftOf = (now: Seconds): number => startOf(dayOf(now)) - startOf(EXAMPLE_DAY);

/** The first second of a day of the history, from 0. */
export const dayStart = (now: Seconds, day: number): Seconds =>
  seconds(startOf(dayOf(now)) + (day - HISTORY_DAYS) * DAY);

/** Returns the 24 advocates of a demo that is stored at `now`, in the order in which they joined. */
export function demoCast(now: Seconds): Player[] {
  const moved = (advocate: Advocate) => ({ ...advocate, createdAt: seconds(advocate.createdAt + shiftOf(now)) });
  const labels = ['newsletter', 'youtube', 'podcast', 'blog-2025', null] as const;
  const first: Player = { ...playerOf(moved(ADVOCATE), PARTNERS), weight: 18, labels, code: 'AMARA10' };
  const newest = playerOf(moved(NEWEST_ADVOCATE), STANDARD);
  const players = ROLES.map((role, index): Player => {
    const { weight, labels = '', code = null } = role;
    const own = labels === '' ? [] : labels.split(' ');
    return { ...playerOf(advocateOf(role, index, now), role.group), weight, labels: [null, ...own], code };
  });
  return [first, ...players, newest].sort((one, other) => one.advocate.createdAt - other.advocate.createdAt);
}

const playerOf = (advocate: Advocate, group: Group): Player => {
  return { advocate, terms: termsFor(PROGRAM, group, advocate), weight: 0, labels: [null], code: null };
};

function advocateOf({ name: [firstName, lastName], group, joins, account }: Role, index: number, now: Seconds) {
  const slug = slugFromNames(firstName, lastName);
  const hasCompany = index % 5 === 0;
  const [payoutMethod = null, payoutAccount = null] = account ?? [];
  const fields = {
    ...EMPTY_ADVOCATE,
    ...{ email: `${slug}@partners.example`, firstName, lastName, slug, group: group.name },
    uid: index % 3 === 0 ? `partner-${index + 2}` : null,
    companyId: hasCompany ? `company-${index + 2}` : null,
    company: hasCompany ? `${lastName} Media` : null,
    ...{ payoutMethod, payoutAccount },
  };
  const createdAt = seconds(dayStart(now, joins) + 9 * 3600 + index * 60);
  const fixed = seconds(createdAt - shiftOf(now));
  return newAdvocate(fields, new Chance(`advocate ${slug}`).idAt(fixed), createdAt);
}

const OWNER_ID = '0192e505-9000-7d3b-a51f-2b80c47e9d16';

/** The members of the program, who sign in on the dashboard. The first may do everything. */
export const MEMBERS: readonly Member[] = [
  { ...MEMBER, id: OWNER_ID, email: 'robin@northwind.example', name: 'Robin Vale', scopes: SCOPES },
  MEMBER,
];
