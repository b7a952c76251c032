import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { HistoryEntry } from '../domain/referral/history.ts';
import type { Referral } from '../domain/referral/referral.ts';
import { FLAGS } from '../domain/referral/self-referral.ts';
import { ACTORS, STATES } from '../domain/referral/state.ts';
import { exact, resource, TIME } from './schema.ts';

/** A referral as an affiliate sees it. */
type ListedFields = Pick<
  Referral,
  | 'id'
  | 'email'
  | 'state'
  | 'stateSetAt'
  | 'createdAt'
  | 'updatedAt'
  | 'subId'
  | 'commissionPercentage'
  | 'commissionEndDate'
>;
/** A referral as the merchant sees it. */
export type MerchantFields = ListedFields & Pick<Referral, 'customerUid' | 'advocateSlug' | 'flags'>;

const LISTED = {
  email: { type: ['string', 'null'], description: '`null` for a click, or if it is unknown or was erased.' },
  state: { type: 'string', enum: STATES },
  state_set_at: TIME,
  created_at: TIME,
  updated_at: TIME,
  sub_id: { type: ['string', 'null'] },
  commission_percentage: { type: ['number', 'null'], description: '`null` if no rate is set.' },
  commission_end_date: {
    type: ['integer', 'null'],
    examples: [1_798_761_600],
    description: 'Unix seconds, UTC; `null` before the conversion, or if the commission never ends.',
  },
} as const;

export const LISTED_REFERRAL = /* @__PURE__ */ resource('referral', LISTED) satisfies JSONSchema;
export type ListedReferralResource = FromSchema<typeof LISTED_REFERRAL>;

const MERCHANT = {
  ...LISTED,
  uid: {
    type: ['string', 'null'],
    description: "The merchant's own id of the customer; `null` if it is unknown or was erased.",
  },
  affiliate_slug: { type: 'string', description: 'The slug of the advocate who referred the customer.' },
  flags: {
    type: 'array',
    items: { type: 'string', enum: FLAGS },
    description:
      '`self_referral`: the customer is the advocate who referred it, by email or `uid`. Affiliates do not see flags, and flags change no state.',
  },
} as const;

export const MERCHANT_REFERRAL = /* @__PURE__ */ resource('referral', MERCHANT) satisfies JSONSchema;
export type MerchantReferralResource = FromSchema<typeof MERCHANT_REFERRAL>;

const ENTRY = { set_at: TIME, by: { type: 'string', enum: ACTORS } } as const;
export const HISTORY_ENTRY = /* @__PURE__ */ (() =>
  ({
    anyOf: [
      exact({ type: { type: 'string', const: 'state' }, state: { type: 'string', enum: STATES }, ...ENTRY }),
      exact({
        type: { type: 'string', const: 'reassignment' },
        from: { type: 'string', description: 'The slug of the advocate before the move.' },
        to: { type: 'string', description: 'The slug of the advocate after the move.' },
        ...ENTRY,
      }),
      exact({ type: { type: 'string', const: 'erasure' }, ...ENTRY }),
    ],
  }) as const)();

export const REFERRAL_DETAILS = /* @__PURE__ */ resource('referral', {
  ...MERCHANT,
  history: { type: 'array', items: HISTORY_ENTRY, description: 'The last 100 changes, oldest first.' },
}) satisfies JSONSchema;
export type ReferralDetailsResource = FromSchema<typeof REFERRAL_DETAILS>;

/** Builds the resource of a referral for its affiliate. */
export function listedReferral(referral: ListedFields): ListedReferralResource {
  return {
    id: referral.id,
    type: 'referral',
    attributes: {
      email: referral.email,
      state: referral.state,
      state_set_at: referral.stateSetAt,
      created_at: referral.createdAt,
      updated_at: referral.updatedAt,
      sub_id: referral.subId,
      commission_percentage: referral.commissionPercentage,
      commission_end_date: referral.commissionEndDate,
    },
  };
}

/** Builds the resource of a referral for the merchant. */
export function merchantReferral(referral: MerchantFields): MerchantReferralResource {
  const { id, type, attributes } = listedReferral(referral);
  const { customerUid: uid, advocateSlug: affiliate_slug, flags } = referral;
  return { id, type, attributes: { ...attributes, uid, affiliate_slug, flags: [...flags] } };
}

/** Builds the resource of a referral with its history. */
export function referralDetails(referral: Referral): ReferralDetailsResource {
  const { id, type, attributes } = merchantReferral(referral);
  return { id, type, attributes: { ...attributes, history: referral.history.map(historyEntry) } };
}

/** Renders an entry of a referral's history, for lookup and command line. */
export function historyEntry({ setAt: set_at, by, ...entry }: HistoryEntry) {
  return { ...entry, set_at, by };
}
