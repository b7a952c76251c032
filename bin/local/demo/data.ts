import { createHash } from 'node:crypto';
import { newAdvocate } from '../../../functions/advocates/rules/advocate-changes.ts';
import { type Advocate, EMPTY_ADVOCATE } from '../../../functions/kernel/accounts/rules/advocate.ts';
import { termsFor } from '../../../functions/kernel/accounts/rules/advocate-terms.ts';
import type { Member } from '../../../functions/kernel/accounts/rules/member.ts';
import { newProgram, type Program, type ProgramDraft } from '../../../functions/kernel/accounts/rules/program.ts';
import { SCOPES } from '../../../functions/kernel/accounts/rules/token.ts';
import { monthOf } from '../../../functions/kernel/days.ts';
import { NOT_EXISTS } from '../../../functions/kernel/dynamodb/conditions.ts';
import { putWrite } from '../../../functions/kernel/dynamodb/writes.ts';
import { slugFromNames } from '../../../functions/kernel/fields/fields.ts';
import { type Random, uuidv7 } from '../../../functions/kernel/ids.ts';
import type { Group } from '../../../functions/kernel/operator/bulk-writes.ts';
import { DAY, milliseconds, type Seconds, seconds } from '../../../functions/kernel/time.ts';
import { type PaymentEntry, paymentEntry, settlementEntry } from '../../../functions/ledger/rules/entry.ts';
import type { Entry } from '../../../functions/ledger/rules/entry-fields.ts';
import { newPayment } from '../../../functions/ledger/rules/payment.ts';
import { entryWrites } from '../../../functions/ledger/table/entries.ts';
import { claimWrite } from '../../../functions/ledger/table/entry-claims.ts';
import { toPaymentItem } from '../../../functions/ledger/table/payment-item.ts';
import { settlementCountWrite } from '../../../functions/ledger/table/settlements.ts';
import { APPLICATION, INCOMPLETE_APPLICATION, OTHER_APPLICATION } from '../../../functions/openapi/records.ts';
import type { Application } from '../../../functions/people/rules/applications/application-fields.ts';
import type { MemberDraft } from '../../../functions/people/rules/members.ts';
import { convertClick, newClick, type Referral } from '../../../functions/referrals/rules/referral.ts';
import { reassign, setState } from '../../../functions/referrals/rules/referral-changes.ts';
import { NOTHING_REPORTED } from '../../../functions/referrals/rules/referral-fields.ts';
import { STATES, type State } from '../../../functions/referrals/rules/state.ts';

export interface DemoProgram {
  readonly program: Program;
  readonly advocates: readonly Advocate[];
  readonly referrals: readonly Referral[];
}

// Every first start creates the same programs, advocates and customers, in the two years before it.
const BEGIN = seconds(Date.UTC(2024, 10, 1) / 1000);
/** The end of two years. A demo that is stored then contains the examples of the OpenAPI document. */
export const DEMO_END = seconds(Date.UTC(2026, 10, 1) / 1000);

export const NORTHWIND: ProgramDraft = {
  name: 'Northwind Coffee',
  siteUrl: 'https://northwind.example/',
  commissionPercentage: 20,
  commissionMonths: 12,
  allowedOrigins: ['https://northwind.example'],
  mode: 'test',
};
const MEMBERS: readonly MemberDraft[] = [
  { email: 'robin@northwind.example', name: 'Robin Vale', scopes: SCOPES },
  { email: 'sam@northwind.example', name: 'Sam Field', scopes: ['read', 'payouts'] },
];
const LIGHTHOUSE: ProgramDraft = {
  name: 'Lighthouse Analytics',
  siteUrl: 'https://lighthouse.example/pricing',
  linkParameter: 'ref',
  attributionDays: 30,
  mode: 'test',
};

const FIRST_NAMES = 'Amara Björn Chloé Diego Elif Farid Grace Hana Ivan Jane Kofi Lena'.split(' ');
const LAST_NAMES = 'Okafor Lindqvist Moreau Santos Kaya Haddad Nguyen Sato Petrov Doe'.split(' ');
const SUB_IDS = [null, 'newsletter', 'youtube', 'podcast', 'blog-2025'];
/** Of ten referrals in a row, the number in each state. */
const STATE_SHARES: Readonly<Record<State, number>> = { clicked: 3, converted: 2, paid: 3, churned: 1, rejected: 1 };
const TEN_STATES = STATES.flatMap((state) => Array<State>(STATE_SHARES[state]).fill(state));

/** What a month costs in each plan, in cents. */
export const PLANS = { Explorer: 1400, House: 2400, Office: 5900 } as const;
export const PRICES = Object.values(PLANS);
export const CURRENCY = 'eur';

/** Of fifty referrals in a row, one is a self-referral, and one was moved to another advocate. */
const [SELF_REFERRAL, MOVED, CYCLE] = [25, 45, 50];
/** The email of a customer who has not paid yet. */
export const NEW_CUSTOMER = emailOf(TEN_STATES.indexOf('converted'));

/** Builds the programs of the demo, whose two years end at `now`. Ids, names and emails are always the same. */
export function demoPrograms(now = DEMO_END): DemoProgram[] {
  return [demoProgram(0, NORTHWIND, [24, 360], now), demoProgram(1, LIGHTHOUSE, [12, 120], now)];
}

/** Builds the members of a program, who sign in on the dashboard. The first may do everything. */
export function demoMembers(program: Program): Member[] {
  const random = seededRandom(`${program.id} members`);
  const [createdAt, lastSignedInAt, sessionsEndedAt] = [program.createdAt, null, null];
  return MEMBERS.map((draft) => ({
    ...draft,
    id: idAt(createdAt, random),
    createdAt,
    lastSignedInAt,
    sessionsEndedAt,
  }));
}

/** Builds the applications that wait for the merchant of the first program. */
export function demoApplications(now = DEMO_END): Application[] {
  return [APPLICATION, OTHER_APPLICATION, INCOMPLETE_APPLICATION].map((application) => {
    const createdAt = moved(application.createdAt, now);
    return { ...application, createdAt, confirmedAt: createdAt };
  });
}

function demoProgram(
  number: number,
  fields: ProgramDraft,
  [advocateCount, referralCount]: readonly [number, number],
  now: Seconds,
): DemoProgram {
  const random = seededRandom(`referral-tracking demo ${number}`);
  const program = newProgram(fields, idAt(BEGIN, random), BEGIN);
  const advocates = Array.from({ length: advocateCount }, (_, index) => demoAdvocate(random, index, now));
  const referrals = Array.from({ length: referralCount }, (_, index) =>
    demoReferral(random, { program, advocates }, now, index),
  );
  return { program, advocates, referrals };
}

function demoAdvocate(random: Random, index: number, now: Seconds): Advocate {
  const firstName = at(FIRST_NAMES, index);
  const lastName = at(LAST_NAMES, index * 7);
  const slug = slugFromNames(firstName, lastName);
  const createdAt = seconds(BEGIN + index * DAY);
  const hasCompany = index % 5 === 0;
  const fields = {
    ...EMPTY_ADVOCATE,
    email: `${slug}@partners.example`,
    firstName,
    lastName,
    slug,
    uid: index % 3 === 0 ? `partner-${index + 1}` : null,
    companyId: hasCompany ? `company-${index + 1}` : null,
    company: hasCompany ? `${lastName} Media` : null,
    commissionPercentage: index % 6 === 0 ? 30 : null,
  };
  return newAdvocate(fields, idAt(createdAt, random), moved(createdAt, now));
}

function demoReferral(
  random: Random,
  { program, advocates }: Omit<DemoProgram, 'referrals'>,
  now: Seconds,
  index: number,
): Referral {
  // The first advocate, whose token is printed, gets a third of all referrals: enough for several pages.
  const advocate = at(advocates, index % 3 === 0 ? 0 : below(advocates.length, random));
  const state = at(TEN_STATES, index);
  const fixedTime =
    state === 'clicked'
      ? DEMO_END - below(program.attributionDays * DAY, random)
      : BEGIN + 40 * DAY + below(DEMO_END - BEGIN - 40 * DAY, random);
  const clickedAt = moved(fixedTime, now);
  const subId = at(SUB_IDS, below(SUB_IDS.length, random));
  const attributed = { target: advocate, terms: termsFor(program, undefined, advocate) };
  const click = newClick(program, attributed, { id: idAt(fixedTime, random), subId }, clickedAt);
  if (state === 'clicked') return click;
  const isSelfReferral = index % CYCLE === SELF_REFERRAL;
  const email = isSelfReferral ? `${advocate.slug}+${index + 1}@partners.example` : emailOf(index);
  const reported = { ...NOTHING_REPORTED, email, customerUid: `customer-${index + 1}` };
  const credit = { by: 'link', code: null, lost: null } as const;
  const conversion = { ...attributed, credit, reported, actor: 'merchant', idempotencyRecord: null } as const;
  const convertedAt = seconds(Math.min(clickedAt + below(3 * DAY, random), now - 1));
  const converted = convertClick(click, { ...conversion, now: convertedAt });
  if (state === 'converted') return converted;
  const changed = setState(converted, state, 'merchant', later(convertedAt, DAY + below(10 * DAY, random), now));
  const other = advocates.find(({ slug }) => slug !== advocate.slug);
  if (index % CYCLE !== MOVED || !other) return changed;
  return reassign(changed, {
    target: other,
    terms: termsFor(program, undefined, other),
    actor: 'merchant',
    now: later(changed.stateSetAt, 2 * DAY, now),
  });
}

function emailOf(index: number): string {
  return `customer-${index + 1}@shop.example`;
}

/** A time after another one, but before `now`. */
function later(begin: Seconds, delay: number, now: Seconds): Seconds {
  return seconds(begin + (begin + delay < now ? delay : delay % Math.max(1, now - begin)));
}

/** Moves a time so that the two years end at `now`. */
const moved = (second: number, now: Seconds) => seconds(second + now - DEMO_END);

/** Returns an element of a list that starts again at its end. */
function at<Value>(values: readonly Value[], index: number): Value {
  const value = values[index % values.length];
  if (value === undefined) throw new RangeError('The list is empty.');
  return value;
}

/** Returns a repeatable random source: bytes of SHA-256 over a seed and a counter. */
function seededRandom(seed: string): Random {
  let count = 0;
  return (length) => {
    count += 1;
    return createHash('sha256').update(`${seed} ${count}`).digest().subarray(0, length);
  };
}

/** Returns a whole number from 0 to `limit` - 1. */
const below = (limit: number, random: Random) => Buffer.from(random(6)).readUIntBE(0, 6) % limit;

const idAt = (second: number, random: Random) => uuidv7(milliseconds(second * 1000), random);

/** The ledger begins this many months before the current one. */
const EARLIER_MONTHS = 5;
const PERIOD = 30 * DAY;
/** The merchant settles each month on this day of the next one. */
const PAYDAY = 5;

/** Builds the payments of the customers and the settlement of each month that is over. A repetition builds the same. */
export function demoLedger({ program, referrals }: DemoProgram, now: Seconds): Group<string>[] {
  const random = seededRandom(`${program.id} ledger`);
  const writingAt = (at: Seconds) => {
    return { id: uuidv7(milliseconds(at * 1000), random), now: at, by: 'merchant' } as const;
  };
  const payments = referrals.flatMap((referral, customer) =>
    paymentTimes(referral, now).map((paidAt, index): PaymentEntry => {
      const amount = PRICES[customer % PRICES.length] ?? 0;
      const payment = { paymentId: `in_${customer + 1}_${index + 1}`, amount, currency: CURRENCY, paidAt };
      return paymentEntry(referral, payment, writingAt(paidAt), null);
    }),
  );
  const settlements = [...Map.groupBy(payments, settlementOf)].flatMap(([settlementId, entries]): Entry[] => {
    const [{ advocateSlug: slug, paidAt } = { advocateSlug: '', paidAt: now }] = entries;
    const amount = entries.reduce((sum, { commission }) => sum + commission, 0);
    const settledAt = monthStart(paidAt, 1, PAYDAY);
    if (amount === 0 || settledAt > now) return [];
    const reference = `Transfer of ${monthOfTime(paidAt)}`;
    const settlement = { slug, settlementId, amount, currency: CURRENCY, reference, settledAt };
    return [settlementEntry(settlement, writingAt(settledAt))];
  });
  return [
    ...payments.map((entry) => [
      ...entryWrites(program.id, entry),
      putWrite('payment', toPaymentItem(program.id, newPayment(entry)), NOT_EXISTS),
    ]),
    ...settlements.map((entry) => [
      ...entryWrites(program.id, entry),
      claimWrite(program.id, 'settlement', entry.settlementId ?? '', entry),
      settlementCountWrite(program.id, entry.advocateSlug, entry.currency),
    ]),
  ];
}

/** The times of the payments in the ledger: every 30 days, as long as a payment earns a commission. */
function paymentTimes(referral: Referral, now: Seconds): Seconds[] {
  const { state, paidAt, commissionPercentage, commissionEndDate } = referral;
  if (state !== 'paid' || paidAt === null || commissionPercentage === null) return [];
  const begin = monthStart(now, -EARLIER_MONTHS);
  const first = paidAt + Math.max(0, Math.ceil((begin - paidAt) / PERIOD)) * PERIOD;
  const end = Math.min(now, commissionEndDate ?? now);
  const count = Math.max(0, Math.ceil((end - first) / PERIOD));
  return Array.from({ length: count }, (_, index) => seconds(first + index * PERIOD));
}

const settlementOf = ({ advocateSlug, paidAt }: PaymentEntry) => `${monthOfTime(paidAt)}:${advocateSlug}`;

const monthOfTime = (at: Seconds) => monthOf(new Date(at * 1000).toISOString());

/** The beginning of a day of the month that is `months` later (UTC). */
function monthStart(at: Seconds, months: number, day = 1): Seconds {
  const date = new Date(at * 1000);
  return seconds(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, day) / 1000);
}
