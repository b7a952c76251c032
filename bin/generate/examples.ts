import type { AdvocateResource } from '../../functions/advocates/schema.ts';
import type { ListedReferralResource } from '../../functions/referrals/schema.ts';
import type {
  ClickBody,
  ConversionV1Body,
  ConversionV2Body,
  ConvertedReferralResource,
  StateBody,
  TrackedReferralResource,
} from '../../functions/tracking/schema.ts';
import type { Json } from './json.ts';

/** Examples of a body by their names. */
export type Examples = Readonly<Record<string, { readonly summary: string; readonly value: Json }>>;

const CLICKED = 1_767_225_600;
const CONVERTED = CLICKED + 2 * 60 * 60;
const PAID = CONVERTED + 14 * 24 * 60 * 60;

const REFERRAL_ID = '019b76da-a800-7c3e-9d21-5f0e8a417b62';
const CLICK_ID = '019b7c01-1f00-7a4d-8b3f-2c6d9e105a73';

const conversion = {
  id: REFERRAL_ID,
  type: 'referral',
  attributes: {
    email: 'visitor@example.com',
    state: 'converted',
    state_set_at: CONVERTED,
    created_at: CLICKED,
    updated_at: CONVERTED,
  },
} as const satisfies ConvertedReferralResource;

const tracked = {
  ...conversion,
  attributes: { ...conversion.attributes, uid: 'customer-4711' },
} as const satisfies TrackedReferralResource;

const trackedAsPaid = {
  ...tracked,
  attributes: { ...tracked.attributes, state: 'paid', state_set_at: PAID, updated_at: PAID },
} as const satisfies TrackedReferralResource;

const paid = {
  id: REFERRAL_ID,
  type: 'referral',
  attributes: {
    email: 'visitor@example.com',
    state: 'paid',
    state_set_at: PAID,
    created_at: CLICKED,
    updated_at: PAID,
    sub_id: 'newsletter',
    commission_percentage: 20,
    commission_end_date: 1_798_768_800,
  },
} as const satisfies ListedReferralResource;

const click = {
  id: CLICK_ID,
  type: 'referral',
  attributes: {
    email: null,
    state: 'clicked',
    state_set_at: CLICKED,
    created_at: CLICKED,
    updated_at: CLICKED,
    sub_id: null,
    commission_percentage: null,
    commission_end_date: null,
  },
} as const satisfies ListedReferralResource;

const advocate = {
  id: '019b71b4-4c00-7d15-a2c8-71e4f0936d58',
  type: 'advocate',
  attributes: {
    id: '019b71b4-4c00-7d15-a2c8-71e4f0936d58',
    uid: 'partner-42',
    email: 'jane.doe@example.com',
    first_name: 'Jane',
    last_name: 'Doe',
    slug: 'jane-doe',
    referral_link: 'https://example.com/?via=jane-doe',
    company_id: null,
    company: 'Doe Media',
    created_at: 1_767_139_200,
  },
} as const satisfies AdvocateResource;

const GR_ID = `jane-doe.${REFERRAL_ID}`;

const byCookie = {
  email: 'visitor@example.com',
  gr_id: GR_ID,
} as const satisfies ConversionV1Body;

const byUid = {
  email: 'visitor@example.com',
  pk: 'pk_019a2b3c4d5e7f608a1b2c3d4e5f6071',
  uid: 'partner-42',
} as const satisfies ConversionV1Body;

const PUBLIC_KEY = byUid.pk;
const bySlug = {
  affiliate_slug: 'jane-doe',
  email: 'visitor@example.com',
  uid: 'customer-4711',
  sub_id: 'newsletter',
} as const satisfies ConversionV2Body;
const fromPage = {
  pk: PUBLIC_KEY,
  gr_id: GR_ID,
  email: 'visitor@example.com',
} as const satisfies ConversionV2Body;
const payment = { uid: 'customer-4711', state: 'paid' } as const satisfies StateBody;
const visit = { pk: PUBLIC_KEY, gr_id: GR_ID, sub_id: 'newsletter' } as const satisfies ClickBody;

const page = (data: readonly Json[], has_more: boolean, number = 1) => ({
  data,
  meta: { pagination: { page: number, per_page: 25, has_more } },
});

const PAST_THE_END = { summary: 'A page past the end', value: page([], false, 9) };

export const CONVERSION_V1_REQUESTS = {
  by_cookie: { summary: "With the visitor's cookie", value: byCookie },
  by_uid: { summary: "With the public key and the merchant's id of the advocate", value: byUid },
} satisfies Examples;

export const CONVERSION_V2_REQUESTS = {
  by_cookie: { summary: "With the visitor's cookie", value: { gr_id: GR_ID, uid: 'customer-4711' } },
  by_slug: { summary: "With the advocate's slug", value: bySlug },
  from_page: { summary: 'From a page, with the public key', value: fromPage },
} satisfies Examples;

export const STATE_REQUESTS = {
  payment: { summary: 'The customer has paid', value: payment },
  loss: { summary: 'The customer has left', value: { email: 'visitor@example.com', state: 'churned' } },
} satisfies Examples;

export const CLICK_REQUESTS = {
  visit: { summary: 'A visitor followed a link', value: visit },
} satisfies Examples;

export const TRACKED_CONVERSIONS = {
  converted: { summary: 'The click became the referral', value: { data: tracked } },
} satisfies Examples;

export const CHANGED_STATES = {
  paid: { summary: 'The customer has paid', value: { data: trackedAsPaid } },
} satisfies Examples;

export const CONVERSIONS = {
  converted: { summary: 'The click became the referral', value: { data: conversion } },
} satisfies Examples;

export const ADVOCATE_PAGES = {
  page: { summary: 'The only page', value: page([advocate], false) },
  past_the_end: PAST_THE_END,
} satisfies Examples;

export const REFERRAL_PAGES = {
  page: { summary: 'A page that has more', value: page([paid], true) },
  clicks: { summary: 'With `state_eq=clicked`', value: page([click], false) },
  past_the_end: PAST_THE_END,
} satisfies Examples;
