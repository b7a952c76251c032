import { advocateResource } from '../../functions/advocates/resource.ts';
import { referralLinks } from '../../functions/domain/advocate.ts';
import type { Referral } from '../../functions/domain/referral.ts';
import type { State } from '../../functions/domain/state.ts';
import { seconds } from '../../functions/domain/time.ts';
import { listedReferral } from '../../functions/referrals/resource.ts';
import { convertedReferral, trackedReferral } from '../../functions/tracking/resource.ts';
import type { ClickBody, ConversionV1Body, ConversionV2Body, StateBody } from '../../functions/tracking/schema.ts';
import { demoPrograms } from '../local/demo/data.ts';
import type { Json } from './json.ts';

/** Examples of a body by their names. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: Json }>>;

// Every request example succeeds as it is on a service that `npm start` has just created, and its response is the
// example of the same name, but for the times of the change.
const [demo] = demoPrograms();
if (!demo) throw new Error('The demo has no program.');
const { program } = demo;
const advocate = present(demo.advocates[0]);
const newestAdvocate = present(demo.advocates.at(-1));
/** The referrals of the advocate whose token `npm start` prints, newest first. */
const referrals = demo.referrals
  .filter(({ advocateSlug }) => advocateSlug === advocate.slug)
  .toSorted((one, other) => other.createdAt - one.createdAt);
const [firstClick, secondClick, thirdClick] = referrals.filter(({ state }) => state === 'clicked');
const newest = present(referrals.find(({ state }) => state !== 'clicked'));
const converted = present(referrals.find(({ state }) => state === 'converted'));
const paid = present(referrals.find(({ state }) => state === 'paid'));

/** A moment after everything in the demo. */
const CHANGED_AT = seconds(Date.UTC(2026, 10, 2, 12) / 1000);
/** Not a click of the demo. */
const NEW_CLICK_ID = '019b7c01-1f00-7a4d-8b3f-2c6d9e105a73';
const EMAIL = 'visitor@example.com';
const CUSTOMER_UID = 'customer-4711';

const grId = (clickId: string) => `${advocate.slug}.${clickId}`;
const grIdOf = (click: Referral | undefined) => grId(present(click).id);
const afterwards = (
  referral: Referral | undefined,
  state: State,
  customer: { readonly email?: string; readonly customerUid?: string } = {},
) => ({ ...present(referral), ...customer, state, stateSetAt: CHANGED_AT, updatedAt: CHANGED_AT });

export const CONVERSION_V1_REQUESTS = {
  by_cookie: {
    summary: "With the visitor's cookie",
    value: { email: EMAIL, gr_id: grIdOf(firstClick) } satisfies ConversionV1Body,
  },
  by_uid: {
    summary: "With the public key and the merchant's id of the advocate",
    value: {
      email: 'reader@example.com',
      pk: program.publicKey,
      uid: present(advocate.uid),
    } satisfies ConversionV1Body,
  },
} satisfies Examples;

export const CONVERSIONS = {
  by_cookie: {
    summary: 'The click became the referral',
    value: { data: convertedReferral(afterwards(firstClick, 'converted', { email: EMAIL })) },
  },
} satisfies Examples;

export const CONVERSION_V2_REQUESTS = {
  by_cookie: {
    summary: "With the visitor's cookie",
    value: { gr_id: grIdOf(secondClick), uid: CUSTOMER_UID } satisfies ConversionV2Body,
  },
  by_slug: {
    summary: "With the advocate's slug",
    value: {
      affiliate_slug: advocate.slug,
      email: 'subscriber@example.com',
      uid: 'customer-4712',
      sub_id: 'newsletter',
    } satisfies ConversionV2Body,
  },
  from_page: {
    summary: 'From a page, without a token',
    value: {
      pk: program.publicKey,
      gr_id: grIdOf(thirdClick),
      email: 'guest@example.com',
    } satisfies ConversionV2Body,
  },
} satisfies Examples;

export const TRACKED_CONVERSIONS = {
  by_cookie: {
    summary: 'The click became the referral',
    value: { data: trackedReferral(afterwards(secondClick, 'converted', { customerUid: CUSTOMER_UID })) },
  },
} satisfies Examples;

export const STATE_REQUESTS = {
  payment: {
    summary: 'The customer paid',
    value: { uid: present(converted.customerUid), state: 'paid' } satisfies StateBody,
  },
  loss: {
    summary: 'The customer left',
    value: { email: present(paid.email), state: 'churned' } satisfies StateBody,
  },
} satisfies Examples;

export const CHANGED_STATES = {
  payment: {
    summary: 'The customer paid',
    value: { data: trackedReferral(afterwards(converted, 'paid')) },
  },
  loss: { summary: 'The customer left', value: { data: trackedReferral(afterwards(paid, 'churned')) } },
} satisfies Examples;

export const CLICK_REQUESTS = {
  visit: {
    summary: 'A visitor followed a link',
    value: {
      pk: program.publicKey,
      gr_id: grId(NEW_CLICK_ID),
      sub_id: 'newsletter',
    } satisfies ClickBody,
  },
} satisfies Examples;

/** An origin whose pages may send conversions with the public key. */
export const PAGE_ORIGIN = present(program.allowedOrigins[0]);

const page = (data: readonly Json[], has_more: boolean, number: number, per_page: number) => ({
  data,
  meta: { pagination: { page: number, per_page, has_more } },
});

const PAST_THE_END = { summary: 'With `page=99`: past the end', value: page([], false, 99, 25) };

export const ADVOCATE_PAGES = {
  one: {
    summary: 'With `per_page=1`',
    value: page([advocateResource(program, referralLinks(program), newestAdvocate)], true, 1, 1),
  },
  past_the_end: PAST_THE_END,
} satisfies Examples;

export const REFERRAL_PAGES = {
  one: { summary: 'With `per_page=1`', value: page([listedReferral(newest)], true, 1, 1) },
  click: {
    summary: 'With `per_page=1&state_eq=clicked`',
    value: page([listedReferral(present(firstClick))], true, 1, 1),
  },
  past_the_end: PAST_THE_END,
} satisfies Examples;

function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('The demo lacks what an example shows.');
  return value;
}
